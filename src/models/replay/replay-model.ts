// Recorded answers as a model. They are labelled as such, and a request nobody recorded is refused, never made up.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { Model, ModelAnswer, Usage } from '../contract/model.js';
import { checkRequest } from '../contract/placement.js';
import { parseReplay, type ReplayLine, requestDigest } from './replay-file.js';

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
