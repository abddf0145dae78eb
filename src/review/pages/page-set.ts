// A change as pages in the format of chunks: everything that decides is settled first, then the pages come one at a time.
import { layOut, roomBeside } from '../../core/lay-out.js';
import type { BudgetLine } from '../../core/model/budget.js';
import type { Warning } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { PressSetup } from '../../core/model/press.js';
import { partText } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import { hashText } from '../../meters/content-hash.js';
import { createCountCache, withCountCache } from '../../meters/count-cache.js';
import { loadMeter } from '../../meters/load-meter.js';
import { type DependencyChange, dependencyLine } from '../change/lockfile-changes.js';
import type { Omission } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import { type OpenReviewOptions, openReview, type ReviewProgress } from '../change/open-review.js';
import type { ReviewRequest } from '../change/review-request.js';
import { defaultChunkTokens, defaultMeter } from '../change/review-request.js';
import { type SecretWatch, secretWatch } from '../change/safe-text.js';
import { trustedTree } from '../change/trusted-files.js';
import type { ContextBudget } from '../context/choose-context.js';
import { contextFragments } from '../context/choose-context.js';
import { contextSourceOf } from '../context/gather-context.js';
import { gatherPieces, roomTaken } from '../pieces/gather-pieces.js';
import { importanceByPath, importanceByRules } from '../pieces/line-importance.js';
import { type Accounting, accountFor, type Piece, type PieceWriter, pieceId } from '../pieces/piece.js';
import { planReview, type ReviewPlan } from '../plan/plan-review.js';
import { type ContextPlace, contextOnPages, shownContext } from './context-on-pages.js';
import { readLastingText } from './lasting-text.js';
import { type PageBody, pageDialect, pageRecipe } from './page-format.js';
import { diffFragments, linterFragments, pageScope, wrappingFragments } from './page-fragments.js';
import { defaultRuleTokens, diffCapacity, refuseEmptyPage, refuseLongRules } from './page-limits.js';
import {
  type ChunkPiece,
  choicesByPage,
  chunkPiece,
  coverageOf,
  flipWarning,
  idsOn,
  leftOutFindings,
  piecesByPage,
  refuseUnplaced,
} from './placed-pieces.js';
import { besideRules, type ShownRule } from './yielding-rules.js';

interface ReviewChunk {
  /** One-based. */
  readonly index: number;
  readonly total: number;
  readonly text: string;
  readonly tokens: number;
  readonly diffTokens: number;
  readonly files: readonly string[];
  /** What stands under Code Changes, in order. */
  readonly pieces: readonly ChunkPiece[];
  /** What stands under Context, best first; absent where none was asked for. */
  readonly context?: readonly ContextPlace[];
}

export interface PageReceipt extends Receipt {
  readonly coverage: string;
  readonly accounting: Accounting;
}

export interface PageSet {
  readonly total: number;
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly warnings: readonly Warning[];
  /** What moved inside lockfiles, when asked for. */
  readonly dependencies: readonly DependencyChange[];
  readonly pieces: readonly Piece[];
  /** The pieces of each page, in order. */
  readonly pages: readonly (readonly Piece[])[];
  readonly change: Pick<ChangeSet, 'mode' | 'baseCommit' | 'headCommit'>;
  readonly meter: Pick<Meter, 'id' | 'exact' | 'unit' | 'scale'>;
  /** In order, once. */
  chunks(): AsyncGenerator<ReviewChunk>;
  /** After the last chunk. */
  receipt(): PageReceipt;
  /** How much context each unit needs; made on demand, once, while the set is open. */
  plan(): Promise<ReviewPlan>;
}

export interface PageOptions extends OpenReviewOptions {
  readonly onProgress?: (progress: ReviewProgress) => void;
}

interface ChunkRequest extends ReviewRequest {
  /** `usual` is what a review gets when nobody says how much. */
  readonly context?: Exclude<ContextBudget, undefined> | 'usual' | undefined;
  /** Takes out what looks like a secret; without it such values are only counted. */
  readonly redact?: boolean | undefined;
}

