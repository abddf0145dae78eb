// What to search for. What the writer says or selects leads; else the last sentences before the cursor do, because what was just
// named is what has to be right. What the scene is about supports either; rare terms tell passages apart.
import { LRUCache } from 'lru-cache';
import { codePointBorder } from '../../core/model/code-points.js';
import { sentenceEnds } from '../documents/borders.js';
import { detachedText, type IndexedText } from '../documents/indexed-text.js';
import { isFiller, rareShare, type WeighedText } from './query.js';
import { queryTermsOf, termsOf } from './terms.js';

export interface SearchTerms {
  /** What the writer says or has selected, word for word. */
  readonly question: string;
  /** What leads: the question, else the last sentences, the nearest weighing most. */
  readonly lead: readonly WeighedText[];
  /** What a passage should be about: the question, else the end of the scene, which moves in steps. */
  readonly about: string;
  /** Of what leads, the most telling first where nothing is known of the collection. */
  readonly asked: readonly string[];
  /** Most repeated first. */
  readonly scene: readonly string[];
  /** Nearest to the cursor first; beside a question. */
  readonly fresh: readonly string[];
}

/** Code units of the document: what is read lies in `[from, to)`, what is selected in `[start, end)`. */
export interface TextView {
  readonly indexed: IndexedText;
  readonly window: { readonly from: number; readonly start: number; readonly end: number };
  readonly instruction: string;
}

const sceneStep = 1_600;
const sceneUnits = 3_200;
const freshUnits = 120;
const questionUnits = 600;
const aboutUnits = 800;
/** How far back the pen's own sentences reach, and from where on one of them counts half. */
const pen = { spaceless: { units: 100, half: 25 }, spaced: { units: 300, half: 75 } } as const;
const most = { asked: 24, scene: 14, fresh: 4 } as const;
const considered = { asked: 96, scene: 64, fresh: 48 } as const;
/** Below this many chunks a search over everything is cheap. */
export const smallCollection = 200;
/** A term in a larger part of the chunks tells little; what was asked for may tell less. */
const commonShare = { asked: 0.2, scene: 0.03, fresh: 0.03 } as const;

export function searchTerms(view: TextView): SearchTerms {
  const { indexed, window, instruction } = view;
  const selection = indexed.text.slice(window.start, Math.min(window.end, window.start + 2 * freshUnits));
  const question = `${instruction.slice(0, questionUnits)}\n${selection}`.trim();
  const lead = question === '' ? lastSentences(view) : [{ text: question, weight: 1 }];
  const asked = queryTermsOf(lead.map(({ text }) => text).join('\n'));
  const before = indexed.text.slice(Math.max(window.from, window.start - freshUnits), window.start);
  const fresh = question === '' ? [] : telling(queryTermsOf(before).reverse());
  const scene = sceneText(view);
  const about =
    question === '' ? scene.slice(codePointBorder(scene, Math.max(0, scene.length - aboutUnits))) : question;
  return {
    question,
    lead,
    about,
    asked: (question === '' ? telling(asked) : asked).slice(0, considered.asked),
    scene: repeated(scene).slice(0, considered.scene),
    fresh: fresh.slice(0, considered.fresh),
  };
}

/** Nearest first. What an earlier sentence says counts less, the farther it lies behind the pen. */
function lastSentences({ indexed, window }: TextView): WeighedText[] {
  const { text } = indexed;
  const isSpaced = /[a-z]\s[a-z]/i.test(text.slice(Math.max(window.from, window.start - 80), window.start));
  const { units, half } = isSpaced ? pen.spaced : pen.spaceless;
  const from = codePointBorder(text, Math.max(window.from, window.start - units));
  const starts = [from, ...sentenceEnds(text, from, window.start).slice(0, -1)];
  return starts
    .map((start, index) => {
      const end = starts[index + 1] ?? window.start;
      return { text: text.slice(start, end).trim(), weight: 1 / (1 + (window.start - end) / half) };
    })
    .filter((sentence) => sentence.text !== '')
    .reverse();
}

/** The terms that tell passages apart: known to the collection, and not in every other chunk of it. */
export function tellingTerms(
  terms: readonly string[],
  kind: keyof typeof most,
  statistics: { chunks: number; frequencies: ReadonlyMap<string, number> },
): string[] {
  const { chunks, frequencies } = statistics;
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
  const known = [...new Set(terms)].filter((term) => frequencyOf(term) > 0);
  if (chunks <= smallCollection) return known;
  const uncommon = known.filter((term) => frequencyOf(term) <= chunks * commonShare[kind]);
  const worth = (term: string, index: number) =>
    Math.log(1 + chunks / Math.max(chunks * rareShare, frequencyOf(term))) / (1 + index / considered[kind]);
  const chosen = uncommon
    .map((term, index) => ({ term, index, worth: worth(term, index) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
    .slice(0, most[kind])
    .map(({ term }) => term);
  if (chosen.length > 0 || kind !== 'asked') return chosen;
  return known.sort((a, b) => frequencyOf(a) - frequencyOf(b)).slice(0, most.asked);
}

/** The stretch before the last step of the scene; the opening while there is none. */
function sceneText({ indexed, window }: TextView): string {
  const { text } = indexed;
  const written = window.start - window.from;
  const end = window.from + Math.floor(written / sceneStep) * sceneStep;
  if (end === window.from)
    return text.slice(window.from, Math.min(window.start, window.from + sceneStep / 4));
  return text.slice(Math.max(window.from, end - sceneUnits), end);
}

function telling(terms: readonly string[]): readonly string[] {
  const left = terms.filter((term) => !isFiller(term));
  return left.length > 0 ? left : terms;
}

const scenes = new LRUCache<string, readonly string[]>({ max: 200 });

function repeated(text: string): readonly string[] {
  const known = scenes.get(text);
  if (known !== undefined) return known;
  const asked = new Set(telling(queryTermsOf(text)));
  const counts = new Map<string, number>();
  for (const term of termsOf(text)) if (asked.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms = [...counts].sort((a, b) => b[1] - a[1]).map(([term]) => term);
  scenes.set(detachedText(text), terms);
  return terms;
}
