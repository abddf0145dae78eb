// Where may a sentence be cut when it is too long? After commas and their kin, else at white space, else anywhere.
import { codePointBorder } from '../../core/model/code-points.js';
import { isBlank, isCloser, isDigit } from './characters.js';

const pauses = new Set('，、；：,;:—');

/** Code units at which a clause of `[from, to)` ends, the last one being `to`. */
export function clauseEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  for (let unit = from; unit < to; unit += 1) {
    if (!pauses.has(text.charAt(unit)) || isDigit(text.charAt(unit + 1))) continue;
    let after = unit + 1;
    while (after < to && (isCloser(text.charAt(after)) || isBlank(text.charAt(after)))) after += 1;
    if (after < to) ends.push(after);
    unit = after - 1;
  }
  if (to > from) ends.push(to);
  return ends;
}

/** Ends that cut `[from, to)` into parts of at most `most` code units, at clause ends where there are any. */
export function boundedEnds(text: string, range: { from: number; to: number }, most: number): number[] {
  const { from, to } = range;
  if (to - from <= most) return to > from ? [to] : [];
  const ends: number[] = [];
  let start = from;
  let reached = from;
  for (const end of clauseEnds(text, from, to)) {
    if (end - start > most && reached > start) {
      ends.push(reached);
      start = reached;
    }
    while (end - start > most) {
      start = cutAt(text, start, most);
      ends.push(start);
    }
    reached = end;
  }
  if (to > start) ends.push(to);
  return ends;
}

function cutAt(text: string, start: number, most: number): number {
  const latest = start + Math.max(2, most);
  const space = text.lastIndexOf(' ', latest - 1);
  if (space > start + most / 2) return space + 1;
  return codePointBorder(text, latest);
}
