// A change as the pages a reviewer gets: the diffs are placed first, then each page takes the context it has room for. What is set
// here is what is shown, sealed and sent.

import { type CleanText, cleanText } from '../../cleaning/clean-text.js';
import { type PieceWish, wished } from '../../core/admit/wished.js';
import { type Layout, layOutPriced, priceCandidates, roomBeside } from '../../core/lay-out.js';
import type { BudgetLine } from '../../core/model/budget.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { type Meter, weightOf } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Page } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import { hashText } from '../../meters/content-hash.js';
import { type Placement, placed } from '../../models/contract/placement.js';
import type { Omission } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import { defaultChunkTokens } from '../change/review-request.js';
import { printablePath } from '../change/safe-text.js';
import type { ContextBudget } from '../context/choose-context.js';
import { levelsShown, loweredWarning } from '../context/choose-context.js';
import { contextSourceOf } from '../context/gather-context.js';
import {
  type ContextOnPages,
  type ContextPlace,
  contextOnPages,
  nameOfPiece,
  pageNamedIn,
  shownContext,
} from '../pages/context-on-pages.js';
import { readLastingText } from '../pages/lasting-text.js';
import { linterFragments } from '../pages/page-fragments.js';
import type { PageLimit } from '../pages/page-limits.js';
import { defaultRuleTokens, diffCapacity, refuseLongRules, refuseSmallPage } from '../pages/page-limits.js';
import {
  choicesByPage,
  coverageOf,
  flipWarning,
  idsOn,
  leftOutFindings,
  piecesByPage,
  refuseUnplaced,
} from '../pages/placed-pieces.js';
import { areWhole, readPieces, relatePieces } from '../pieces/gather-pieces.js';
import { importanceByPath, importanceByRules } from '../pieces/line-importance.js';
import {
  type Accounting,
  accountFor,
  type Piece,
  type PieceWriter,
  pieceId,
  type SideRange,
  shownSpans,
} from '../pieces/piece.js';
import { type ReviewPlan, type UnitsByPath, unitsByPath } from '../plan/plan-review.js';
import type { ShownRange } from '../units/snippet.js';
import { blockFragments, blockId, contextAt, findingsAt } from './block-fragments.js';
import { changeMap, type FileShown, filesShown } from './change-map.js';
import { type CleanRecord, cleanDiff, cleanRecord } from './clean-record.js';
import { type Intent, intentOfChange, intentWords } from './intent.js';
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
import { unitBlocks } from './unit-blocks.js';

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