export async function withPages<Result>(
  { context = 'none', redact = false, ...request }: ChunkRequest,
  options: PageOptions,
  work: (set: PageSet) => Promise<Result>,
): Promise<Result> {
  // A tokenizer takes as long to load as git to answer; whether there is one by that name is asked again later.
  const onOpen = () => void loadMeter(request.meter ?? defaultMeter).catch(() => {});
  return openReview(request, { ...options, onOpen }, async (opened) => {
    const contextBudget = context === 'usual' ? undefined : context;
    const { set, close } = await layPages(opened, options, { contextBudget, secrets: secretWatch(redact) });
    try {
      return await work(set);
    } finally {
      close();
    }
  });
}

async function layPages(
  opened: ReviewContext,
  { folder, onProgress }: PageOptions,
  { contextBudget, secrets }: { readonly contextBudget: ContextBudget; readonly secrets: SecretWatch },
): Promise<{ set: PageSet; close: () => void }> {
  const { request, kept, change } = opened;
  let planned: Promise<ReviewPlan> | undefined;
  const plan = () => {
    planned ??= planReview(opened);
    return planned;
  };
  // What matters most is asked only where pages are few and something has to stay out.
  const importance =
    request.maxPages === undefined ? importanceByPath : await importanceByRules(kept.length, plan);
  const raw = await loadMeter(request.meter ?? defaultMeter);
  const meter = withCountCache(raw, createCountCache());
  const lasting = await readLastingText(opened, { folder, rulesFrom: trustedTree(change) });
  refuseLongRules(lasting.rules, request.maxRuleTokens ?? defaultRuleTokens, meter);
  const wrapping = {
    rules: lasting.rules,
    ...(lasting.instructions === undefined ? {} : { instructions: lasting.instructions }),
    dependencies: lasting.dependencies.map(dependencyLine),
  };
  // The final line is known only later; numbers grow, so it gets some room to spare.
  const early = request.coverageInPrompt
    ? { coverage: `${coverageOf(kept.length, [], opened.omitted)} ${'0 '.repeat(100)}` }
    : {};
  const texts = new Map<string, string>();
  const dialect = pageDialect((id) => texts.get(id) ?? '', secrets);
  const press = { recipe: pageRecipe, dialect, meter, hash: hashText };
  const unbounded = { unit: meter.unit, n: 2 ** 40 };
  const needs = (rules: readonly ShownRule[]) =>
    roomBeside(
      press,
      { scope: pageScope, budget: { limit: unbounded } },
      wrappingFragments({ ...wrapping, rules, ...early }),
      ['code'],
    ).needed;
  const { maxChunkTokens = defaultChunkTokens, maxPromptTokens } = request;
  const limits = { maxChunkTokens, limit: maxPromptTokens };
  const write: PieceWriter = ({ text, ...source }) => [
    { text: secrets.see(pieceId(source), text, source.path) },
  ];
  const { got, shown, needed } = await besideRules({
    ...{ rules: lasting.rules, limit: maxPromptTokens, meter, needs },
    gather: async (weight) => {
      const capacity = diffCapacity(weight, limits, meter);
      const options = { folder, meter: raw, capacity, write, importance, onProgress };
      const gathered = await gatherPieces(opened, { ...options, diffAlone: contextBudget === 'none' });
      return { gathered, capacity };
    },
    outcome: ({ gathered, capacity }) => roomTaken(gathered, capacity),
    close: ({ gathered }) => gathered.textStore.close(),
  });
  const { gathered, capacity } = got;
  const { textStore, omitted } = gathered;
  // What was taken out leaves a patch that reads right and no longer applies.
  const pieces = gathered.pieces.map((piece) =>
    secrets.isIn(piece.id) ? { ...piece, applicable: false } : piece,
  );
  try {
    refuseEmptyPage(gathered, { ...limits, bare: needs([]), rules: needs(lasting.rules) - needs([]) }, meter);
    const rulesInPart = shown.rejections.length > 0;
    const coverage = coverageOf(new Set(pieces.map(({ path }) => path)).size, pieces, omitted, {
      rulesInPart,
    });
    const said = linterFragments(gathered.findings, pieces, request.linterScope ?? 'changed-lines');
    const diffs = diffFragments(pieces, {
      ...{ entries: change.entries, capacity, affinities: gathered.affinities, hitsOf: secrets.hitsOf },
    });
    const around = wrappingFragments({
      ...{ ...wrapping, rules: shown.rules },
      ...(request.coverageInPrompt ? { coverage } : {}),
    });
    const lay = (context: typeof around, lines: readonly BudgetLine[]) => {
      // Without a limit for whole pages, everything that goes along has room.
      const beside = [...said, ...context].reduce((sum, fragment) => sum + weightOf(fragment, press), 0);
      const n = maxPromptTokens ?? amountOf(meter, needed + beside).n + maxChunkTokens;
      const budget = { limit: { unit: meter.unit, n }, spread: maxChunkTokens, lines };
      return layOut(press, { scope: pageScope, budget }, [...around, ...diffs, ...said, ...context]);
    };
    let layout = lay([], []);
    const context =
      contextBudget === 'none' || pieces.length === 0
        ? undefined
        : await contextOnPages(contextSourceOf(opened, await plan(), contextBudget), await plan(), {
            ...{ contextBudget, meter, dialect: press.dialect, pages: piecesByPage(layout, pieces) },
            signal: opened.signal,
            recall: opened.recall,
          });
    if (context !== undefined)
      layout = lay(
        context.chosen.flatMap(({ pieces: chosen }, page) =>
          contextFragments(chosen, (piece, at) => ({
            ...{ section: 'context', scope: pageScope, position: page * 1e6 + at },
            beside: context.blockOf(piece, page).piece ?? '',
          })),
        ),
        context.lines,
      );
    const warnings = [
      ...gathered.warnings,
      ...shown.warnings,
      ...lasting.warnings,
      ...flipWarning(gathered.flips),
      ...(context?.warnings ?? []),
      ...leftOutFindings(layout.choices),
      ...secrets.warnings(new Set(pieces.length === 0 ? [] : idsOn(layout))),
    ];
    refuseUnplaced(layout.choices);
    const onPage = pieces.length === 0 ? [] : piecesByPage(layout, pieces);
    const total = onPage.length;
    const chosen = choicesByPage(layout);
    const set: PageSet = {
      total,
      omitted,
      coverage,
      warnings,
      dependencies: lasting.dependencies,
      pieces,
      pages: onPage,
      change,
      meter: raw,
      async *chunks() {
        for (let page = 0; page < total; page += 1) {
          opened.signal?.throwIfAborted();
          const own = onPage[page] ?? [];
          for (const { id, blocks } of own)
            texts.set(id, blocks.map(({ place }) => textStore.read(place).toString('utf8')).join(''));
          const composed = layout.set(page);
          texts.clear();
          onProgress?.({ stage: 'setting', done: page + 1, total });
          const diff = own.reduce((sum, { weight }) => sum + weight, 0);
          yield {
            index: page + 1,
            total,
            text: partText(composed, 'prompt'),
            tokens: amountOf(meter, composed.weight).n,
            diffTokens: amountOf(meter, diff).n,
            files: [...new Set(own.map(({ path }) => path))],
            pieces: own.map(chunkPiece),
            ...(context === undefined ? {} : { context: shownContext(chosen[page] ?? []) }),
          };
        }
      },
      receipt: () =>
        layout.seal({
          warnings,
          facts: { coverage, accounting: accountFor(pieces, omitted) },
          rejections: [
            ...shown.rejections,
            ...(context?.chosen.flatMap(({ rejections }) => rejections) ?? []),
          ],
        }) as PageReceipt,
      plan,
    };
    return { set, close: () => textStore.close() };
  } catch (error) {
    textStore.close();
    throw error;
  }
}

function weightOf(
  fragment: Fragment<PageBody>,
  { dialect, meter }: Pick<PressSetup<PageBody>, 'dialect' | 'meter'>,
): number {
  const body = fragment.levels[0]?.body;
  return body === undefined ? 0 : meter.weigh(dialect.word(body, fragment, 1)) + meter.scale;
}

export interface ReviewChunks {
  readonly chunks: readonly ReviewChunk[];
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly warnings: readonly Warning[];
  /** Present when a summary of lockfiles was asked for. */
  readonly dependencies?: readonly DependencyChange[];
  readonly receipt: PageReceipt;
}

/** All pages at once, for callers that want them in one answer. */
export async function reviewChunks(request: ChunkRequest, options: PageOptions): Promise<ReviewChunks> {
  return withPages(request, options, async (set) => {
    const chunks: ReviewChunk[] = [];
    for await (const chunk of set.chunks()) chunks.push(chunk);
    const { omitted, coverage, warnings } = set;
    const moved = request.lockfileSummary ? { dependencies: set.dependencies } : {};
    return { chunks, omitted, coverage, warnings, ...moved, receipt: set.receipt() };
  });
}
