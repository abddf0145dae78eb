// A change as the pages a reviewer gets: the diffs are placed first, then each page takes the context it has room for. What is set
// here is what is shown, sealed and sent.

import { type PieceWish, wished } from '../../core/admit/wished.js';
import { layOutPriced, priceCandidates, roomBeside } from '../../core/lay-out.js';
import type { BudgetLine } from '../../core/model/budget.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { Fragment } from '../../core/model/fragment.js';
import { type Meter, weightOf } from '../../core/model/meter.js';
import { hashText } from '../../meters/content-hash.js';
import { type Placement, placed } from '../../models/contract/placement.js';
import type { ReviewContext } from '../change/open-review.js';
import { defaultChunkTokens } from '../change/review-request.js';
import type { ContextBudget } from '../context/choose-context.js';
import { contextSourceOf } from '../context/gather-context.js';
import { contextOnPages, nameOfPiece } from '../pages/context-on-pages.js';
import { readLastingText } from '../pages/lasting-text.js';
import { linterFragments } from '../pages/page-fragments.js';
import type { PageLimit } from '../pages/page-limits.js';
import {
  defaultRuleTokens,
  diffCapacity,
  refuseEmptyPage,
  refuseLongRules,
  refuseSmallPage,
} from '../pages/page-limits.js';
import { coverageOf, flipWarning, piecesByPage } from '../pages/placed-pieces.js';
import { besideRules, type ShownRule } from '../pages/yielding-rules.js';
import { relatePieces, roomTaken } from '../pieces/gather-pieces.js';
import { importanceByPath, importanceByRules } from '../pieces/line-importance.js';
import { type ReviewPlan, type UnitsByPath, unitsByPath } from '../plan/plan-review.js';
import { blockFragments, contextAt, findingsAt } from './block-fragments.js';
import { changeMap } from './change-map.js';
import { type CleanRecord, cleanRecord } from './clean-record.js';
import { type Intent, intentOfChange, intentWords } from './intent.js';
import { laidReview, type SetReview } from './laid-review.js';
import {
  continuedRecipe,
  lastingFragments,
  type ReviewBody,
  reviewDialect,
  reviewRecipe,
  reviewScope,
} from './review-page.js';
import { type Fence, fenceOf, type ReaderTask } from './reviewer-system.js';
import { steadyParts, type Typeset } from './steady-parts.js';
import { type ReadTickets, readTickets } from './tickets.js';
import { writtenPieces } from './written-pieces.js';

/** The limit of a page bounds system text and form of the answer, too. */
interface SetReviewOptions extends PageLimit {
  readonly folder: string;
  readonly meter: Meter;
  readonly task: ReaderTask;
  readonly placement: Placement;
  /** Tokens of what may be asked about the answer. */
  readonly again: number;
  /** Another message follows in the conversation about a page: a provider should keep all of it. */
  readonly isContinued: boolean;
  readonly context: ContextBudget;
  /** Pieces beside the diff that somebody wants to see there, or not. */
  readonly wish: PieceWish;
  readonly intent?: Intent | undefined;
  /** Files of which nothing needs to be seen. */
  readonly skipped: ReadonlySet<string>;
  /** Zero-based page of each path in the run before. */
  readonly stood?: ReadonlyMap<string, number> | undefined;
}

interface Around {
  readonly rules: readonly ShownRule[];
  readonly map: string;
  readonly coverage: string | undefined;
}

const noUnits: UnitsByPath = new Map();
/** What a map may take of a page. */
const mapShare = 0.05;

