// The context of pages whose diffs are placed already: which units stand on which page, and beside which piece each snippet goes.
import type { BudgetLine } from '../../core/model/budget.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import type { Dialect } from '../../core/model/recipe.js';
import { joinNeighbours } from '../bundles/arrange-pieces.js';
import type { ContextBody, ContextWish } from '../bundles/choose-context.js';
import type { ContextPiece } from '../bundles/context-pieces.js';
import { type ContextSource, contextSource } from '../bundles/gather-context.js';
import { contextForPages, type PageContext } from '../bundles/page-context.js';
import { type PlannedUnit, plannedUnits } from '../bundles/planned-unit.js';
import type { Snippet } from '../bundles/snippet.js';
import type { ReviewRoom } from '../changes/review-room.js';
import type { PlannedRoom } from '../plan/review-plan.js';
import type { Piece } from './piece.js';

export type ContextPlace = Pick<Snippet, 'path' | 'side' | 'startLine' | 'endLine' | 'blob' | 'why'>;

export interface OnPagesOptions {
  readonly wish: ContextWish;
  readonly meter: Meter;
  readonly dialect: Dialect<never>;
  readonly pages: readonly (readonly Piece[])[];
  readonly signal: AbortSignal | undefined;
}

export interface ContextOnPages extends PageContext {
  /** What layers keep to on each page. */
  readonly lines: readonly BudgetLine[];
  /** The piece on that page a snippet belongs to, and which of its blocks. */
  blockOf(piece: ContextPiece, page: number): { readonly piece: string | undefined; readonly block: number };
}

/** Where context comes from; unless there is none to rank, git begins to search at once. */
export function contextSourceOf(
  { repository, change, signal }: ReviewRoom,
  { files }: PlannedRoom,
  wish: ContextWish,
): ContextSource {
  const source = contextSource({
    ...{ repository, tree: change.newTree, past: change.baseCommit },
    ...{ changed: files, signal },
  });
  if (wish !== 'plan' && wish !== 'none') source.lookAhead(files);
  return source;
}

export async function contextOnPages(
  source: ContextSource,
  planned: PlannedRoom,
  { wish, meter, dialect, pages, signal }: OnPagesOptions,
): Promise<ContextOnPages> {
  const units = plannedUnits(planned.judged, planned.plan).filter(({ row }) => !row.skip_review);
  const byPath = new Map<string, PlannedUnit[]>();
  for (const one of units) byPath.set(one.unit.path, [...(byPath.get(one.unit.path) ?? []), one]);
  const found = await contextForPages(
    pages.map((own) => {
      const paths = new Set(own.map(({ path }) => path));
      // Where a file is cut, each of its pieces brings the units it shows.
      const shown = new Set(own.flatMap(({ blocks }) => blocks.flatMap(({ unit }) => unit ?? [])));
      const here = [...paths].flatMap((path) => byPath.get(path) ?? []);
      return {
        units: shown.size === 0 ? here : here.filter(({ unit }) => shown.has(unit.id)),
        files: planned.files.filter(({ patch }) => paths.has(patch.entry.path)),
        tokens: amountOf(
          meter,
          own.reduce((sum, { weight }) => sum + weight, 0),
        ).n,
      };
    }),
    source,
    { wish, meter, dialect: dialect as Dialect<ContextBody>, signal },
  );
  return {
    ...found,
    lines: found.chosen.flatMap(({ lines }, page) => lines.map((line) => ({ ...line, page }))),
    blockOf: ({ home }, page) => {
      const own = pages[page] ?? [];
      for (const { id, blocks } of own) {
        const block = blocks.findIndex(({ unit }) => unit === home.unit.id);
        if (block >= 0) return { piece: id, block };
      }
      return { piece: own.find(({ path }) => path === home.unit.path)?.id, block: 0 };
    },
  };
}

/** What stands on a page beside its diff, best first, neighbouring lines as one place. */
export function shownContext(choices: readonly FragmentChoice[], page: number): ContextPlace[] {
  const shown = choices.flatMap(({ page: at, level, wording }) => {
    const body = wording.fragment.levels[level ?? 0]?.body as ContextBody | undefined;
    return at === page && level !== undefined && body?.kind === 'context' ? [body.piece] : [];
  });
  const best = [...shown].sort((a, b) => worth(b) - worth(a) || b.rank - a.rank);
  return joinNeighbours(best).map(({ snippet }) => {
    const { path, side, startLine, endLine, blob, why } = snippet;
    return { path, side, startLine, endLine, blob, why };
  });
}

/** What the plan asked for comes before what ranking found. */
function worth({ kind }: ContextPiece): number {
  return kind === 'related' ? 0 : 1;
}
