// A whole file, or of a file that is too large its head, what is around the change, and its tail.
import type { LineRange } from '../../code/range-evidence.js';
import type { FileSide } from '../units/changed-file.js';

const wholeLines = 300;
const wholeCharacters = 10_000;
const head = { lines: 40, characters: 2_000 };
const middle = { lines: 120, characters: 5_000 };
const tail = { lines: 20, characters: 1_000 };

type FileText = Pick<FileSide, 'lines' | 'text'>;

export function cutFile(file: FileText, wanted: readonly LineRange[]): LineRange[] {
  const count = file.lines.length;
  if (count <= wholeLines && file.text.length <= wholeCharacters) return [{ startLine: 1, endLine: count }];
  const top = fitting(file, { startLine: 1, endLine: Math.min(head.lines, count) }, head.characters);
  const bottom = fitting(
    file,
    { startLine: Math.max(1, count - tail.lines + 1), endLine: count },
    tail.characters,
  );
  const kept: LineRange[] = [...top, ...bottom];
  let lines = middle.lines;
  let characters = middle.characters;
  for (const range of wanted) {
    const short = { ...range, endLine: Math.min(range.endLine, range.startLine + lines - 1) };
    for (const part of fitting(file, short, characters)) {
      kept.push(part);
      lines -= part.endLine - part.startLine + 1;
      characters -= size(file, part);
    }
  }
  return kept;
}

/** As many whole lines from the start as fit; none when the first is too long. */
function fitting(file: FileText, { startLine, endLine }: LineRange, most: number): LineRange[] {
  let room = most;
  let last = startLine - 1;
  while (last < endLine) {
    room -= (file.lines[last]?.length ?? 0) + 1;
    if (room < 0) break;
    last += 1;
  }
  return last < startLine ? [] : [{ startLine, endLine: last }];
}

function size(file: FileText, { startLine, endLine }: LineRange): number {
  let total = 0;
  for (let line = startLine; line <= endLine; line += 1) total += (file.lines[line - 1]?.length ?? 0) + 1;
  return total;
}
