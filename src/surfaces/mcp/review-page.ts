// One page of a change as its reviewer gets it; without a word on which, the change one is working on.
import { resolve } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { lentRepository } from '../../git/repository/open-repository.js';
import { uncommittedFiles, usualChangeOf } from '../../review/change/usual-change.js';
import type { Engine, EngineCall } from '../engine.js';

export interface AskedReview {
  /** From 1. */
  readonly page: number;
  readonly mode?: string | undefined;
  readonly base?: string | undefined;
  readonly head?: string | undefined;
  readonly commit?: string | undefined;
  readonly skill?: string | undefined;
  readonly maxPromptTokens?: number | undefined;
  readonly context?: 'plan' | undefined;
}

interface ReviewPage {
  readonly text: string;
  /** What stands on the pages and what does not. */
  readonly coverage: string;
  /** How many there are; none when nothing changed. */
  readonly pages: number;
  readonly uncommitted: number;
}

interface Chunks {
  /** Files in no commit, where only commits are shown and nobody asked for that. */
  readonly uncommitted: number;
  readonly chunks: readonly { readonly text: string }[];
  readonly coverage: string;
}

export type ReviewReader = (asked: AskedReview, options: EngineCall) => Promise<ReviewPage>;

/** The first page is always set anew; those behind it come from the same setting, so that a reader misses nothing in between. */
export function reviewReader({
  engine,
  folder,
}: {
  readonly engine: Engine;
  readonly folder: string;
}): ReviewReader {
  let last: { readonly key: string; readonly set: Chunks } | undefined;
  return async ({ page, ...change }, options) => {
    const key = JSON.stringify(change);
    const isNext = page > 1 && last?.key === key;
    const set =
      isNext && last !== undefined ? last.set : await setChange(engine, { folder, change, options });
    last = { key, set };
    return pageOf(set, page);
  };
}

interface SetOrder {
  readonly folder: string;
  readonly change: Omit<AskedReview, 'page'>;
  readonly options: EngineCall;
}

async function setChange(engine: Engine, { folder, change, options }: SetOrder): Promise<Chunks> {
  const isNamed = [change.mode, change.base, change.head, change.commit].some((word) => word !== undefined);
  const { uncommitted, ...meant } = isNamed
    ? { mode: change.commit === undefined ? 'pr' : 'commit', uncommitted: 0 }
    : await currentChange(resolve(folder));
  const request = { ...meant, ...change, redact: true };
  const set = (await engine.call('review:chunks', request, options)) as Omit<Chunks, 'uncommitted'>;
  return { ...set, uncommitted };
}

async function currentChange(folder: string) {
  const lent = lentRepository(folder);
  try {
    const repository = await lent.open();
    const change = await usualChangeOf(repository);
    return { ...change, uncommitted: change.mode === 'pr' ? await uncommittedFiles(repository) : 0 };
  } finally {
    await lent.close();
  }
}

function pageOf({ chunks, coverage, uncommitted }: Chunks, page: number): ReviewPage {
  const pages = chunks.length;
  if (page < 1 || page > Math.max(1, pages)) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `page: must be a whole number from 1 to ${Math.max(1, pages)}.`,
      { details: { field: 'page' } },
    );
  }
  return { text: chunks[page - 1]?.text ?? 'There is nothing to review.', coverage, pages, uncommitted };
}
