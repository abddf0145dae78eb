// An answer that may be huge can be taken in parts: each has the shape of the whole, with fewer entries in its lists. The lists of
// all parts, put one behind the other, are those of the whole answer, so that nobody has to hold it in one message.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { hashText } from '../meters/content-hash.js';
import { count, named } from './published-schema.js';

/** About as much as a model takes from a tool: 25,000 tokens, and hashes weigh a token for every two bytes. */
export const usualPartBytes = 50_000;

export const partFields = {
  part: z
    .int()
    .min(1)
    .optional()
    .describe('which part of the answer, from 1; part.next of an answer names the next'),
  partBytes: z
    .int()
    .min(1_000)
    .max(1_000_000_000)
    .optional()
    .describe('bytes of JSON in one part; an entry of a list is never cut'),
};

const partSchema = named(
  'AnswerPart',
  z.strictObject({
    number: count.describe('from 1'),
    of: count.describe('how many parts there are'),
    next: count.optional().describe('ask the same again with this as part; absent in the last one'),
    digest: z.string().describe('of the whole answer; another one says that it changed between two parts'),
  }),
);

export type AnswerPart = Readonly<z.output<typeof partSchema>>;

const partField = partSchema
  .optional()
  .describe('present when the answer comes in parts; lists hold only their part of it');

/** The schema of an answer that can be asked for in parts. */
export function inParts<Answer>(
  output: z.ZodType<Answer>,
): z.ZodType<Answer & { readonly part?: AnswerPart }> {
  const schema: z.ZodType = output;
  const extended =
    schema instanceof z.ZodDiscriminatedUnion
      ? z.discriminatedUnion(
          schema.def.discriminator,
          schema.options.map((option) => withPart(option as unknown as z.ZodObject)) as unknown as [
            z.ZodObject,
          ],
        )
      : withPart(schema as z.ZodObject);
  return extended as unknown as z.ZodType<Answer & { readonly part?: AnswerPart }>;
}

const withPart = (schema: z.ZodObject) => schema.extend({ part: partField });

export interface AskedPart {
  readonly part?: number | undefined;
  readonly partBytes?: number | undefined;
}

/** That part of an answer; the answer itself where it fits into one. */
export function partOf(answer: object, { part = 1, partBytes = usualPartBytes }: AskedPart): object {
  const lists = [...listsIn(answer)];
  const frame = JSON.stringify(rebuilt(answer, () => []));
  const room = partBytes - Buffer.byteLength(frame);
  const hashes = [hashText(frame)];
  let number = 1;
  let filled = 0;
  /** For each list the part that each of its entries goes to. */
  const places = lists.map((list) =>
    list.map((entry) => {
      const json = JSON.stringify(entry) ?? 'null';
      hashes.push(hashText(json));
      const bytes = Buffer.byteLength(json) + 1;
      if (filled > 0 && filled + bytes > room) {
        number += 1;
        filled = 0;
      }
      filled += bytes;
      return number;
    }),
  );
  if (part > number)
    throw new GalleyError('INVALID_ARGUMENT', `part: there are only ${number}.`, {
      details: { field: 'part' },
    });
  if (number === 1) return answer;
  let list = -1;
  const own = rebuilt(answer, (entries) => {
    list += 1;
    return entries.filter((_, index) => places[list]?.[index] === part);
  }) as object;
  const next = part < number ? { next: part + 1 } : {};
  return { ...own, part: { number: part, of: number, ...next, digest: hashText(hashes.join()) } };
}

/** The outermost lists of a value, in order. */
function* listsIn(value: unknown): Generator<readonly unknown[]> {
  if (Array.isArray(value)) yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inside of Object.values(value)) yield* listsIn(inside);
}

/** The value with another list in place of each of its outermost ones. */
function rebuilt(value: unknown, listFor: (list: readonly unknown[]) => unknown): unknown {
  if (Array.isArray(value)) return listFor(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, rebuilt(inside, listFor)]));
}
