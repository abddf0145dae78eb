// The story up to a chapter, told from the chapters themselves: near ones in several sentences, far ones in one, the oldest by name
// at least. Every part is bound to the hash of the chapter it tells, so that a change in one tells only that one anew.
import type { Meter } from '../../core/model/meter.js';
import { paragraphEnds, sentenceEnds } from '../documents/borders.js';
import { type ToldChapter, type ToldSentence, tellingSentences } from './telling-sentences.js';

export interface StoryChapter {
  readonly id: string;
  readonly title: string;
  readonly hash: string;
  readonly text: string;
  /** Of a model or a person, where one holds; told in place of its sentences. */
  readonly summary?: string | undefined;
}

/** What a chapter is told with, by what it depends on. */
interface ToldMemory {
  get(key: string): ToldChapter | undefined;
  set(key: string, told: ToldChapter): unknown;
}

export interface StoryRequest {
  /** In reading order. */
  readonly chapters: readonly StoryChapter[];
  /** The chapter being written; only those before it are told. */
  readonly at: string;
  /** Characters of the chapter at hand before the cursor: where they are few, the end of the chapter before is given. */
  readonly written?: number;
  readonly meter: Meter;
  /** Tokens for all parts at their fullest. */
  readonly limit: number;
  /** People of the book. */
  readonly names?: readonly string[];
  /** Those of the scene: what was told of them is worth more. */
  readonly people?: readonly string[];
  readonly tellsSecret?: ((text: string) => boolean) | undefined;
  readonly memory?: ToldMemory;
  /** Stands between sentences that are not neighbours. */
  readonly gap?: string;
}

interface StoryPart {
  readonly chapterId: string;
  /** Of the text it tells. */
  readonly hash: string;
  readonly title: string;
  /** Fullest first; every later one is held by the one before it. */
  readonly levels: readonly string[];
  /** The nearest chapter counts most. */
  readonly rank: number;
}

interface StorySoFar {
  /** In reading order. */
  readonly parts: readonly StoryPart[];
  readonly ending?: { readonly chapterId: string; readonly hash: string; readonly text: string };
  /** Of all parts at their fullest. */
  readonly tokens: number;
}

const defaultGap = '……';
/** These are told before any that lie farther back. */
const nearChapters = 10;
/** Sentences a chapter is told in, by how far back it lies. */
const detail: readonly { readonly within: number; readonly sentences: number }[] = [
  { within: 1, sentences: 8 },
  { within: 3, sentences: 4 },
  { within: 10, sentences: 2 },
  { within: Number.POSITIVE_INFINITY, sentences: 1 },
];
/** Below this many characters a chapter has hardly begun. */
const shortChapter = 1_200;
const endingCharacters = 500;

export function storySoFar(request: StoryRequest): StorySoFar {
  const { chapters, at, meter, limit, tellsSecret, people = [], gap = defaultGap } = request;
  const here = chapters.findIndex(({ id }) => id === at);
  const before = chapters.slice(0, here < 0 ? chapters.length : here);
  const drafts = before.map((chapter, index) => {
    const told = toldChapter(chapter, request);
    const sayable = told.sentences.filter(({ text }) => !tellsSecret?.(text));
    const back = before.length - index;
    const worthHere = sayable.map((sentence) => ({
      ...sentence,
      worth: sentence.worth + people.filter((name) => sentence.text.includes(name)).length,
    }));
    return { chapter, back, levels: levelsOf(worthHere, sentencesFor(back), gap) };
  });
  const kept = withinLimit(drafts, { meter, limit });
  const previous = before.at(-1);
  const isShort = (request.written ?? 0) < shortChapter;
  const ending = previous === undefined || !isShort ? '' : chapterEnding(previous.text, endingCharacters);
  return {
    ...kept,
    ...(previous === undefined || ending === '' || tellsSecret?.(ending)
      ? {}
      : { ending: { chapterId: previous.id, hash: previous.hash, text: ending } }),
  };
}

function toldChapter(
  { hash, text, summary }: StoryChapter,
  { names = [], memory }: StoryRequest,
): ToldChapter {
  if (summary !== undefined) return inOrder(summary);
  const key = `${hash} ${names.join(' ')}`;
  const known = memory?.get(key);
  if (known !== undefined) return known;
  const told = tellingSentences(text, names);
  memory?.set(key, told);
  return told;
}

