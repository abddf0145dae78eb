// Fields that requests of the writing desk share, checked the same way everywhere.
import * as z from 'zod';
import { textField } from '../core/model/input.js';

const notBlank = (text: string) => text.trim() !== '';

/** Names and ids: short, on one line, never empty. */
export const nameField = textField(512)
  .refine(notBlank, { error: 'must not be empty' })
  .refine((text) => !/[\r\n]/.test(text), { error: 'must be a single line' });

/** Text that says something. */
export const proseField = (most?: number) => textField(most).refine(notBlank, { error: 'must not be empty' });

export const projectRequest = z.strictObject({ projectId: nameField });

export const itemRequest = z.strictObject({ projectId: nameField, id: nameField });
