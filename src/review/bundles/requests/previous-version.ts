// How a unit read before the change: its symbol on the old side, or the old lines with what is around them.
import type { LineRange } from '../../../code/range-evidence.js';
import type { ReviewUnit } from '../../units/unit.js';
import { contextText } from '../context-text.js';
import { type Snippet, snippetOf } from '../snippet.js';

const reach = 3;
const longest = 400;

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
