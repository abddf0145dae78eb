// Where a file may be cut: short runs of whole lines that follow its symbols and cover every line once.
import type { LineRange } from '../../code/range-evidence.js';

const smallestGap = 3;

export function segmentFile(
  lines: readonly string[],
  symbols: readonly OutlineSymbol[],
  longest: number,
): LineRange[] {
  const ordered = symbols
    .filter((symbol) => symbol.startLine >= 1 && symbol.endLine <= lines.length)
    .toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const out: LineRange[] = [];
  cut({ startLine: 1, endLine: lines.length }, ordered, { lines, longest, out });
  return out;
}

interface Cutting {
  readonly lines: readonly string[];
  readonly longest: number;
  readonly out: LineRange[];
}

function cut(range: LineRange, symbols: readonly OutlineSymbol[], cutting: Cutting): void {
  let next = range.startLine;
  let index = 0;
  while (index < symbols.length) {
    const symbol = symbols[index]!;
    index += 1;
    if (symbol.startLine < next || symbol.endLine > range.endLine) continue;
    if (symbol.startLine === range.startLine && symbol.endLine === range.endLine) continue;
    const start = leadStart(symbol.startLine, next, cutting.lines);
    if (start - next >= smallestGap || !isThin(next, start - 1, cutting.lines)) {
      windows({ startLine: next, endLine: start - 1 }, cutting);
      next = start;
    }
    const whole = { startLine: next, endLine: symbol.endLine };
    if (whole.endLine - whole.startLine < cutting.longest) cutting.out.push(whole);
    else {
      const inner: OutlineSymbol[] = [];
      while (index < symbols.length && symbols[index]!.startLine <= symbol.endLine) {
        const candidate = symbols[index]!;
        if (candidate.endLine <= symbol.endLine) inner.push(candidate);
        index += 1;
      }
      const children = inner.filter((child) => child.endLine - child.startLine >= smallestGap);
      cut(whole, children, cutting);
    }
    next = symbol.endLine + 1;
  }
  windows({ startLine: next, endLine: range.endLine }, cutting);
}

/** Comments and decorators directly above a symbol belong to it. */
function leadStart(symbolStart: number, lowest: number, lines: readonly string[]): number {
  let start = symbolStart;
  while (start > lowest) {
    const above = (lines[start - 2] ?? '').trim();
    if (!/^(?:\/\/|\/\*|\*|#|@|""")/u.test(above)) break;
    start -= 1;
  }
  return start;
}

function isThin(start: number, end: number, lines: readonly string[]): boolean {
  for (let line = start; line <= end; line += 1) if (/\w/u.test(lines[line - 1] ?? '')) return false;
  return true;
}

function windows(range: LineRange, cutting: Cutting): void {
  const { lines, longest, out } = cutting;
  let start = range.startLine;
  while (start <= range.endLine) {
    const rest = range.endLine - start + 1;
    const end = rest <= longest ? range.endLine : bestBreak(start, longest, lines);
    if (!isThin(start, end, lines)) out.push({ startLine: start, endLine: end });
    else {
      const last = out.at(-1);
      if (last !== undefined && last.endLine === start - 1) out[out.length - 1] = { ...last, endLine: end };
      else out.push({ startLine: start, endLine: end });
    }
    start = end + 1;
  }
}

/** A long run is cut after a blank line if there is one, else before the least indented line of its second half. */
function bestBreak(start: number, longest: number, lines: readonly string[]): number {
  let best = start + longest - 1;
  let bestDepth = Number.POSITIVE_INFINITY;
  for (let end = start + longest - 1; end >= start + Math.floor(longest / 2); end -= 1) {
    const here = lines[end - 1] ?? '';
    const following = lines[end] ?? '';
    const depth = here.trim() === '' ? -1 : following.length - following.trimStart().length;
    if (depth < bestDepth) {
      best = end;
      bestDepth = depth;
    }
  }
  return best;
}

/** Lines are one-based and inclusive. */
export interface OutlineSymbol extends LineRange {
  readonly name: string;
  readonly kind: string;
}

/** What ranking must know of a file's structure; any parser, or none, can answer. */
export interface FileOutline {
  readonly symbols: readonly OutlineSymbol[];
  /** Module specifiers as written. */
  readonly imports: readonly string[];
}