export async function setReview(
  opened: ReviewContext,
  planned: ReviewPlan | undefined,
  options: SetReviewOptions,
): Promise<SetReview> {
  const { change, recall } = opened;
  const seed = change.baseCommit ?? change.oldTree;
  const first = fenceOf(seed);
  const intent = options.intent ?? (await recall('intent', () => intentOfChange(opened)));
  const tickets = await recall(`tickets ${JSON.stringify(intent)}`, () => readTickets(opened, intent));
  const set = await setInside(opened, planned, { ...options, intent, tickets, fence: first });
  if (!set.isForeseen()) return set;
  // Somebody has written the id into the change: the next one follows from all of it, which no part of it can hold.
  set.close();
  const next = fenceOf(
    JSON.stringify([seed, change.newTree, change.headCommit, hashText(JSON.stringify([intent, tickets]))]),
  );
  return setInside(opened, planned, { ...options, intent, tickets, fence: next });
}

async function setInside(
  opened: ReviewContext,
  planned: ReviewPlan | undefined,
  options: SetReviewOptions & {
    readonly intent: Intent;
    readonly tickets: ReadTickets;
    readonly fence: Fence;
  },
): Promise<SetReview & { isForeseen(): boolean }> {
  const { request, kept, change, recall } = opened;
  const { meter, fence, skipped } = options;
  const steady = await recall('steady parts', async () => steadyParts());
  const pressOf = (texts: ReadonlyMap<string, string>, record: CleanRecord) =>
    placed(
      {
        recipe: options.isContinued ? continuedRecipe : reviewRecipe,
        dialect: reviewDialect({
          blockOf: (id) => texts.get(id) ?? '',
          onClean: ({ id }, clean) => record.note(id, clean),
          ...(opened.isHeld ? steady : {}),
        }),
        meter,
        hash: hashText,
      },
      options.placement,
    );
  const press = pressOf(new Map(), cleanRecord(fence));
  const units = planned === undefined ? noUnits : unitsByPath(planned);
  const intent = intentWords(options.intent, options.tickets.tickets);
  const said = await recall('lasting text', () =>
    readLastingText(opened, { folder: options.folder, rulesFrom: change.oldTree }),
  );
  refuseLongRules(said.rules, request.maxRuleTokens ?? defaultRuleTokens, meter);
  const reserve = Math.min(options.again, Math.floor(options.limit / 4));
  const usable = options.limit - reserve;
  const around = ({ rules, map, coverage }: Around) =>
    lastingFragments({
      ...{ system: options.task.system, answer: options.placement.answer, fence, map, coverage },
      said: { ...said, rules },
      closing: options.task.closing,
      intent: intent.text,
    });
  const mapLimit = Math.floor(weightOf(meter, usable) * mapShare);
  const budget = { limit: { unit: meter.unit, n: options.limit }, reserve };
  const early = request.coverageInPrompt
    ? coverageOf(kept.length, [], opened.omitted) + ' 0'.repeat(100)
    : undefined;
  const needs = (rules: readonly ShownRule[]) =>
    roomBeside(press, { scope: reviewScope, budget }, around({ rules, map: '', coverage: early }), [
      'change',
      'map',
    ]).needed;
  refuseSmallPage(needs(said.rules), { ...options, mapShare }, meter);
  const { maxChunkTokens = defaultChunkTokens } = request;
  const limits = { maxChunkTokens, limit: usable, limitedBy: options.limitedBy };
  const seen = { ...opened, kept: kept.filter(({ path }) => !skipped.has(path)) };
  const plan = planned === undefined ? undefined : async () => planned;
  const source =
    planned === undefined || options.context === 'none'
      ? undefined
      : await recall('context source', async () => contextSourceOf(opened, planned, options.context));
  const importance =
    request.maxPages === undefined || plan === undefined
      ? importanceByPath
      : await importanceByRules(kept.length, plan);
  const write = { folder: options.folder, meter, importance, units, fence };
  const mapped = (rules: readonly ShownRule[]) => needs(rules) + mapLimit;
  const { got, shown } = await besideRules({
    ...{ rules: said.rules, limit: usable, meter, needs: mapped },
    gather: async (weight) => {
      const capacity = diffCapacity(weight, limits, meter);
      const room = weightOf(meter, usable) - weight;
      return { written: await writtenPieces(seen, { ...write, capacity, room }), capacity, room };
    },
    outcome: ({ written, capacity, room }) => roomTaken(written.read, capacity, room),
    close: ({ written }) => written.close(),
  });
  const { written, capacity } = got;
  const gathered = await relatePieces(seen, written.read, capacity);
  const { pieces, omitted } = gathered;
  try {
    const bare = mapped([]);
    refuseEmptyPage(gathered, { ...limits, bare, rules: mapped(said.rules) - bare }, meter);
    const rulesInPart = shown.rejections.length > 0;
    const files = new Set(pieces.map(({ path }) => path)).size;
    const coverage = coverageOf(files, pieces, omitted, { rulesInPart });
    const statusOf = new Map(change.entries.map(({ path, status }) => [path, status]));
    const facts = { pieces, units, omitted, statusOf: (path: string) => statusOf.get(path) ?? 'modified' };
    const affinities = JSON.stringify([...gathered.affinities]);
    const stood = options.stood === undefined ? '' : digestOf(options.stood);
    const blocks = steady.blocks([pieces, affinities, units, written.record, stood], () =>
      blockFragments(gathered, { units, stood: options.stood, record: written.record }),
    );
    const lasting = around({
      ...{ rules: shown.rules, map: changeMap(facts, mapLimit, meter) },
      coverage: request.coverageInPrompt ? coverage : undefined,
    });
    const linted = findingsAt(
      linterFragments(gathered.findings, pieces, request.linterScope ?? 'changed-lines'),
      blocks,
    );
    let handled = wished(linted, options.wish, nameOfPiece);
    const asked = JSON.stringify([lasting, linted, options.wish, options.placement, options.isContinued]);
    const typesetOf = (snippets: readonly (readonly Fragment<ReviewBody>[])[]) =>
      steady.typeset([meter, fence.open, written.record, asked, blocks, ...snippets], () => {
        const [texts, record] = [new Map<string, string>(), cleanRecord(fence, written.record)];
        const own = pressOf(texts, record);
        const candidates = [...lasting, ...blocks, ...handled.offered];
        return { texts, record, press: own, priced: priceCandidates(own, reviewScope, candidates) };
      });
    const lay = ({ press: own, priced }: Typeset, lines: readonly BudgetLine[]) =>
      layOutPriced(own, { scope: reviewScope, budget: { ...budget, spread: maxChunkTokens, lines } }, priced);
    let typeset = typesetOf([]);
    let layout = lay(typeset, []);
    const placedPieces = piecesByPage(layout, pieces);
    const context =
      planned === undefined || source === undefined || pieces.length === 0
        ? undefined
        : await contextOnPages(source, planned, {
            ...{
              contextBudget: options.context,
              meter,
              dialect: press.dialect as never,
              signal: opened.signal,
              recall,
            },
            pages: placedPieces,
          });
    if (context !== undefined) {
      const snippets = context.chosen.map((chosen, page) =>
        steady.snippets(chosen, [blocks, ...(placedPieces[page] ?? [])], () =>
          contextAt(chosen, blocks, (piece) => context.blockOf(piece, page)),
        ),
      );
      handled = wished([...linted, ...snippets.flat()], options.wish, nameOfPiece);
      typeset = typesetOf(snippets);
      layout = lay(typeset, context.lines);
    }
    const laid = {
      ...{ typeset, layout, gathered, written, context, handled, units, stood },
      coverage,
      shown,
    };
    const warnings = [
      ...gathered.warnings,
      ...shown.warnings,
      ...said.warnings,
      ...intent.warnings,
      ...options.tickets.warnings,
      ...flipWarning(gathered.flips),
    ];
    return { ...laidReview({ ...laid, warnings }), isForeseen: () => typeset.record.holdsFence() };
  } catch (error) {
    written.close();
    throw error;
  }
}

function digestOf(stood: ReadonlyMap<string, number>): string {
  return hashText(JSON.stringify([...stood].sort(([a], [b]) => byCodePoint(a, b)))).slice(0, 32);
}
