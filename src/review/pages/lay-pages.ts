// Where everything of a change will stand, before any page is written: the rules and the change share the room, and context takes what
// is left of each page.
import { type Layout, layOut, roomBeside } from '../../core/lay-out.js';
import type { BudgetLine } from '../../core/model/budget.js';
import type { Warning } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { PressSetup } from '../../core/model/press.js';
import type { Rejection } from '../../core/model/receipt.js';
import { hashText } from '../../meters/content-hash.js';
import { createCountCache, withCountCache } from '../../meters/count-cache.js';
import { loadMeter } from '../../meters/load-meter.js';
import { type DependencyChange, dependencyLine } from '../change/lockfile-changes.js';
import type { Omission } from '../change/omission.js';
import type { ReviewContext, ReviewProgress } from '../change/open-review.js';
import { defaultChunkTokens, defaultMeter } from '../change/review-request.js';
import type { SecretWatch } from '../change/safe-text.js';
import { trustedTree } from '../change/trusted-files.js';
import type { ContextBudget } from '../context/choose-context.js';
import { contextFragments } from '../context/choose-context.js';
import { contextSourceOf } from '../context/gather-context.js';
import { type GatheredPieces, gatherPieces, roomTaken } from '../pieces/gather-pieces.js';
import { importanceByPath, importanceByRules, type LineImportance } from '../pieces/line-importance.js';
import { type Piece, type PieceWriter, pieceId } from '../pieces/piece.js';
import type { TempTextStore } from '../pieces/temp-text-store.js';
import type { ReviewPlan } from '../plan/plan-review.js';
import { type ContextOnPages, contextOnPages } from './context-on-pages.js';
import { readLastingText } from './lasting-text.js';
import { type PageBody, pageDialect, pageRecipe } from './page-format.js';
import {
  diffFragments,
  linterFragments,
  pageScope,
  type Wrapping,
  wrappingFragments,
} from './page-fragments.js';
import { defaultRuleTokens, diffCapacity, refuseEmptyPage, refuseLongRules } from './page-limits.js';
import {
  coverageOf,
  flipWarning,
  idsOn,
  leftOutFindings,
  piecesByPage,
  refuseUnplaced,
} from './placed-pieces.js';
import { besideRules, type ShownRule, type ShownRules } from './yielding-rules.js';

export interface LayOptions {
  /** Where relative paths of the request start. */
  readonly folder: string;
  readonly contextBudget: ContextBudget;
  readonly secrets: SecretWatch;
  plan(): Promise<ReviewPlan>;
  readonly onProgress?: ((progress: ReviewProgress) => void) | undefined;
}

export interface LaidPages {
  readonly layout: Layout;
  readonly pieces: readonly Piece[];
  /** The pieces of each page, in order. */
  readonly pages: readonly (readonly Piece[])[];
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly warnings: readonly Warning[];
  /** What was turned away before there was a layout. */
  readonly rejections: readonly Rejection[];
  readonly dependencies: readonly DependencyChange[];
  readonly hasContext: boolean;
  readonly meter: Meter;
  /** The words of pieces, put aside. */
  readonly textStore: TempTextStore;
  /** By piece, the words of the page that is being set. */
  readonly texts: Map<string, string>;
}

export async function layPages(opened: ReviewContext, options: LayOptions): Promise<LaidPages> {
  const { request, kept, change } = opened;
  const { folder, secrets, plan } = options;
  // What matters most is asked only where pages are few and something has to stay out.
  const importance =
    request.maxPages === undefined ? importanceByPath : await importanceByRules(kept.length, plan);
  const counting = await loadMeter(request.meter ?? defaultMeter);
  const meter = withCountCache(counting, createCountCache());
  const lasting = await readLastingText(opened, { folder, rulesFrom: trustedTree(change) });
  refuseLongRules(lasting.rules, request.maxRuleTokens ?? defaultRuleTokens, meter);
  const wrapping: Wrapping = {
    rules: lasting.rules,
    ...(lasting.instructions === undefined ? {} : { instructions: lasting.instructions }),
    dependencies: lasting.dependencies.map(dependencyLine),
  };
  const texts = new Map<string, string>();
  const dialect = pageDialect((id) => texts.get(id) ?? '', secrets);
  const press = { recipe: pageRecipe, dialect, meter, hash: hashText };
  const gathered = await gatherBesideRules(opened, { ...options, press, counting, wrapping, importance });
  const { textStore, omitted } = gathered;
  try {
    // What was taken out leaves a patch that reads right and no longer applies.
    const pieces = gathered.pieces.map((piece) =>
      secrets.isIn(piece.id) ? { ...piece, applicable: false } : piece,
    );
    const rulesInPart = gathered.shown.rejections.length > 0;
    const files = new Set(pieces.map(({ path }) => path)).size;
    const coverage = coverageOf(files, pieces, omitted, { rulesInPart });
    const around = {
      ...{ ...wrapping, rules: gathered.shown.rules },
      ...(request.coverageInPrompt ? { coverage } : {}),
    };
    const { layout, context } = await layWithContext(opened, {
      ...options,
      ...{ press, pieces, gathered, around },
    });
    const warnings = [
      ...gathered.warnings,
      ...gathered.shown.warnings,
      ...lasting.warnings,
      ...flipWarning(gathered.flips),
      ...(context?.warnings ?? []),
      ...leftOutFindings(layout.choices),
      ...secrets.warnings(new Set(pieces.length === 0 ? [] : idsOn(layout))),
    ];
    refuseUnplaced(layout.choices);
    const rejections = [
      ...gathered.shown.rejections,
      ...(context?.chosen.flatMap(({ rejections: turnedAway }) => turnedAway) ?? []),
    ];
    return {
      ...{ layout, pieces, omitted, coverage, warnings, rejections, meter, textStore, texts },
      pages: pieces.length === 0 ? [] : piecesByPage(layout, pieces),
      dependencies: lasting.dependencies,
      hasContext: context !== undefined,
    };
  } catch (error) {
    textStore.close();
    throw error;
  }
}

