// Merged pull requests reviewed once more, with context and without, against what people said then and what had to be fixed later.
// Nothing is ever posted: of a host only reading calls are made.
import { type ErrorCode, GalleyError, isGalleyError, type Warning } from '../../core/model/error.js';
import { builtInCatalog } from '../../models/catalog/catalog.js';
import { estimateOf } from '../run/prepare-pages.js';
import { reviewRunRequest } from '../run/run-request.js';
import { previewReview, type RunContext, runReview } from '../run/run-review.js';
import type { ShownRange } from '../units/snippet.js';
import { type FindContext, findChanges, type PastChange, type PastChanges } from './find-changes.js';
import { laterHistory, laterLimits } from './later-history.js';
import { type Place, scoreFindings, shownPlaces } from './places.js';
import type { ReplayRequest } from './replay-request.js';
import { type Replay, type ReplayedPull, type ReplaySide, totalOf } from './replay-result.js';

export interface ReplayContext extends FindContext, Omit<RunContext, 'onProgress' | 'onEstimate'> {
  onPull?(pull: ReplayedPull, done: number, total: number): void;
}

/** Git failed for one change; the others may be fine. */
const ofOneChange: ReadonlySet<ErrorCode> = new Set([
  ...(['REVISION_NOT_FOUND', 'NO_MERGE_BASE', 'GIT_FAILED'] as const),
  ...(['MODEL_UNAVAILABLE', 'MODEL_REFUSED', 'MODEL_ANSWER_INVALID', 'TIMEOUT'] as const),
]);
const mostFailuresInARow = 3;

export async function replayPulls(request: ReplayRequest, context: ReplayContext): Promise<Replay> {
  // Refuses before anything is read when there is no such model.
  const model = request.dryRun ? undefined : await context.model(request.model);
  const past = await findChanges(request, context);
  try {
    const laterOf = laterHistory(past.repository, context.signal);
    const pulls: ReplayedPull[] = [];
    const skipped: Replay['skipped'][number][] = [];
    const purse = { left: request.maxCost };
    let failures: GalleyError[] = [];
    let left = 0;
    for (const [at, change] of past.changes.entries()) {
      try {
        const pull = await replayOne(change, { request, context, past, purse, laterOf });
        failures = [];
        pulls.push(pull);
        context.onPull?.(pull, at + 1, past.changes.length);
      } catch (error) {
        if (!isGalleyError(error)) throw error;
        if (error.code === 'COST_CEILING_REACHED' && pulls.length > 0) {
          left = past.changes.length - at;
          break;
        }
        failures.push(error);
        if (!ofOneChange.has(error.code) || failures.length >= mostFailuresInARow) throw error;
        const { number, head } = change;
        skipped.push({ ...(number === undefined ? {} : { number }), head, code: error.code });
      }
    }
    const named = model?.id ?? request.model;
    return {
      ...{ source: past.source, pulls, skipped, left, within: laterLimits },
      ...(named === undefined ? {} : { model: named }),
      total: totalOf(pulls),
      warnings: past.source === 'history' && !request.local ? [noHost] : [],
    };
  } finally {
    await past.close();
  }
}

const noHost: Warning = {
  code: 'REPLAY_FROM_HISTORY',
  message:
    'No host of pull requests is set up here, so they are taken from the history, without what people commented.',
};

interface ReplaySetup {
  readonly request: ReplayRequest;
  readonly context: ReplayContext;
  readonly past: PastChanges;
  /** What may still be spent. */
  readonly purse: { left: number | undefined };
  laterOf: ReturnType<typeof laterHistory>;
}

async function replayOne(change: PastChange, setup: ReplaySetup): Promise<ReplayedPull> {
  const later = await setup.laterOf(change);
  const places = [...change.comments, ...later.places];
  const withContext = await replaySide(change, places, { ...setup, side: setup.request.context });
  const withoutContext = await replaySide(change, places, { ...setup, side: 'none' });
  const { number, title, base, head } = change;
  return {
    ...(number === undefined ? {} : { number }),
    ...{ title, base, head, fixes: later.fixes },
    places: { comments: change.comments.length, fixes: later.places.length },
    ...{ withContext, withoutContext },
  };
}

async function replaySide(
  { base, head, intent }: PastChange,
  places: readonly Place[],
  {
    request: { repo: _, last: __, local: ___, maxCost: ____, ...request },
    context,
    past,
    purse,
    side,
  }: ReplaySetup & { readonly side: ReplayRequest['context'] | 'none' },
): Promise<ReplaySide> {
  const asked = reviewRunRequest.parse({
    ...request,
    ...{ mode: 'pr', repo: past.folder, base, head, context: side },
    ...(intent === undefined ? {} : { intent }),
    // What a reviewer asks for would be context again.
    ...(side === 'none' ? { followUps: 0 } : {}),
  });
  const { folder, signal, catalog = builtInCatalog } = context;
  const lent = { open: async () => past.repository, close: async () => {} };
  // What a first review sends, whatever is kept from earlier ones.
  const seen = await previewReview(
    { ...asked, fresh: true, dryRun: true },
    { ...{ folder, signal, catalog, lent } },
    async ({ set, review }) => ({
      estimate: estimateOf(review, asked.model ?? '', catalog),
      lines: set.pages.flatMap((_pieces, page): readonly ShownRange[] => set.linesOn(page)),
    }),
  );
  const { pages, inputTokens, dollars } = seen.estimate;
  const facts = {
    ...{ pages, inputTokens, shown: shownPlaces(places, seen.lines).length },
    ...(dollars === undefined ? {} : { inputDollars: dollars }),
  };
  if (asked.dryRun || pages === 0) return facts;
  if (purse.left !== undefined && purse.left <= 0) throw ceilingReached();
  const run = await runReview(
    { ...asked, ...(purse.left === undefined ? {} : { maxCost: purse.left }) },
    { ...context, answers: context.answers ?? past.home },
  );
  if (run.dryRun) return facts;
  const { calls, dollars: spent } = run.spent;
  if (purse.left !== undefined) purse.left -= spent ?? 0;
  // Half a review is not comparable; what was answered is kept for the next run.
  if (run.missing.some(({ code }) => code === 'COST_CEILING_REACHED')) throw ceilingReached();
  const findings = run.findings.map(({ finding }) => finding);
  return {
    ...facts,
    review: {
      ...scoreFindings(findings, places),
      ...{ complete: run.complete, calls },
      ...(spent === undefined ? {} : { dollars: spent }),
    },
  };
}

function ceilingReached(): GalleyError {
  return new GalleyError('COST_CEILING_REACHED', 'The ceiling is reached; raise it to go on from here.', {
    details: {},
  });
}