export interface SetReview {
  readonly pages: readonly (readonly Piece[])[];
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly accounting: Accounting;
  readonly warnings: readonly Warning[];
  readonly units: UnitsByPath;
  contextOf(page: number): readonly ContextPlace[];
  /** Every line of a file that a reader of the page sees, in the diff and beside it. */
  linesOn(page: number): readonly ShownRange[];
  /** Why each file matters, and what its reviewer gets beside the diff. */
  filesShown(): ReadonlyMap<string, FileShown>;
  /** What was taken out or made visible: in the diffs of a page, and in everything else that stands on it. */
  cleanOf(page: number): readonly Pick<CleanText, 'redactions' | 'hidden'>[];
  isAltered(piece: Piece): boolean;
  /** The texts of a page, and where everything stands in them. */
  compose(page: number): Page;
  /** One page as one call. */
  seal(page: number): SealedPrompt;
  /** Of all pages, once each was composed or sealed. */
  receipt(facts: Readonly<Record<string, unknown>>): Receipt;
  close(): void;
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
  const around = (map: string, coverage?: string) =>
    lastingFragments({
      ...{ system: options.task.system, answer: options.placement.answer, fence, said, map, coverage },
      closing: options.task.closing,
      intent: intent.text,
    });
  const mapLimit = Math.floor(weightOf(meter, usable) * mapShare);
  const budget = { limit: { unit: meter.unit, n: options.limit }, reserve };
  const early = request.coverageInPrompt
    ? coverageOf(kept.length, [], opened.omitted) + ' 0'.repeat(100)
    : undefined;
  const { needed } = roomBeside(press, { scope: reviewScope, budget }, around('', early), ['change', 'map']);
  refuseSmallPage(needed, { ...options, mapShare }, meter);
  const { maxChunkTokens = defaultChunkTokens } = request;
  const whole = needed + mapLimit;
  const capacity = diffCapacity(
    whole,
    { maxChunkTokens, limit: usable, limitedBy: options.limitedBy },
    meter,
  );
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
  const written = await writtenPieces(seen, {
    ...{ ...write, capacity, room: weightOf(meter, usable) - whole },
  });
  const { spans } = written;
  const gathered = await relatePieces(seen, written.read, capacity);
  const { pieces, omitted, textStore } = gathered;
  try {
    const coverage = coverageOf(new Set(pieces.map(({ path }) => path)).size, pieces, omitted);
    const statusOf = new Map(change.entries.map(({ path, status }) => [path, status]));
    const facts = { pieces, units, omitted, statusOf: (path: string) => statusOf.get(path) ?? 'modified' };
    const affinities = JSON.stringify([...gathered.affinities]);
    const stood = options.stood === undefined ? '' : digestOf(options.stood);
    const blocks = steady.blocks([pieces, affinities, units, written.record, stood], () =>
      blockFragments(gathered, { units, stood: options.stood, record: written.record }),
    );
    const lasting = around(
      changeMap(facts, mapLimit, meter),
      request.coverageInPrompt ? coverage : undefined,
    );
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
    const { texts, record } = typeset;
    refuseUnplaced(layout.choices);
    const pages = pieces.length === 0 ? [] : piecesByPage(layout, pieces);
    const warnings = [
      ...gathered.warnings,
      ...said.warnings,
      ...intent.warnings,
      ...options.tickets.warnings,
      ...flipWarning(gathered.flips),
      ...(context?.warnings ?? []),
      ...leftOutFindings(layout.choices),
      ...lowered(context, layout, units),
    ];
    const placement = stood === '' ? {} : { placement: stood };
    const withTexts = <Set>(page: number, set: () => Set): Set => {
      for (const { id, blocks } of pages[page] ?? [])
        for (const [at, { place }] of blocks.entries())
          texts.set(blockId(id, at), textStore.read(place).toString('utf8'));
      try {
        return set();
      } finally {
        texts.clear();
      }
    };
    const onPage = choicesByPage(layout);
    return {
      ...{ pages, omitted, coverage, warnings, units },
      accounting: accountFor(pieces, omitted),
      contextOf: (page) => shownContext(onPage[page] ?? []),
      linesOn: (page) => [
        ...(pages[page] ?? []).flatMap(({ id, path }) =>
          (spans.get(id) ?? []).map((span) => ({ ...span, path })),
        ),
        ...shownContext(onPage[page] ?? []),
      ],
      filesShown: () => filesShown(layout.choices, units),
      cleanOf: (page) => record.on(page, onPage[page] ?? [], pages[page] ?? []),
      isAltered: ({ id }) => record.of(id)?.altered === true,
      compose: (page) => withTexts(page, () => layout.set(page)),
      seal: (page) =>
        withTexts(page, () => {
          const rejections = [
            ...(context?.chosen[page]?.rejections ?? []),
            ...handled.left.filter(({ id }) => pageNamedIn(id, pages.length) === page),
          ];
          return layout.sealPage(page, { rejections, facts: { page: page + 1, ...placement } });
        }),
      receipt: (more) =>
        layout.seal({
          ...{ warnings, facts: { ...placement, ...more } },
          rejections: [...(context?.chosen.flatMap(({ rejections }) => rejections) ?? []), ...handled.left],
        }),
      close: written.close,
      isForeseen: () => record.holdsFence(),
    };
  } catch (error) {
    written.close();
    throw error;
  }
}

