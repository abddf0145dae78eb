// Lines beyond the diff, with everything needed to read them again: path, side, blob, range. No line of a side stands in two
// snippets of an answer.
import type { LineRange } from '../../code/range-evidence.js';
import { type FileSide, textLines } from './changed-file.js';
import type { ReviewUnit } from './unit.js';

export interface Snippet {
  readonly path: string;
  readonly side: 'old' | 'new';
  /** One-based and inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly blob: string;
  readonly text: string;
  readonly why: string;
  /** Place among all snippets of the answer, 1 is best. */
  readonly rank?: number;
}

interface SnippetPlace {
  readonly side: 'old' | 'new';
  readonly file: Pick<FileSide, 'path' | 'blob' | 'lines'>;
  readonly why: string;
}

export function snippetOf({ side, file, why }: SnippetPlace, range: LineRange): Snippet {
  const { startLine, endLine } = range;
  return {
    path: file.path,
    side,
    startLine,
    endLine,
    blob: file.blob,
    text: file.lines.slice(startLine - 1, endLine).join('\n'),
    why,
  };
}

/** Ranges as one text, with a mark wherever lines are left out; `edges` also marks what is before the first and behind the last. */
export function contextText(
  lines: readonly string[],
  ranges: readonly LineRange[],
  options: { readonly edges?: boolean } = {},
): string {
  const parts: string[] = [];
  let shown = options.edges ? 0 : (ranges[0]?.startLine ?? 1) - 1;
  for (const { startLine, endLine } of ranges) {
    if (startLine > shown + 1) parts.push(gap(shown + 1, startLine - 1));
    parts.push(...lines.slice(startLine - 1, endLine));
    shown = endLine;
  }
  if (options.edges && shown < lines.length) parts.push(gap(shown + 1, lines.length));
  return parts.join('\n');
}

function gap(from: number, to: number): string {
  return from === to ? `[… L${from} left out …]` : `[… L${from}-L${to} left out …]`;
}

export interface LineClaims {
  /** The parts of a snippet that nobody showed before; they count as shown from now on. */
  claim(snippet: Snippet): Snippet[];
  /** The same without taking them. */
  free(range: ShownRange): LineRange[];
}

export type ShownRange = Pick<Snippet, 'path' | 'side'> & LineRange;

/** `already` is what the reader has already. */
export function lineClaims(already: readonly ShownRange[] = []): LineClaims {
  const shown = new Map<string, Set<number>>();
  const linesAt = ({ path, side }: Pick<Snippet, 'path' | 'side'>): Set<number> => {
    const key = `${side}:${path}`;
    const known = shown.get(key) ?? new Set<number>();
    shown.set(key, known);
    return known;
  };
  for (const range of already) {
    const taken = linesAt(range);
    for (let line = range.startLine; line <= range.endLine; line += 1) taken.add(line);
  }
  const free: LineClaims['free'] = (snippet) => {
    const taken = linesAt(snippet);
    const ranges: { startLine: number; endLine: number }[] = [];
    for (let line = snippet.startLine; line <= snippet.endLine; line += 1) {
      if (taken.has(line)) continue;
      const last = ranges.at(-1);
      if (last?.endLine === line - 1) last.endLine = line;
      else ranges.push({ startLine: line, endLine: line });
    }
    return ranges;
  };
  return {
    free,
    claim(snippet) {
      const taken = linesAt(snippet);
      const parts = free(snippet);
      for (let line = snippet.startLine; line <= snippet.endLine; line += 1) taken.add(line);
      const whole = parts.length === 1 && parts[0]?.startLine === snippet.startLine;
      if (whole && parts[0]?.endLine === snippet.endLine) return [snippet];
      const lines = textLines(`${snippet.text}\n`);
      return parts.map((range) => ({
        ...snippet,
        ...range,
        text: lines
          .slice(range.startLine - snippet.startLine, range.endLine - snippet.startLine + 1)
          .join('\n'),
      }));
    },
  };
}

const reach = 3;
const longest = 400;

/** How a unit read before the change: its symbol on the old side, or the old lines with what is around them. */
export function previousVersion(
  unit: ReviewUnit,
): { readonly text: string; readonly snippets: readonly Snippet[] } | undefined {
  const { before } = unit.file;
  if (before === undefined || before.lines.length === 0) return undefined;
  const ranges = rangesBefore(unit, before.lines.length);
  if (ranges.length === 0) return undefined;
  const place = { side: 'old' as const, file: before, why: 'how it read before' };
  return {
    text: contextText(before.lines, ranges),
    snippets: ranges.map((range) => snippetOf(place, range)),
  };
}

function rangesBefore(unit: ReviewUnit, last: number): LineRange[] {
  const symbol = unit.oldSymbol;
  if (symbol !== undefined && symbol.endLine - symbol.startLine < longest)
    return [{ startLine: symbol.startLine, endLine: symbol.endLine }];
  const wide = unit.removed.map(({ startLine, endLine }) => ({
    startLine: Math.max(1, startLine - reach),
    endLine: Math.min(last, endLine + reach),
  }));
  const joined: { startLine: number; endLine: number }[] = [];
  for (const range of wide) {
    const before = joined.at(-1);
    if (before !== undefined && range.startLine <= before.endLine + 1)
      before.endLine = Math.max(before.endLine, range.endLine);
    else joined.push({ ...range });
  }
  return joined;
}