/** A summary says the most important first. */
function inOrder(summary: string): ToldChapter {
  let from = 0;
  const sentences = sentenceEnds(summary, 0, summary.length).flatMap((to, place): ToldSentence[] => {
    const text = summary.slice(from, to).replace(/\s+/g, ' ').trim();
    from = to;
    return text === '' ? [] : [{ place, text, worth: -place }];
  });
  return { sentences, places: sentences.length };
}

function sentencesFor(back: number): number {
  return detail.find(({ within }) => back <= within)?.sentences ?? 1;
}

/** Fewer sentences with every level, the most telling ones to the last. */
function levelsOf(sentences: readonly ToldSentence[], most: number, gap: string): string[] {
  const byWorth = [...sentences].sort((a, b) => b.worth - a.worth || a.place - b.place);
  const levels: string[] = [];
  for (let count = Math.min(most, byWorth.length); count > 0; count = Math.floor(count / 2))
    levels.push(joined(byWorth.slice(0, count), gap));
  return levels;
}

/** Neighbours follow each other as they do in the chapter; a gap stands only where something was left out. */
function joined(sentences: readonly ToldSentence[], gap: string): string {
  const placed = [...sentences].sort((a, b) => a.place - b.place);
  return placed.reduce((text, sentence, index) => {
    const last = placed[index - 1];
    if (last === undefined) return sentence.text;
    const isNext = sentence.place === last.place + 1;
    const space = /[\x21-\x7e]$/.test(text) ? ' ' : '';
    return text + (isNext ? space : gap) + sentence.text;
  }, '');
}

interface Draft {
  readonly chapter: StoryChapter;
  readonly back: number;
  readonly levels: readonly string[];
}

/** The far past thins out evenly, so that what is left of it still reaches back; only then do near chapters become shorter. */
function withinLimit(
  drafts: readonly Draft[],
  { meter, limit }: Pick<StoryRequest, 'meter' | 'limit'>,
): Pick<StorySoFar, 'parts' | 'tokens'> {
  const weigh = (text: string) => Math.ceil(meter.weigh(`${text}\n`) / meter.scale);
  const standing = drafts
    .filter(({ levels }) => levels.length > 0)
    .map((draft) => {
      const prices = draft.levels.map((level) => weigh(`${draft.chapter.title} ${level}`));
      return { ...draft, prices, level: 0, isIn: true };
    });
  type Standing = (typeof standing)[number];
  let tokens = standing.reduce((sum, { prices }) => sum + prices[0]!, 0);
  const leave = (one: Standing) => {
    one.isIn = false;
    tokens -= one.prices[one.level]!;
  };
  for (;;) {
    const far = standing.filter(({ isIn, back }) => isIn && back > nearChapters);
    if (tokens <= limit || far.length === 0) break;
    for (const [index, one] of far.entries())
      if (tokens > limit && (index % 2 === 1 || far.length === 1)) leave(one);
  }
  for (const one of standing.filter(({ isIn }) => isIn))
    while (tokens > limit && one.level < one.prices.length - 1) {
      tokens += one.prices[one.level + 1]! - one.prices[one.level]!;
      one.level += 1;
    }
  for (const one of standing) if (tokens > limit && one.isIn) leave(one);
  const parts = standing
    .filter(({ isIn }) => isIn)
    .map(({ chapter, back, levels, level }): StoryPart => {
      const { id, hash, title } = chapter;
      return { chapterId: id, hash, title, levels: levels.slice(level), rank: 1 / back };
    });
  return { parts, tokens };
}

// How did the chapter before end? Its last paragraphs, or the last sentences of a long one, as many as fit.
/** At most `most` code units, from the start of a paragraph where one begins in reach, else of a sentence. */
export function chapterEnding(text: string, most: number): string {
  const end = text.trimEnd().length;
  if (end <= most) return text.slice(0, end).trim();
  const reach = Math.max(0, end - 4 * most);
  const startWithin = (ends: readonly number[]) => ends.find((start) => start < end && end - start <= most);
  const paragraph = startWithin(paragraphEnds(text, reach, end));
  const sentence = startWithin(sentenceEnds(text, reach, end));
  // A paragraph that is much shorter than what is allowed would tell too little.
  const start = paragraph !== undefined && end - paragraph >= most / 2 ? paragraph : sentence;
  return start === undefined ? '' : text.slice(start, end).trim();
}