interface WriteOptions extends Omit<Parameters<typeof readPieces>[1], 'write'> {
  readonly units: UnitsByPath;
  readonly fence: Fence;
}

interface WrittenPieces {
  readonly read: Awaited<ReturnType<typeof readPieces>>;
  readonly record: CleanRecord;
  readonly spans: ReadonlyMap<string, readonly SideRange[]>;
  close(): void;
}

/** The change in pieces. Where it is held, once without any bound: whatever stands whole on its page is the same for every budget. */
async function writtenPieces(opened: ReviewContext, options: WriteOptions): Promise<WrittenPieces> {
  const { units, fence, ...rest } = options;
  const write = async (bounds: Pick<WriteOptions, 'capacity' | 'room'>): Promise<WrittenPieces> => {
    const record = cleanRecord(fence);
    const spans = new Map<string, readonly SideRange[]>();
    const read = await readPieces(opened, { ...rest, ...bounds, write: blockWriter(units, record, spans) });
    return { read, record, spans, close: () => read.textStore.close() };
  };
  if (!opened.isHeld || opened.request.maxPages !== undefined) return write(options);
  const held = (name: string, bounds: Pick<WriteOptions, 'capacity' | 'room'>) =>
    opened.recall(
      `pieces ${name} ${options.meter.id} ${fence.open} ${levelsIn(units)}`,
      () => write(bounds),
      ({ close }) => close(),
    );
  const unbounded = Number.MAX_SAFE_INTEGER;
  const whole = await held('whole', { capacity: unbounded, room: unbounded });
  const { capacity, room } = options;
  const found = areWhole(whole.read, options) ? whole : await held(`${capacity} ${room}`, options);
  return { ...found, close: () => {} };
}

/** The head of a unit says how much is shown around it. */
function levelsIn(units: UnitsByPath): string {
  const levels = [...units.values()].flatMap((own) => own.map(({ row }) => row.final_context_level));
  return hashText(levels.join(' '));
}

/** Each piece in the blocks of its units, finished; what finishing did is noted under the piece. */
function blockWriter(
  units: UnitsByPath,
  record: CleanRecord,
  spans: Map<string, readonly SideRange[]>,
): PieceWriter {
  return (source) => {
    spans.set(pieceId(source), shownSpans(source));
    const clean = cleanDiff(source.text, source.path, 0);
    const cleaned: CleanText[] = [clean];
    const blocks = unitBlocks(source, {
      ...{ text: clean.text, units },
      clean(words) {
        const named = cleanText(words, { path: printablePath(source.path) });
        cleaned.push(named);
        return named.text;
      },
    });
    record.note(pieceId(source), {
      text: blocks.map(({ text }) => text).join(''),
      redactions: cleaned.flatMap(({ redactions }) => redactions),
      hidden: cleaned.flatMap(({ hidden }) => hidden),
      altered: clean.altered,
    });
    return blocks;
  };
}

/** Which units are shown with less than the plan asks for. */
function lowered(context: ContextOnPages | undefined, layout: Layout, units: UnitsByPath): Warning[] {
  if (context === undefined) return [];
  const kept = new Set(idsOn(layout));
  const short = context.chosen.flatMap((chosen) => {
    const levelOf = levelsShown(chosen, kept);
    const here = new Set(chosen.steps.map(({ home }) => home));
    return [...here].filter((one) => levelOf(one) !== one.row.final_context_level);
  });
  const total = [...units.values()].reduce((sum, list) => sum + list.length, 0);
  return short.length === 0 ? [] : [loweredWarning(short, total)];
}

function digestOf(stood: ReadonlyMap<string, number>): string {
  return hashText(JSON.stringify([...stood].sort(([a], [b]) => byCodePoint(a, b)))).slice(0, 32);
}
