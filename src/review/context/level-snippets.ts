// Which lines of its file belong to a context level of a unit, from the syntax tree of the side the unit stands on.

import type { LineRange } from '../../code/range-evidence.js';
import { type CodeSymbol, lineKind } from '../../code/syntax/outline-model.js';
import type { ContextLevel } from '../plan/context-need.js';
import type { PlannedUnit } from '../plan/plan-review.js';
import type { FileSide } from '../units/changed-file.js';
import { rangesOf } from '../units/changed-lines.js';
import { isCallable } from '../units/line-owner.js';
import { type Snippet, snippetOf } from '../units/snippet.js';
import { type ReviewUnit, unitSide } from '../units/unit.js';

const whys: Readonly<Record<ContextLevel, string>> = {
  diff_only: '',
  function: 'around the change',
  file_context: 'imports, declarations, lines nearby',
  full_file: 'rest of the file',
};

export function levelSnippets({ unit }: PlannedUnit, level: ContextLevel): Snippet[] {
  const found = levelRanges(unit, level);
  if (found === undefined) return [];
  const place = { side: found.side, file: found.file, why: whys[level] };
  return found.ranges.map((range) => snippetOf(place, range));
}

const widestOuter = 60;
const widestMember = 80;
const nearWindow = 10;
const fileWindow = 20;
/** Fewer lines than a mark for their absence would take. */
const widestGap = 2;

interface LevelRanges {
  readonly side: 'old' | 'new';
  readonly file: FileSide;
  readonly ranges: readonly LineRange[];
}

/** Undefined for `diff_only` and for files that could not be read. */
export function levelRanges(unit: ReviewUnit, level: ContextLevel): LevelRanges | undefined {
  const stand = unitSide(unit);
  if (stand === undefined || level === 'diff_only' || stand.side.lines.length === 0) return undefined;
  const file = stand.side;
  const touched = touchedLines(unit, stand.name, file);
  const ranges =
    level === 'function'
      ? functionRanges(unit, file, touched)
      : level === 'file_context'
        ? fileContextRanges(unit, file, touched)
        : cutFile(file, [...functionRanges(unit, file, touched), ...around(touched, file, fileWindow)]);
  return { side: stand.name, file, ranges: joined(ranges, file) };
}

/** Changed lines of the side, and where lines of the other side would stand in it. */
function touchedLines(unit: ReviewUnit, name: 'old' | 'new', file: FileSide): number[] {
  const last = file.lines.length;
  return unit.lines.map(({ kind, number, opposite }) => {
    const own = (kind === 'added') === (name === 'new');
    return Math.min(last, Math.max(1, own ? number : opposite));
  });
}

function functionRanges(unit: ReviewUnit, file: FileSide, touched: readonly number[]): LineRange[] {
  const owner = unit.symbol ?? unit.oldSymbol;
  if (owner === undefined) return around(touched, file, nearWindow);
  if (isCallable(owner)) return [withComment(widened(owner, file), file)];
  if (owner.endLine - owner.startLine < widestMember) return [withComment(owner, file)];
  const clamp = ({ startLine, endLine }: LineRange): LineRange => ({
    startLine: Math.max(startLine, owner.startLine),
    endLine: Math.min(endLine, owner.endLine),
  });
  return [
    { startLine: owner.startLine, endLine: owner.signatureEndLine },
    ...around(touched, file, nearWindow).map(clamp),
  ];
}

function fileContextRanges(unit: ReviewUnit, file: FileSide, touched: readonly number[]): LineRange[] {
  const heads: LineRange[] = [];
  const { symbols, imports } = file.outline;
  for (let at = unit.symbol ?? unit.oldSymbol; at !== undefined; at = symbols[at.parent ?? -1])
    heads.push({ startLine: at.startLine, endLine: at.signatureEndLine });
  return [...imports, ...heads, ...functionRanges(unit, file, touched), ...around(touched, file, fileWindow)];
}

/** A small function around the function is worth its lines. */
function widened(owner: CodeSymbol, file: FileSide): CodeSymbol {
  let widest = owner;
  for (let at = owner.parent; at !== undefined; at = file.outline.symbols[at]?.parent) {
    const outer = file.outline.symbols[at]!;
    if (!isCallable(outer) || outer.kind === 'test') break;
    if (outer.endLine - outer.startLine < widestOuter) widest = outer;
  }
  return widest;
}

function withComment({ startLine, endLine }: LineRange, file: FileSide): LineRange {
  let start = startLine;
  while (start > 1 && file.outline.lineKinds[start - 2] === lineKind.comment) start -= 1;
  return { startLine: start, endLine };
}

function around(lines: readonly number[], file: FileSide, reach: number): LineRange[] {
  return rangesOf(lines).map(({ startLine, endLine }) => ({
    startLine: Math.max(1, startLine - reach),
    endLine: Math.min(file.lines.length, endLine + reach),
  }));
}

/** In order, ranges that all but touch as one, nothing outside the file. */
function joined(ranges: readonly LineRange[], file: FileSide): LineRange[] {
  const result: { startLine: number; endLine: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.startLine - b.startLine)) {
    const startLine = Math.max(1, range.startLine);
    const endLine = Math.min(file.lines.length, range.endLine);
    if (endLine < startLine) continue;
    const last = result.at(-1);
    if (last !== undefined && startLine <= last.endLine + widestGap + 1)
      last.endLine = Math.max(last.endLine, endLine);
    else result.push({ startLine, endLine });
  }
  return result;
}

const wholeLines = 300;
const wholeCharacters = 10_000;
const head = { lines: 40, characters: 2_000 };
const middle = { lines: 120, characters: 5_000 };
const tail = { lines: 20, characters: 1_000 };

type FileText = Pick<FileSide, 'lines' | 'text'>;

/** A whole file, or of a file that is too large its head, what is around the change, and its tail. */
function cutFile(file: FileText, wanted: readonly LineRange[]): LineRange[] {
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
