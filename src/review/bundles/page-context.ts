// The context of each page of a review: requests are answered for all pages at once, ranking looks at one page at a time, so that a
// page keeps its neighbours when something changes on another.

import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { Dialect } from '../../core/model/recipe.js';
import type { OpenLimit } from '../related/choose-files.js';
import type { ChangedFile } from '../units/changed-file.js';
import { underHeads } from './arrange-pieces.js';
import { type ChosenContext, type ContextBody, type ContextWish, chooseContext } from './choose-context.js';
import type { ContextSource } from './gather-context.js';
import type { PlannedUnit } from './planned-unit.js';
import { shownByDiff } from './visible-change-of.js';

export interface PageUnits {
  readonly units: readonly PlannedUnit[];
  readonly files: readonly ChangedFile[];
  /** Of its diff. */
  readonly tokens: number;
}

export interface PageContextOptions {
  readonly wish: ContextWish;
  readonly meter: Meter;
  readonly dialect: Dialect<ContextBody>;
  readonly signal?: AbortSignal | undefined;
}

export interface PageContext {
  readonly chosen: readonly ChosenContext[];
  readonly warnings: readonly Warning[];
}

/** Ranking reads a good part of the repository for every page. */
const mostRanked = 40;
/** Who names no number gets the few best neighbours, and gets them soon. */
const fewFiles: OpenLimit = { files: 20, bytes: 120_000 };

export async function contextForPages(
  pages: readonly PageUnits[],
  source: ContextSource,
  { wish, meter, dialect, signal }: PageContextOptions,
): Promise<PageContext> {
  const { answers, warnings } = await source.answer(pages.flatMap(({ units }) => units));
  const isRanked = wish !== 'plan' && pages.length <= mostRanked;
  const toOpen = wish === undefined ? fewFiles : undefined;
  const chosen: ChosenContext[] = [];
  for (const { units, files, tokens } of pages) {
    signal?.throwIfAborted();
    const { pieces, opened } = isRanked
      ? await source.rank(files, toOpen)
      : { pieces: [], opened: new Map() };
    const shown = shownByDiff(files);
    const choice = chooseContext(
      { units, requests: answers, shown, pieces, files: opened },
      { wish, diff: tokens, meter, dialect, arrange: underHeads },
    );
    chosen.push(pages.length === 1 ? choice : onPage(choice, chosen.length + 1));
  }
  const unranked = wish !== 'plan' && !isRanked ? [notRanked(pages.length)] : [];
  return { chosen, warnings: [...warnings, ...unranked] };
}

/** The same lines may stand on several pages, each time as a fragment of their own. */
function onPage(choice: ChosenContext, page: number): ChosenContext {
  const named = <Piece extends { readonly id: string }>(piece: Piece): Piece => ({
    ...piece,
    id: `${piece.id} on page ${page}`,
  });
  const { pieces, rejections, givenUp } = choice;
  return {
    ...choice,
    pieces: pieces.map((piece) => {
      const { leansOn } = piece;
      return named(leansOn === undefined ? piece : { ...piece, leansOn: named(leansOn) });
    }),
    rejections: rejections.map(named),
    givenUp: givenUp.map(named),
  };
}

function notRanked(pages: number): Warning {
  return {
    code: 'CONTEXT_NOT_RANKED',
    message: `The change has ${pages} pages; beyond ${mostRanked} they carry what the plan asks for and no ranked neighbours.`,
    details: { pages, most: mostRanked },
  };
}