type PagePress = PressSetup<PageBody>;

interface GatherBesideOptions extends LayOptions {
  readonly press: PagePress;
  /** Without a memory of its own, for what is counted once. */
  readonly counting: Meter;
  readonly wrapping: Wrapping;
  readonly importance: LineImportance;
}

interface GatheredBeside extends GatheredPieces {
  readonly shown: ShownRules;
  /** Weight of everything that stands on every page. */
  readonly needed: number;
  /** Weight of the diff of one page. */
  readonly capacity: number;
}

/** The change, beside as much of the rules as leaves room for it. */
async function gatherBesideRules(
  opened: ReviewContext,
  { folder, onProgress, contextBudget, secrets, press, counting, wrapping, importance }: GatherBesideOptions,
): Promise<GatheredBeside> {
  const { request, kept } = opened;
  const { meter } = press;
  const { rules } = wrapping;
  const limits = {
    maxChunkTokens: request.maxChunkTokens ?? defaultChunkTokens,
    limit: request.maxPromptTokens,
  };
  // The final line is known only later; numbers grow, so it gets some room to spare.
  const early = request.coverageInPrompt
    ? { coverage: `${coverageOf(kept.length, [], opened.omitted)} ${'0 '.repeat(100)}` }
    : {};
  const unbounded = { unit: meter.unit, n: 2 ** 40 };
  const needs = (some: readonly ShownRule[]) =>
    roomBeside(
      press,
      { scope: pageScope, budget: { limit: unbounded } },
      wrappingFragments({ ...wrapping, rules: some, ...early }),
      ['code'],
    ).needed;
  const write: PieceWriter = ({ text, ...source }) => [
    { text: secrets.see(pieceId(source), text, source.path) },
  ];
  const { got, shown, needed } = await besideRules({
    ...{ rules, limit: limits.limit, meter, needs },
    gather: async (weight) => {
      const capacity = diffCapacity(weight, limits, meter);
      const gathered = await gatherPieces(opened, {
        ...{ folder, meter: counting, capacity, write, importance, onProgress },
        diffAlone: contextBudget === 'none',
      });
      return { gathered, capacity };
    },
    outcome: ({ gathered, capacity }) => roomTaken(gathered, capacity),
    close: ({ gathered }) => gathered.textStore.close(),
  });
  try {
    const bare = needs([]);
    refuseEmptyPage(got.gathered, { ...limits, bare, rules: needs(rules) - bare }, meter);
  } catch (error) {
    got.gathered.textStore.close();
    throw error;
  }
  return { ...got.gathered, shown, needed, capacity: got.capacity };
}

interface ContextOptions extends LayOptions {
  readonly press: PagePress;
  readonly pieces: readonly Piece[];
  readonly gathered: GatheredBeside;
  readonly around: Wrapping;
}

/** First the diffs alone, then once more with the context that the pieces of each page ask for. */
async function layWithContext(
  opened: ReviewContext,
  { press, pieces, gathered, around, contextBudget, secrets, plan }: ContextOptions,
): Promise<{ readonly layout: Layout; readonly context: ContextOnPages | undefined }> {
  const { request } = opened;
  const { meter, dialect } = press;
  const { capacity, needed } = gathered;
  const said = linterFragments(gathered.findings, pieces, request.linterScope ?? 'changed-lines');
  const diffs = diffFragments(pieces, {
    ...{ entries: opened.change.entries, capacity, affinities: gathered.affinities, hitsOf: secrets.hitsOf },
  });
  const wrapped = wrappingFragments(around);
  const { maxChunkTokens = defaultChunkTokens, maxPromptTokens } = request;
  const lay = (context: readonly Fragment<PageBody>[], lines: readonly BudgetLine[]) => {
    // Without a limit for whole pages, everything that goes along has room.
    const beside = [...said, ...context].reduce((sum, fragment) => sum + weightOf(fragment, press), 0);
    const n = maxPromptTokens ?? amountOf(meter, needed + beside).n + maxChunkTokens;
    const budget = { limit: { unit: meter.unit, n }, spread: maxChunkTokens, lines };
    return layOut(press, { scope: pageScope, budget }, [...wrapped, ...diffs, ...said, ...context]);
  };
  const bare = lay([], []);
  if (contextBudget === 'none' || pieces.length === 0) return { layout: bare, context: undefined };
  const planned = await plan();
  const context = await contextOnPages(contextSourceOf(opened, planned, contextBudget), planned, {
    ...{ contextBudget, meter, dialect, pages: piecesByPage(bare, pieces) },
    signal: opened.signal,
    recall: opened.recall,
  });
  const fragments = context.chosen.flatMap(({ pieces: chosen }, page) =>
    contextFragments(chosen, (piece, at) => ({
      ...{ section: 'context', scope: pageScope, position: page * 1e6 + at },
      beside: context.blockOf(piece, page).piece ?? '',
    })),
  );
  return { layout: lay(fragments, context.lines), context };
}

function weightOf(fragment: Fragment<PageBody>, { dialect, meter }: PagePress): number {
  const body = fragment.levels[0]?.body;
  return body === undefined ? 0 : meter.weigh(dialect.word(body, fragment, 1)) + meter.scale;
}
