// Fields that several requests share, checked the same way everywhere.
import * as z from 'zod';
import { textField } from '../core/model/input.js';
import type { Operation } from './operation.js';
import { usualPartBytes } from './parts.js';

const notBlank = (text: string) => text.trim() !== '';

/** Names and ids: short, on one line, never empty. */
export const nameField = textField(512)
  .refine(notBlank, { error: 'must not be empty' })
  .refine((text) => !/[\r\n]/.test(text), { error: 'must be a single line' });

/** Text that says something. */
export const proseField = (most?: number) => textField(most).refine(notBlank, { error: 'must not be empty' });

export const projectRequest = z.strictObject({ projectId: nameField });

export const itemRequest = z.strictObject({ projectId: nameField, id: nameField });

/** How long something may take, in milliseconds. */
export const durationField = z.int().min(1).max(86_400_000);

/** Of a model that writes or reads for the writing desk. */
export const modelTimeouts = {
  timeoutMs: durationField.default(600_000),
  firstByteTimeoutMs: durationField.default(120_000),
};

/** Whether secrets are taken out of an answer that holds code. */
export const redactField = { redact: z.boolean().optional() };

const withCode: ReadonlySet<string> = new Set(['review:chunks', 'review:bundles', 'review:diff']);

/** Tokens of diff on a page that a model takes from a tool in one answer. */
const toolChunkTokens = 10_000;

/** The request as a door makes it behind which a model listens: no secrets, and no more at once than it takes. */
export function requestOfModel(
  { id, inParts }: Pick<Operation, 'id' | 'inParts'>,
  request: Record<string, unknown>,
): Record<string, unknown> {
  const { maxChunkTokens, maxPromptTokens } = request;
  const isBounded = id !== 'review:chunks' || (maxChunkTokens ?? maxPromptTokens) !== undefined;
  return {
    ...(withCode.has(id) ? { redact: true } : {}),
    ...(inParts === true ? { partBytes: usualPartBytes } : {}),
    ...(isBounded ? {} : { maxChunkTokens: toolChunkTokens }),
    ...request,
  };
}
