// A change as pages in the format of chunks: everything that decides is settled first, then the pages come one at a time.
import type { Warning } from '../../core/model/error.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import { partText } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import { loadMeter } from '../../meters/load-meter.js';
import type { DependencyChange } from '../change/lockfile-changes.js';
import type { Omission } from '../change/omission.js';
import {
  type OpenReviewOptions,
  openReview,
  type ReviewContext,
  type ReviewProgress,
} from '../change/open-review.js';
import type { ReviewRequest } from '../change/review-request.js';
import { defaultMeter } from '../change/review-request.js';
import { secretWatch } from '../change/safe-text.js';
import type { ContextBudget } from '../context/choose-context.js';
import { type Accounting, accountFor, type Piece } from '../pieces/piece.js';
import { planReview, type ReviewPlan } from '../plan/plan-review.js';
import { type ContextPlace, shownContext } from './context-on-pages.js';
import { type LaidPages, type LayOptions, layPages } from './lay-pages.js';
import { type ChunkPiece, choicesByPage, chunkPiece } from './placed-pieces.js';

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
  const { folder, onProgress } = options;
  // A tokenizer takes as long to load as git to answer; whether there is one by that name is asked again later.
  const onOpen = () => void loadMeter(request.meter ?? defaultMeter).catch(() => {});
  return openReview(request, { ...options, onOpen }, async (opened) => {
    let planned: Promise<ReviewPlan> | undefined;
    const plan = () => {
      planned ??= planReview(opened);
      return planned;
    };
    const contextBudget = context === 'usual' ? undefined : context;
    const secrets = secretWatch(redact);
    const laid = await layPages(opened, { folder, contextBudget, secrets, plan, onProgress });
    try {
      return await work(pageSet(opened, laid, { plan, onProgress }));
    } finally {
      laid.textStore.close();
    }
  });
}

function pageSet(
  { change, signal }: ReviewContext,
  laid: LaidPages,
  { plan, onProgress }: Pick<LayOptions, 'plan' | 'onProgress'>,
): PageSet {
  const { layout, pieces, pages, omitted, coverage, warnings, rejections, meter, textStore, texts } = laid;
  const total = pages.length;
  const chosen = choicesByPage(layout);
  return {
    ...{ total, omitted, coverage, warnings, pieces, pages, change, meter, plan },
    dependencies: laid.dependencies,
    async *chunks() {
      for (let page = 0; page < total; page += 1) {
        signal?.throwIfAborted();
        const own = pages[page] ?? [];
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
          ...(laid.hasContext ? { context: shownContext(chosen[page] ?? []) } : {}),
        };
      }
    },
    receipt: () =>
      layout.seal({
        warnings,
        facts: { coverage, accounting: accountFor(pieces, omitted) },
        rejections,
      }) as PageReceipt,
  };
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
