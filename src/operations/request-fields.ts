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

// Whether secrets are taken out of an answer that holds code. Doors behind which a model listens ask for it unless told otherwise.
export const redactField = { redact: z.boolean().optional() };

const withCode: ReadonlySet<string> = new Set(['review:chunks', 'review:bundles']);

/** The request as a model's door makes it. */
export function redactedByDefault(id: string, request: Record<string, unknown>): Record<string, unknown> {
  return withCode.has(id) && request.redact === undefined ? { ...request, redact: true } : request;
}
