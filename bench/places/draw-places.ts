// Places in a novel where something is named again that an earlier chapter told about: the term, the stretch that defines it,
// and the spot where a writer would be. Drawn by rule and seed, without looking at what any search finds.
import { seededRandom } from '../peers/random.js';

export interface NovelChapter {
  readonly title: string;
  readonly text: string;
}

export interface Place {
  readonly term: string;
  /** Zero-based chapter and code units of the stretch that speaks of the term most densely, where it first appears. */
  readonly defining: { readonly chapter: number; readonly from: number; readonly to: number };
  /** The cursor stands behind the sentence that names the term again. */
  readonly chapter: number;
  readonly cursor: number;
}

export interface DrawOptions {
  readonly places: number;
  readonly seed: number;
  readonly chinese: boolean;
}

interface Occurrence {
  readonly chapter: number;
  readonly at: number;
}

/** What is named in more chapters needs no passage that defines it. */
const mostChapters = { chinese: 12, english: 8 };
const leastMentions = 3;
const leastApart = 2;
const filler =
  /[的了是在有和与之于为着就也都而及不他她它我你这那说道去来又一二三四五六七八九十两个们什么呢吗罢见笑进吃听问比无忙点回等句便自里]/;
const stops = /[。．！？!?.…]["”’」』]*/g;

export function splitChapters(novel: string, chinese: boolean): NovelChapter[] {
  const heading = chinese ? /(?=^第[一二三四五六七八九十百零〇○]+回)/m : /(?=^chapter\s+[ivxlc\d]+\.?\s*$)/im;
  return novel
    .replace(/\r\n?/g, '\n')
    .split(heading)
    .slice(1)
    .map((text) => ({ title: text.slice(0, text.indexOf('\n')).trim(), text }));
}

export function drawPlaces(chapters: readonly NovelChapter[], options: DrawOptions): Place[] {
  const { places, seed, chinese } = options;
  const found = occurrences(chapters, chinese);
  const random = seededRandom(seed);
  const terms = [...found.keys()]
    .sort()
    .map((term) => ({ term, lot: random() }))
    .sort((a, b) => a.lot - b.lot);
  const drawn: Place[] = [];
  const taken = new Set<string>();
  // Where the novel has too few, the same terms are looked for again at other places.
  const lots = [1, 2, 3].flatMap((round) => terms.map(({ term }) => ({ term, round })));
  for (const { term, round } of lots) {
    if (drawn.length === places) break;
    const place = placeFor(term, found.get(term)!, { chapters, chinese, random });
    if (place === undefined) continue;
    const { defining } = place;
    const keys = [
      `at ${place.chapter} ${Math.floor(place.cursor / 2_000)}`,
      `round ${round} of ${defining.chapter} ${Math.floor(defining.from / 600)}`,
    ];
    if (keys.some((key) => taken.has(key))) continue;
    for (const key of keys) taken.add(key);
    drawn.push(place);
  }
  return drawn.sort((a, b) => a.chapter - b.chapter || a.cursor - b.cursor);
}

function placeFor(
  term: string,
  all: readonly Occurrence[],
  {
    chapters,
    chinese,
    random,
  }: { chapters: readonly NovelChapter[]; chinese: boolean; random: () => number },
): Place | undefined {
  const inChapters = [...new Set(all.map(({ chapter }) => chapter))];
  if (inChapters.length < 2 || inChapters.length > mostChapters[chinese ? 'chinese' : 'english'])
    return undefined;
  const home = inChapters[0]!;
  const size = chinese ? 600 : 1_800;
  const spots = all.filter(({ chapter }) => chapter === home).map(({ at }) => at);
  const dense = spots.filter(
    (at) => spots.filter((other) => other >= at && other < at + size).length >= leastMentions,
  )[0];
  const later = all.filter(({ chapter, at }) => chapter >= home + leastApart && at >= size);
  const again = later[Math.floor(random() * later.length)];
  if (dense === undefined || again === undefined) return undefined;
  const { text } = chapters[again.chapter]!;
  stops.lastIndex = again.at + term.length;
  const stop = stops.exec(text);
  if (stop === null) return undefined;
  return {
    term,
    defining: { chapter: home, from: dense, to: dense + size },
    chapter: again.chapter,
    cursor: stop.index + stop[0].length,
  };
}

function occurrences(chapters: readonly NovelChapter[], chinese: boolean): Map<string, Occurrence[]> {
  const found = new Map<string, Occurrence[]>();
  const add = (term: string, chapter: number, at: number) => {
    const known = found.get(term) ?? [];
    known.push({ chapter, at });
    found.set(term, known);
  };
  chapters.forEach(({ text }, chapter) => {
    const runs = chinese ? /\p{Script=Han}{3,}/gu : /[A-Za-z]{5,}/g;
    for (const match of text.matchAll(runs)) {
      if (!chinese) add(match[0].toLowerCase(), chapter, match.index);
      else
        for (let at = 0; at + 3 <= match[0].length; at += 1)
          for (const length of [3, 4]) {
            const term = match[0].slice(at, at + length);
            if (term.length === length && !filler.test(term)) add(term, chapter, match.index + at);
          }
    }
  });
  // A part of a longer term that always stands in it says nothing of its own.
  for (const [term, all] of chinese ? [...found] : []) {
    if (term.length !== 4 || all.length < leastMentions) continue;
    for (const part of [term.slice(0, 3), term.slice(1)])
      if (found.get(part)?.length === all.length) found.delete(part);
  }
  return found;
}

/** Whether a text shows one of the defining mentions with the words around it. */
export function showsDefinition(
  prompt: string,
  place: Place,
  chapters: readonly NovelChapter[],
  chinese: boolean,
): boolean {
  const { chapter, from, to } = place.defining;
  const { text } = chapters[chapter]!;
  const around = chinese ? 10 : 30;
  const haystack = chinese ? text : text.toLowerCase();
  const shown = prompt.replace(/\s+/g, ' ');
  for (
    let at = haystack.indexOf(place.term, from);
    at >= 0 && at < to;
    at = haystack.indexOf(place.term, at + 1)
  ) {
    const line = text.lastIndexOf('\n\n', at) + 1;
    const end = text.indexOf('\n\n', at);
    const words = text.slice(
      Math.max(line, at - around),
      Math.min(end < 0 ? text.length : end, at + place.term.length + around),
    );
    if (shown.includes(words.replace(/\s+/g, ' ').trim())) return true;
  }
  return false;
}
