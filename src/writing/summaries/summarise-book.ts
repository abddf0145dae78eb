// Sums up the chapters that have no summary that holds, then the parts and the book from them. Everything is priced before the first
// call, every summary is kept as it comes, and what a person wrote or changed is left alone.
import PQueue from 'p-queue';
import { type ErrorCode, GalleyError, toGalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import { askModel } from '../../models/ask-model.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { Model, RunRecord, Timeouts } from '../../models/contract/model.js';
import { passagePages } from '../passages/passage-pages.js';
import { toldTogether } from './book-parts.js';
import {
  estimateOf,
  holds,
  isOpen,
  type Overwriting,
  type SummaryEstimate,
  type SummedChapter,
  wholesOf,
} from './open-summaries.js';
import { type ChapterSummary, stateOf } from './summary.js';
import { readSummaryAnswer, type Summed, summaryPrompt } from './summary-prompt.js';

export interface SummaryRow {
  readonly about: string;
  readonly title: string;
  readonly kind: Summed;
  /** `by-hand`: stale, and left to whoever wrote it. */
  readonly outcome: 'written' | 'kept' | 'by-hand' | 'failed' | 'not-asked';
  readonly code?: ErrorCode;
}

export interface SummarisedBook {
  readonly estimate: SummaryEstimate;
  readonly rows: readonly SummaryRow[];
  readonly runs: readonly RunRecord[];
  readonly receipts: readonly Receipt[];
}

interface SummariseOptions extends Overwriting {
  readonly model: Model;
  readonly summaries: ReadonlyMap<string, ChapterSummary>;
  readonly catalog?: Catalog | undefined;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  readonly dryRun: boolean;
  keep(summary: ChapterSummary): Promise<void>;
  /** The receipt of every prompt that was answered. */
  onSent(receipt: Receipt): Promise<void>;
  onEstimate?(estimate: SummaryEstimate): void;
  onProgress?(done: number, total: number): void;
}

/** After these no further call helps. */
const endings: ReadonlySet<ErrorCode> = new Set([
  'CANCELLED',
  'COST_CEILING_REACHED',
  'MODEL_NOT_CONFIGURED',
]);

export async function summariseBook(
  chapters: readonly SummedChapter[],
  /** Those that are to be summed up now; parts and book follow only from all. */
  wanted: ReadonlySet<string>,
  options: SummariseOptions,
): Promise<SummarisedBook> {
  const { summaries } = options;
  const asked = chapters.filter(({ id, text }) => wanted.has(id) && text.trim() !== '');
  const open = asked.filter(({ id, hash }) => isOpen(summaries.get(id), hash, options));
  const estimate = await estimateOf(chapters, open, options);
  options.onEstimate?.(estimate);
  const log: Log = { runs: [], receipts: [] };
  const rows = new Map<string, SummaryRow>();
  for (const { id, title, hash } of asked.filter((chapter) => !open.includes(chapter))) {
    const known = summaries.get(id)!;
    const outcome = stateOf(known, hash) === 'stale' ? 'by-hand' : 'kept';
    rows.set(id, { about: id, title, kind: 'chapter', outcome });
  }
  if (options.dryRun) {
    for (const { id, title } of open)
      rows.set(id, { about: id, title, kind: 'chapter', outcome: 'not-asked' });
    return { estimate, rows: inOrder(asked, rows), ...log };
  }
  const desk: Desk = { ...options, log, ended: undefined };
  const now = new Map(summaries);
  const queue = new PQueue({ concurrency: options.concurrency });
  let done = 0;
  for (const { id, title, hash, text } of open)
    void queue.add(async () => {
      const row = await sumUp({ about: id, title, kind: 'chapter', text, hash }, desk, now);
      rows.set(id, row);
      done += 1;
      options.onProgress?.(done, open.length);
    });
  await queue.onIdle();
  const wholes = await sumUpWholes(chapters, desk, now);
  return { estimate, rows: [...inOrder(asked, rows), ...wholes], ...log };
}

function inOrder(chapters: readonly SummedChapter[], rows: ReadonlyMap<string, SummaryRow>): SummaryRow[] {
  return chapters.flatMap(({ id }) => rows.get(id) ?? []);
}

interface Log {
  readonly runs: RunRecord[];
  readonly receipts: Receipt[];
}

interface Desk extends SummariseOptions {
  readonly log: Log;
  /** Set by what no further call would mend. */
  ended: ErrorCode | undefined;
}

interface ToSum {
  readonly about: string;
  readonly title: string;
  readonly kind: Summed;
  readonly text: string;
  readonly hash: string;
}

async function sumUp(
  { about, title, kind, text, hash }: ToSum,
  desk: Desk,
  now: Map<string, ChapterSummary>,
): Promise<SummaryRow> {
  const facts = { about, title, kind };
  if (desk.signal.aborted) desk.ended = 'CANCELLED';
  if (desk.ended !== undefined) return { ...facts, outcome: 'not-asked', code: desk.ended };
  try {
    const { model, catalog } = desk;
    const { pages, left } = await passagePages(summaryPrompt(kind, text), { model, catalog });
    if (left > 0) throw tooLong();
    const said: string[] = [];
    for (const [at, { sealed }] of pages.entries())
      said.push(await ask(sealed, desk, pages.length === 1 ? undefined : at + 1));
    const summary = { about, text: said.join('\n\n'), hash, by: model.id };
    await desk.keep(summary);
    now.set(about, summary);
    return { ...facts, outcome: 'written' };
  } catch (error) {
    const { code } = toGalleyError(error, 'MODEL_UNAVAILABLE');
    if (endings.has(code)) desk.ended = code;
    return { ...facts, outcome: 'failed', code };
  }
}

async function ask(sealed: SealedPrompt, desk: Desk, page: number | undefined): Promise<string> {
  const { model, catalog, timeouts, signal, log } = desk;
  log.receipts.push(sealed.receipt);
  const { answer, record } = await askModel(model, sealed, {
    kind: 'summary',
    page,
    catalog,
    timeouts,
    signal,
  });
  log.runs.push(record);
  await desk.onSent(sealed.receipt);
  const words = answer.finish === 'length' ? undefined : readSummaryAnswer(answer.text);
  if (words !== undefined) return words;
  throw new GalleyError('MODEL_ANSWER_INVALID', 'The model gave no summary; try again or another model.');
}

function tooLong(): GalleyError {
  return new GalleyError(
    'CONTEXT_INPUT_TOO_LARGE',
    'A paragraph is longer than the model can read; split it.',
  );
}

/** Parts and the book, where every chapter of them has a summary that holds. */
async function sumUpWholes(
  chapters: readonly SummedChapter[],
  desk: Desk,
  now: Map<string, ChapterSummary>,
): Promise<SummaryRow[]> {
  const rows: SummaryRow[] = [];
  for (const { about, title, chapters: own, kind } of wholesOf(chapters)) {
    const told = own.flatMap((chapter) => {
      const summary = now.get(chapter.id);
      return holds(summary, chapter.hash) ? [{ title: chapter.title, summary: summary.text }] : [];
    });
    if (told.length < own.length) continue;
    const { text, hash } = toldTogether(told);
    const known = now.get(about);
    if (!isOpen(known, hash, desk)) {
      rows.push({ about, title, kind, outcome: stateOf(known!, hash) === 'stale' ? 'by-hand' : 'kept' });
      continue;
    }
    rows.push(await sumUp({ about, title, kind, text, hash }, desk, now));
  }
  return rows;
}
