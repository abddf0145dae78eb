// Every place where words stand in a text, in order. Places are code units of the text, half-open.

export interface Match {
  readonly start: number;
  readonly end: number;
}

export interface MatchOptions {
  readonly isWholeWord?: boolean;
}

/** Every occurrence of each of the words; where several begin at one place the longest counts, and none begins within another. */
export function findMatches(text: string, words: readonly string[], options: MatchOptions = {}): Match[] {
  const found = words.flatMap((word) => occurrences(text, word, options));
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  const matches: Match[] = [];
  for (const match of found) if (match.start >= (matches.at(-1)?.end ?? 0)) matches.push(match);
  return matches;
}

function occurrences(text: string, word: string, { isWholeWord = false }: MatchOptions): Match[] {
  const found: Match[] = [];
  if (word === '') return found;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (isWholeWord && cutsWord(text, at, end)) continue;
    found.push({ start: at, end });
  }
  return found;
}

const spaced = /[\p{L}\p{N}\p{M}_]/u;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Scripts that put no blanks between words have no borders to look for. */
function cutsWord(text: string, start: number, end: number): boolean {
  return joins(before(text, start), at(text, start)) || joins(before(text, end), at(text, end));
}

function joins(left: string, right: string): boolean {
  return isLetter(left) && isLetter(right);
}

function isLetter(character: string): boolean {
  return spaced.test(character) && !unspaced.test(character);
}

function at(text: string, unit: number): string {
  const point = text.codePointAt(unit);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function before(text: string, unit: number): string {
  const low = text.charCodeAt(unit - 1);
  return low >= 0xdc00 && low < 0xe000 ? text.slice(unit - 2, unit) : text.charAt(unit - 1);
}

/** Shortest stretches of at most `reach` units that hold all the words: none begins its first and its last word within another. */
export function findNear(
  text: string,
  words: readonly string[],
  { reach, ...options }: MatchOptions & { readonly reach: number },
): Match[] {
  const wanted = [...new Set(words)];
  const places = wanted
    .flatMap((word, index) => occurrences(text, word, options).map((match) => ({ ...match, index })))
    .sort((left, right) => left.start - right.start);
  const found: (Match & { readonly last: number })[] = [];
  const latest: (Match | undefined)[] = wanted.map(() => undefined);
  for (const { start, end, index } of places) {
    latest[index] = { start, end };
    const all = latest.flatMap((place) => place ?? []);
    if (all.length < wanted.length) continue;
    const from = Math.min(...all.map((place) => place.start));
    const to = Math.max(...all.map((place) => place.end));
    const before = found.at(-1);
    if (to - from > reach || before?.start === from) {
      // Words that begin at one place are read one after the other: the stretch is whole with the last of them.
      if (before?.start === from && before.last === start && to - from <= reach)
        found[found.length - 1] = { start: from, end: to, last: start };
      continue;
    }
    if (before?.last === start) found.pop();
    found.push({ start: from, end: to, last: start });
  }
  return found.map(({ start, end }) => ({ start, end }));
}
