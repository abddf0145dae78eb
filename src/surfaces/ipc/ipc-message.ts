// What travels over a port. Ids are the caller's; whatever does not have one of these shapes is not for us.
import * as z from 'zod';

const id = z.int().nonnegative();
const galley = z.literal(1);

export const callerMessage = z.discriminatedUnion('kind', [
  z.strictObject({
    galley,
    kind: z.literal('call'),
    id,
    operation: z.string().max(200),
    request: z.unknown(),
  }),
  z.strictObject({ galley, kind: z.literal('cancel'), id }),
]);

export type CallerMessage = z.output<typeof callerMessage>;

const progress = z.object({ stage: z.string(), done: z.number(), total: z.number().optional() });

export const engineMessage = z.discriminatedUnion('kind', [
  z.strictObject({ galley, kind: z.literal('answer'), id, answer: z.unknown() }),
  z.strictObject({ galley, kind: z.literal('text'), id, text: z.string() }),
  z.strictObject({ galley, kind: z.literal('progress'), id, progress }),
]);

export type EngineMessage = z.output<typeof engineMessage>;
