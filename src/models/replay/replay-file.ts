// Recorded answers in a file, one JSON value per line: a heading that says how they are found, then digest and answer.
import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import type { ModelRequest } from '../contract/model.js';

/** `digest`: the answer to the same request; `order`: the next answer, whatever is asked. */
export const replayHeading = z.strictObject({
  galley: z.literal('replay'),
  version: z.literal(1),
  by: z.enum(['digest', 'order']),
});

const tokens = z.int().nonnegative();

export const replayLine = z.strictObject({
  digest: z.string().max(64),
  model: z.string().max(200),
  answer: z.strictObject({
    text: z.string(),
    finish: z.enum(['stop', 'length', 'unknown']),
    usage: z
      .strictObject({
        inputTokens: tokens,
        outputTokens: tokens,
        cachedInputTokens: tokens.optional(),
        cacheWriteTokens: tokens.optional(),
      })
      .optional(),
    model: z.string().max(200).optional(),
    attempts: z.int().positive().optional(),
  }),
});

export type ReplayHeading = z.output<typeof replayHeading>;
export type ReplayLine = z.output<typeof replayLine>;

/** Covers the words a model is asked; the form of the answer is each provider's own, so it is not part of it. */
export function requestDigest({ system = '', prompt, maxOutputTokens }: ModelRequest): string {
  const asked = { system, prompt, schema: null, maxOutputTokens: maxOutputTokens ?? null };
  return hash('sha256', canonicalize(asked) ?? '', 'hex');
}

export function parseReplay(text: string): { heading: ReplayHeading; lines: ReplayLine[] } {
  const rows = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((row, index) => ({ row: row.trim(), number: index + 1 }))
    .filter(({ row }) => row !== '');
  const [first, ...rest] = rows;
  const heading = parseRow(replayHeading, first ?? { row: '', number: 1 });
  return { heading, lines: rest.map((row) => parseRow(replayLine, row)) };
}

function parseRow<Schema extends z.ZodType>(
  schema: Schema,
  { row, number }: { row: string; number: number },
): z.output<Schema> {
  const parsed = schema.safeParse(readJson(row));
  if (parsed.success) return parsed.data;
  throw new GalleyError(
    'CONFIG_INVALID',
    `The file of recorded answers is not valid in line ${number}; record it again.`,
    { details: { line: number, field: parsed.error.issues[0]?.path.join('.') ?? '' } },
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
