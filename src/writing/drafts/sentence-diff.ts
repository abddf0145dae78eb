// What changed between two texts, sentence by sentence, Chinese and English: sentences that stand in both exactly once are found
// first (patience), what lies between them is compared as it is. Long texts cost about as much as they are long.
import { boundedEnds, paragraphStart, sentenceEnds } from '../documents/borders.js';

/** A stretch of the base in code units, and what stands there instead; nothing is replaced by an insertion. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Sentences longer than this are compared by clauses. */
const longSentence = 600;
/** Pairs of sentences that are compared when no sentence stands out. */
const mostPairs = 1_000_000;

export function editsBetween(base: string, other: string): Edit[] {
  if (base === other) return [];
  const shared = sharedEnds(base, other);
  const from = paragraphStart(base, shared.start, shared.start);
  const line = base.indexOf('\n', base.length - shared.end);
  const past = line < 0 ? base.length : line + 1;
  const left = tokensOf(base, from, past);
  const right = tokensOf(other, from, other.length - (base.length - past));
  return editsOf(left, right, matchesOf(left, right), from);
}

function sharedEnds(base: string, other: string): { start: number; end: number } {
  const most = Math.min(base.length, other.length);
  let start = 0;
  while (start < most && base.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    base.charCodeAt(base.length - 1 - end) === other.charCodeAt(other.length - 1 - end)
  ) {
    end += 1;
  }
  return { start, end };
}

/** Sentences, and the white space behind each as a token of its own: a new paragraph does not change the sentence before it. */
function tokensOf(text: string, from: number, to: number): string[] {
  const tokens: string[] = [];
  let start = from;
  for (const end of sentenceEnds(text, from, to)) {
    for (const part of boundedEnds(text, { from: start, to: end }, longSentence)) {
      const words = text.slice(start, part);
      const core = words.trimEnd();
      if (core !== '') tokens.push(core);
      if (core.length < words.length) tokens.push(words.slice(core.length));
      start = part;
    }
  }
  return tokens;
}

/** Places of equal tokens, ascending on both sides. */
type Match = readonly [left: number, right: number];

interface Stretch {
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

function matchesOf(left: readonly string[], right: readonly string[]): Match[] {
  const matches: Match[] = [];
  const open: Stretch[] = [{ left: 0, leftEnd: left.length, right: 0, rightEnd: right.length }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = trimmed(left, right, next, matches);
    if (inner.left === inner.leftEnd || inner.right === inner.rightEnd) continue;
    const anchors = uniqueMatches(left, right, inner);
    if (anchors.length === 0) {
      for (const match of longestMatches(left, right, inner)) matches.push(match);
      continue;
    }
    let from: Match = [inner.left, inner.right];
    for (const anchor of [...anchors, [inner.leftEnd, inner.rightEnd] as const]) {
      open.push({ left: from[0], leftEnd: anchor[0], right: from[1], rightEnd: anchor[1] });
      from = [anchor[0] + 1, anchor[1] + 1];
    }
    for (const anchor of anchors) matches.push(anchor);
  }
  return matches.sort((a, b) => a[0] - b[0]);
}

/** What is left of a stretch without the equal tokens at its ends, which are noted. */
function trimmed(
  left: readonly string[],
  right: readonly string[],
  stretch: Stretch,
  matches: Match[],
): Stretch {
  let { left: a, leftEnd: aEnd, right: b, rightEnd: bEnd } = stretch;
  for (; a < aEnd && b < bEnd && left[a] === right[b]; a += 1, b += 1) matches.push([a, b]);
  for (; a < aEnd && b < bEnd && left[aEnd - 1] === right[bEnd - 1]; aEnd -= 1, bEnd -= 1)
    matches.push([aEnd - 1, bEnd - 1]);
  return { left: a, leftEnd: aEnd, right: b, rightEnd: bEnd };
}

/** Tokens that stand once on either side, as many of them as keep their order. */
function uniqueMatches(left: readonly string[], right: readonly string[], stretch: Stretch): Match[] {
  const counts = new Map<string, { left: number; right: number; at: number; to: number }>();
  for (let at = stretch.left; at < stretch.leftEnd; at += 1) {
    const known = counts.get(left[at]!);
    if (known === undefined) counts.set(left[at]!, { left: 1, right: 0, at, to: -1 });
    else known.left += 1;
  }
  for (let to = stretch.right; to < stretch.rightEnd; to += 1) {
    const known = counts.get(right[to]!);
    if (known === undefined) continue;
    known.right += 1;
    known.to = to;
  }
  const pairs: Match[] = [];
  for (const { left: times, right: others, at, to } of counts.values()) {
    if (times === 1 && others === 1) pairs.push([at, to]);
  }
  return longestAscending(pairs);
}

function longestAscending(pairs: readonly Match[]): Match[] {
  const tails: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, to], index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < to) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : tails[low - 1]!;
    tails[low] = index;
  });
  const chain: Match[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]!) chain.push(pairs[index]!);
  return chain.reverse();
}

/** Of a stretch in which nothing stands out; one that is too large is another text. */
function longestMatches(left: readonly string[], right: readonly string[], stretch: Stretch): Match[] {
  const rows = stretch.leftEnd - stretch.left;
  const columns = stretch.rightEnd - stretch.right;
  if (rows * columns > mostPairs) return [];
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const isSame = (row: number, column: number) => left[stretch.left + row] === right[stretch.right + column];
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] = isSame(row, column)
        ? lengths[(row + 1) * width + column + 1]! + 1
        : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
    }
  }
  const matches: Match[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isSame(row, column)) {
      matches.push([stretch.left + row, stretch.right + column]);
      row += 1;
      column += 1;
    } else if (lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!) row += 1;
    else column += 1;
  }
  return matches;
}

function editsOf(
  left: readonly string[],
  right: readonly string[],
  matches: readonly Match[],
  from: number,
): Edit[] {
  const edits: Edit[] = [];
  let unit = from;
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...matches, [left.length, right.length] as const]) {
    const start = unit;
    for (; a < nextA; a += 1) unit += left[a]!.length;
    const text = right.slice(b, nextB).join('');
    if (unit > start || text !== '') edits.push({ start, end: unit, text });
    unit += left[nextA]?.length ?? 0;
    [a, b] = [nextA + 1, nextB + 1];
  }
  return edits;
}

export function withEdits(base: string, edits: readonly Edit[]): string {
  let text = '';
  let from = 0;
  for (const { start, end, text: words } of edits) {
    text += base.slice(from, start) + words;
    from = end;
  }
  return text + base.slice(from);
}
