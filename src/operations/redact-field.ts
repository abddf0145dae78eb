// Whether secrets are taken out of an answer that holds code. Doors behind which a model listens ask for it unless told otherwise.
import * as z from 'zod';

export const redactField = { redact: z.boolean().optional() };

const withCode: ReadonlySet<string> = new Set(['review:chunks', 'review:bundles']);

/** The request as a model's door makes it. */
export function redactedByDefault(id: string, request: Record<string, unknown>): Record<string, unknown> {
  return withCode.has(id) && request.redact === undefined ? { ...request, redact: true } : request;
}
