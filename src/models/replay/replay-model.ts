// Recorded answers as a model. They are labelled as such, and a request nobody recorded is refused, never made up.

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import canonicalize from 'canonicalize';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import type { Model, ModelAnswer, ModelRequest, Usage } from '../contract/model.js';
import { checkRequest } from '../contract/placement.js';

export async function openReplay(path: string, id: string): Promise<Model> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `The file of recorded answers (${basename(path)}) cannot be read; check its name.`,
      { details: { field: 'model' }, cause },
    );
  });
  const { heading, lines } = parseReplay(text);
  const next = heading.by === 'order' ? inOrder(lines) : byDigest(lines);
  const self: Model = {
    id,
    family: 'replay',
    takesTurns: true,
    speakers: { system: 'anywhere', names: true, trimsLast: false },
    run: async (request, { signal, onText }) => {
      checkRequest(self, request);
      if (signal.aborted) throw cancelled();
      const line = next(requestDigest(request));
      if (line === undefined) throw notRecorded(heading.by);
      for (const words of line.answer.text.split(/(?<=\n)/)) {
        if (words !== '') onText?.(words);
        if (signal.aborted) throw cancelled();
      }
      return answerOf(line);
    },
  };
  return self;
}

function inOrder(lines: readonly ReplayLine[]): () => ReplayLine | undefined {
  const rest = lines.values();
  return () => rest.next().value;
}

/** What was asked several times is answered in turn, the last answer again and again. */
function byDigest(lines: readonly ReplayLine[]): (digest: string) => ReplayLine | undefined {
  const known = new Map<string, ReplayLine[]>();
  for (const line of lines) known.set(line.digest, [...(known.get(line.digest) ?? []), line]);
  return (digest) => {
    const answers = known.get(digest);
    return answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
  };
}

function answerOf({ answer, model }: ReplayLine): ModelAnswer {
  const { text, finish, usage, attempts } = answer;
  return {
    text,
    finish,
    model: `replay of ${answer.model ?? model}`,
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    ...(attempts === undefined ? {} : { attempts }),
  };
}

function usageOf(usage: NonNullable<ReplayLine['answer']['usage']>): Usage {
  const { cachedInputTokens, cacheWriteTokens, ...counts } = usage;
  return {
    ...counts,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
  };
}

function cancelled(): GalleyError {
  return new GalleyError('CANCELLED', 'The replay was cancelled.');
}

function notRecorded(by: 'digest' | 'order'): GalleyError {
  const says =
    by === 'order' ? 'There are no more recorded answers' : 'There is no recorded answer to this request';
  return new GalleyError(
    'MODEL_ANSWER_INVALID',
    `${says}; record it with a real model first, or name one instead of the replay.`,
    { details: { reason: 'not-recorded' } },
  );
}

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

/**
 * Recorded answers in a file, one JSON value per line: a heading that says how they are found, then digest and answer.
 */
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
    'MODEL_NOT_CONFIGURED',
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
