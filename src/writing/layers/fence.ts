// Text that is not ours can neither close its fence nor pass for one of our headings or marks. The id of a fence belongs to the
// project and changes only when a text contains it, so its price is known and prefixes hold.

import { neutralise } from '../../cleaning/hidden-text.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { FinishedWords } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { recentMemory } from '../../meters/recent-memory.js';
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
  const lines: string[] = [];
  for (const text of texts) {
    if (text.length <= shortText) lines.push(text);
    else lines.push(...text.split('\n'));
  }
  return (words) => lines.some((line) => !isClearOf(line, words));
}

const shortText = 2_000;
/** By text, the words that do not stand in it: a chapter is looked through with every key, and most of it is as it was. */
const clearTexts = recentMemory<string, Set<string>>(10_000);

function isClearOf(text: string, words: string): boolean {
  const clear = clearTexts.get(text);
  if (clear?.has(words)) return true;
  if (text.includes(words)) return false;
  if (text.normalize('NFKC').toLowerCase().includes(words.toLowerCase())) return false;
  if (clear !== undefined) clear.add(words);
  else if (text.length <= shortText) clearTexts.set(detachedText(text), new Set([words]));
  return true;
}

export function* textsOf(fragments: readonly Fragment<LayerBody>[]): Iterable<string> {
  for (const { levels } of fragments) {
    const [whole, ...shorter] = levels;
    if (whole === undefined) continue;
    const said = foreignWords(whole.body);
    yield* said;
    for (const { body } of shorter) {
      // The shorter forms of a passage are made of its own words.
      if (isCutOf(body, whole.body)) continue;
      for (const words of foreignWords(body)) if (!said.includes(words)) yield words;
    }
  }
}

function isCutOf(body: LayerBody, whole: LayerBody): boolean {
  return (
    body.kind === 'titled' &&
    whole.kind === 'titled' &&
    body.text === whole.text &&
    body.title === whole.title
  );
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
const shownWords = recentMemory<string, FinishedWords>(25_000);

/** Characters that cannot be seen are shown by their numbers, and counted. */
export function withHiddenShown(words: string): FinishedWords {
  const known = shownWords.get(words);
  if (known !== undefined) return known;
  const shown = suspect.test(words) ? hiddenShown(words) : { text: words, hits: {} };
  shownWords.set(words, shown);
  return shown;
}

function hiddenShown(words: string): FinishedWords {
  const { text, hits } = neutralise(words);
  const counts: Record<string, number> = {};
  for (const { kind, count } of hits) counts[kind] = (counts[kind] ?? 0) + count;
  return { text, hits: counts };
}
