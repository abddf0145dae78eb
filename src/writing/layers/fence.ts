// Text that is not ours can neither close its fence nor pass for one of our headings or marks. The id of a fence belongs to the
// project and changes only when a text contains it, so its price is known and prefixes hold.

import { LRUCache } from 'lru-cache';
import { neutralise } from '../../cleaning/hidden-text.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { FinishedWords } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { detachedText } from '../documents/indexed-text.js';
import { foreignWords, type LayerBody, layerFragment } from './layer-fragment.js';
import { fences } from './layered-recipe.js';
import { allHeadings } from './layered-words.js';

export function fenceId(project: string, isTaken: (id: string) => boolean): string {
  for (let salt = 0; ; salt += 1) {
    const id = hashText(`fence\n${salt}\n${project}`).slice(0, 8);
    if (!isTaken(id)) return id;
  }
}

/** Tells whether any of the texts holds some words, however they are written. */
export function anySpelling(texts: Iterable<string>): (words: string) => boolean {
  const written = [...texts];
  let read: readonly string[] | undefined;
  return (words) => {
    if (written.some((text) => text.includes(words))) return true;
    read ??= written.flatMap(foldedLines);
    const folded = words.toLowerCase();
    return read.some((text) => text.includes(folded));
  };
}

const shortText = 2_000;
/** A chapter is looked through with every key, and most of its lines are those of the last time. */
const foldedTexts = new LRUCache<string, string>({
  max: 10_000,
  maxSize: 4_000_000,
  sizeCalculation: (folded, text) => folded.length + text.length + 1,
});

function foldedLines(text: string): readonly string[] {
  return text.length <= shortText ? [folded(text)] : text.split('\n').map(folded);
}

/** Without the many forms of letters, digits and signs. */
function folded(text: string): string {
  const known = foldedTexts.get(text);
  if (known !== undefined) return known;
  const fresh = text.normalize('NFKC').toLowerCase();
  if (text.length <= shortText) foldedTexts.set(detachedText(text), fresh);
  return fresh;
}

export function* textsOf(fragments: readonly Fragment<LayerBody>[]): Iterable<string> {
  for (const { levels } of fragments) {
    const [whole, ...shorter] = levels;
    if (whole === undefined) continue;
    const said = foreignWords(whole.body);
    yield* said;
    // The shorter forms of a passage are made of its own words.
    for (const { body } of shorter)
      for (const words of foreignWords(body)) if (!said.includes(words)) yield words;
  }
}

/** What is offered, and around what is not ours the two marks of each fence. */
export function withFences(
  fragments: readonly Fragment<LayerBody>[],
  project: string,
): readonly Fragment<LayerBody>[] {
  const filled = new Set(fragments.map(({ section }) => section));
  const marks = fences.flatMap(({ open, close, layer, around }) => {
    if (!around.some((section) => filled.has(section))) return [];
    return ([open, close] as const).map((section) =>
      layerFragment(project, {
        id: `fence:${section}`,
        source: 'galley',
        layer,
        section,
        rank: 0,
        position: 0,
        body: { kind: 'fence', edge: section === open ? 'open' : 'close' },
        pinned: true,
      }),
    );
  });
  return marks.length === 0 ? fragments : [...fragments, ...marks];
}

const bracketed = /\[([^\]\n]{1,80})\]|【([^】\n]{1,40})】|<<([^>\n]{1,40})>>/gu;
const markWords = /^(?:光标|选区|cursor\b|selection\b)/u;

/** Words outside of any fence: what looks like one of our headings or marks gets other brackets. */
export function defused(words: string): { text: string; count: number } {
  if (!/[[【]|<</u.test(words)) return { text: words, count: 0 };
  let count = 0;
  const text = words.replace(bracketed, (whole, heading?: string, mark?: string, other?: string) => {
    const name = (heading ?? '').trim();
    const isHeading = [...allHeadings].some((known) => name === known || name.startsWith(`${known} - `));
    if (!isHeading && !markWords.test(mark ?? other ?? '')) return whole;
    count += 1;
    return `〔${heading ?? mark ?? other}〕`;
  });
  return { text, count };
}

// Most words need no closer look: nothing in them is invisible, turns the text around or passes for another letter.
const suspect =
  /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\u2800]/u;
const shownWords = new Map<string, FinishedWords>();
const mostShown = 50_000;

/** Characters that cannot be seen are shown by their numbers, and counted. */
export function withHiddenShown(words: string): FinishedWords {
  const known = shownWords.get(words);
  if (known !== undefined) return known;
  const shown = suspect.test(words) ? hiddenShown(words) : { text: words, hits: {} };
  if (shownWords.size >= mostShown) shownWords.clear();
  shownWords.set(words, shown);
  return shown;
}

function hiddenShown(words: string): FinishedWords {
  const { text, hits } = neutralise(words);
  const counts: Record<string, number> = {};
  for (const { kind, count } of hits) counts[kind] = (counts[kind] ?? 0) + count;
  return { text, hits: counts };
}
