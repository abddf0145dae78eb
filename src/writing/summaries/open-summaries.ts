// Which summaries are to be written, and what will that cost? What holds stays, a model never writes over what a person wrote, and
// parts and the book follow from their chapters.
import { type Catalog, costOf } from '../../models/catalog/catalog.js';
import type { Model } from '../../models/contract/model.js';
import { wholeBook } from '../notes/book-notes.js';
import { passagePages } from '../passages/passage-pages.js';
import { partsOf, toldTogether } from './book-parts.js';
import { type ChapterSummary, stateOf } from './summary.js';
import { summaryPrompt } from './summary-prompt.js';

export interface SummedChapter {
  readonly id: string;
  readonly title: string;
  readonly hash: string;
  readonly text: string;
}

export interface SummaryEstimate {
  /** For chapters. */
  readonly calls: number;
  /** For parts and the book, at most: those whose chapters change follow from them. */
  readonly wholes: number;
  readonly inputTokens: number;
  /** Of what is read and a usual answer; absent where the price is not known. */
  readonly dollars?: number;
}

export interface Overwriting {
  /** Also what holds. */
  readonly again: boolean;
  /** Together with `again`: also what people wrote or changed. */
  readonly byHand: boolean;
}

interface Known extends Overwriting {
  readonly model: Model;
  readonly summaries: ReadonlyMap<string, ChapterSummary>;
  readonly catalog?: Catalog | undefined;
}

/** Tokens of a usual summary. */
const usualAnswer = 400;

/** A model never writes over what a person wrote, unless told to. */
export function isOpen(
  known: ChapterSummary | undefined,
  hash: string,
  { again, byHand }: Overwriting,
): boolean {
  if (known === undefined || known.text === '') return true;
  if (known.by === undefined) return again && byHand;
  return again || stateOf(known, hash) === 'stale';
}

export async function estimateOf(
  chapters: readonly SummedChapter[],
  open: readonly SummedChapter[],
  options: Known,
): Promise<SummaryEstimate> {
  const { model, catalog } = options;
  let inputTokens = 0;
  let calls = 0;
  for (const { text } of open) {
    const { pages } = await passagePages(summaryPrompt('chapter', text), { model, catalog });
    calls += pages.length;
    inputTokens += pages.reduce((sum, { sealed }) => sum + sealed.receipt.used.n, 0);
  }
  const wholes = wholesToCome(chapters, open, options);
  inputTokens += wholes.reduce((sum, { chapters: own }) => sum + own.length * usualAnswer, 0);
  const outputTokens = (calls + wholes.length) * usualAnswer;
  const cost = costOf({ inputTokens, cachedInputTokens: 0, outputTokens }, model.id, catalog);
  return {
    calls,
    wholes: wholes.length,
    inputTokens,
    ...(cost === undefined ? {} : { dollars: cost.dollars }),
  };
}

/** Parts and the book that can be told once the open chapters are. */
function wholesToCome(
  chapters: readonly SummedChapter[],
  open: readonly SummedChapter[],
  options: Known,
): Whole[] {
  const { summaries } = options;
  return wholesOf(chapters).filter(({ about, chapters: own }) => {
    const told = own.map(({ id, title, hash }) => ({ title, hash, known: summaries.get(id) }));
    const isChanged = own.some((chapter) => open.includes(chapter));
    const isHeld = own.every((chapter, at) => open.includes(chapter) || holds(told[at]?.known, chapter.hash));
    const hash = isChanged
      ? ''
      : toldTogether(told.map(({ title, known }) => ({ title, summary: known?.text ?? '' }))).hash;
    return isHeld && isOpen(summaries.get(about), hash, options);
  });
}

export function holds(known: ChapterSummary | undefined, hash: string): known is ChapterSummary {
  return known !== undefined && stateOf(known, hash) === 'fresh';
}

interface Whole {
  readonly about: string;
  readonly title: string;
  readonly chapters: readonly SummedChapter[];
  readonly kind: 'part' | 'book';
}

export function wholesOf(chapters: readonly SummedChapter[]): Whole[] {
  return [
    ...partsOf(chapters).map((part) => ({ ...part, kind: 'part' as const })),
    ...(chapters.length >= 3 ? [{ about: wholeBook, title: '', chapters, kind: 'book' as const }] : []),
  ];
}
