// The context of pages whose diffs are placed already: which units stand on which page, and beside which piece each snippet goes.
import type { BudgetLine } from '../../core/model/budget.js';
import type { Warning } from '../../core/model/error.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import type { Dialect } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import type { Recall } from '../change/recall.js';
import { joinNeighbours, underHeads } from '../context/arrange-pieces.js';
import type { ContextBody } from '../context/choose-context.js';
import { type ChosenContext, type ContextBudget, chooseContext } from '../context/choose-context.js';
import type { ContextPiece } from '../context/context-pieces.js';
import type { ContextSource } from '../context/gather-context.js';
import { shownByDiff } from '../context/gather-context.js';
import type { Piece } from '../pieces/piece.js';
import type { PlannedUnit } from '../plan/plan-review.js';
import { type ReviewPlan, unitsByPath } from '../plan/plan-review.js';
import type { OpenLimit } from '../related/file-signals.js';
import type { ChangedFile } from '../units/changed-file.js';
import type { Snippet } from '../units/snippet.js';

export type ContextPlace = Pick<Snippet, 'path' | 'side' | 'startLine' | 'endLine' | 'blob' | 'why'>;

interface OnPagesOptions {
  readonly contextBudget: ContextBudget;
  readonly meter: Meter;
  readonly dialect: Dialect<never>;
  readonly pages: readonly (readonly Piece[])[];
  readonly signal: AbortSignal | undefined;
  readonly recall: Recall;
}

export interface ContextOnPages extends PageContext {
  /** What layers keep to on each page. */
  readonly lines: readonly BudgetLine[];
  /** The piece on that page a snippet belongs to, and which of its blocks. */
  blockOf(piece: ContextPiece, page: number): { readonly piece: string | undefined; readonly block: number };
}

export async function contextOnPages(
  source: ContextSource,
  planned: ReviewPlan,
  { contextBudget, meter, dialect, pages, signal, recall }: OnPagesOptions,
): Promise<ContextOnPages> {
  const byPath = unitsByPath(planned);
  const found = await contextForPages(
    pages.map((own) => {
      const paths = new Set(own.map(({ path }) => path));
      // Where a file is cut, each of its pieces brings the units it shows.
      const shown = new Set(own.flatMap(({ blocks }) => blocks.flatMap(({ unit }) => unit ?? [])));
      const here = [...paths].flatMap((path) => byPath.get(path) ?? []).filter(({ row }) => !row.skip_review);
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
    { contextBudget, meter, dialect: dialect as Dialect<ContextBody>, signal, recall },
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
export function shownContext(choices: readonly FragmentChoice[]): ContextPlace[] {
  const shown: ContextPiece[] = [];
  for (const { level = 0, wording } of choices) {
    const body = wording.fragment.levels[level]?.body as ContextBody | undefined;
    if (body?.kind === 'context') shown.push(body.piece);
  }
  const best = [...shown].sort((a, b) => worth(b) - worth(a) || b.rank - a.rank);
  return joinNeighbours(best).map(({ snippet }) => {
    const { path, side, startLine, endLine, blob, why } = snippet;
    return { path, side, startLine, endLine, blob, why };
  });
}

/** What the plan asked for comes before what ranking found. */
function worth({ kind }: ContextPiece): number {
  return kind === 'related' || kind === 'interface' ? 0 : 1;
}

interface PageUnits {
  readonly units: readonly PlannedUnit[];
  readonly files: readonly ChangedFile[];
  /** Of its diff. */
  readonly tokens: number;
}

interface PageContextOptions {
  readonly contextBudget: ContextBudget;
  readonly meter: Meter;
  readonly dialect: Dialect<ContextBody>;
  readonly signal?: AbortSignal | undefined;
  readonly recall: Recall;
}

interface PageContext {
  readonly chosen: readonly ChosenContext[];
  readonly warnings: readonly Warning[];
}

/** Ranking reads a good part of the repository for every page. */
const maxRankedPages = 40;
/** Who names no number gets the few best neighbours, and gets them soon. */
const fewFiles: OpenLimit = { files: 20, bytes: 120_000 };

/**
 * Requests are answered for all pages at once; ranking looks at one page at a time, so that a page keeps its neighbours when
 * something changes on another.
 */
async function contextForPages(
  pages: readonly PageUnits[],
  source: ContextSource,
  { contextBudget, meter, dialect, signal, recall }: PageContextOptions,
): Promise<PageContext> {
  const { answers, warnings } = await source.answer(pages.flatMap(({ units }) => units));
  const isRanked = contextBudget !== 'plan' && pages.length <= maxRankedPages;
  const toOpen = contextBudget === undefined ? fewFiles : undefined;
  // Requests are answered for all of them together.
  const everything = hashText(JSON.stringify(pages.map(({ units }) => units.map(asked))));
  const chosen: ChosenContext[] = [];
  for (const { units, files, tokens } of pages) {
    signal?.throwIfAborted();
    const { pieces, opened } = isRanked
      ? await source.rank(files, toOpen)
      : { pieces: [], opened: new Map() };
    const interfaces = isRanked ? await source.foreign.interfaces(files) : [];
    const shown = shownByDiff(files);
    const page = pages.length === 1 ? 0 : chosen.length + 1;
    const depends = [
      ...[contextBudget, tokens, meter.id, page, isRanked, everything],
      ...[units.map(asked), files.map(({ patch }) => patch.entry.path)],
    ];
    chosen.push(
      await recall(`chosen ${hashText(JSON.stringify(depends))}`, async () => {
        const choice = chooseContext(
          { units, requests: answers, shown, pieces, files: opened, interfaces },
          { contextBudget, diff: tokens, meter, dialect, arrange: underHeads },
        );
        return page === 0 ? choice : onPage(choice, page);
      }),
    );
  }
  const unranked = contextBudget !== 'plan' && !isRanked ? [notRanked(pages.length)] : [];
  const absent = isRanked ? await source.foreign.warnings() : [];
  return { chosen, warnings: [...warnings, ...unranked, ...absent] };
}

const pageInName = / on page (\d+)$/;

/** The same lines are the same piece on whatever page they stand. */
export const nameOfPiece = (id: string): string => id.replace(pageInName, '');

/** The zero-based page a piece was meant for; on the first where its name says none. */
export function pageNamedIn(id: string, pages: number): number {
  const named = Number(pageInName.exec(id)?.[1] ?? 1) - 1;
  return Math.min(named, Math.max(pages - 1, 0));
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

/** What a unit is given: its level, and what is searched for it. */
function asked({ unit, row }: PlannedUnit) {
  return [unit.id, row.final_context_level, row.extra_requests];
}

function notRanked(pages: number): Warning {
  return {
    code: 'CONTEXT_NOT_RANKED',
    message: `The change has ${pages} pages; beyond ${maxRankedPages} they carry what the plan asks for and no ranked neighbours.`,
    details: { pages, most: maxRankedPages },
  };
}
