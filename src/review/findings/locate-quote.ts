// Where does quoted code stand? Exact lines first, then without white space and diff signs, then inside one line; among equals
// the nearest to the claimed line wins, and a tie is no answer.
import type { ChangedFile, LineRange, SideLines } from './changed-lines.js';
import type { Side } from './finding.js';
import { hasSubstance, normalLine, quoteLines, withoutSigns } from './normal-text.js';

export type QuotePlace =
  | ({ readonly kind: 'found' } & LineRange)
  | { readonly kind: 'ambiguous' | 'not-found' };

type Test = (text: string, at: number) => boolean;

const longestLine = 20_000;

export function locateQuote(
  file: ChangedFile,
  side: Side,
  quote: { readonly text: string; readonly near: number },
): QuotePlace {
  const lines = quoteLines(quote.text);
  if (!hasSubstance(quote.text) || lines.length === 0) return { kind: 'not-found' };
  for (const test of testsFor(lines)) {
    const starts = file.hunks.flatMap((hunk) => matches(hunk[side], lines.length, test));
    if (starts.length === 0) continue;
    const start = nearest(starts, quote.near);
    if (start === undefined) return { kind: 'ambiguous' };
    return { kind: 'found', startLine: start, endLine: start + lines.length - 1 };
  }
  return { kind: 'not-found' };
}

function testsFor(lines: readonly string[]): Test[] {
  const unsigned = withoutSigns(lines);
  const readings = unsigned === undefined ? [lines] : [lines, unsigned];
  const normal = readings.map((reading) => reading.map(normalLine));
  const tests: Test[] = [
    ...readings.map(
      (reading): Test =>
        (text, at) =>
          text === reading[at],
    ),
    ...normal.map(
      (reading): Test =>
        (text, at) =>
          normalLine(text) === reading[at],
    ),
  ];
  if (lines.length === 1)
    for (const [part = ''] of normal)
      if (hasSubstance(part)) tests.push((text) => normalLine(text).includes(part));
  return tests;
}

function matches(lines: SideLines, length: number, test: Test): number[] {
  const starts: number[] = [];
  for (let from = 0; from + length <= lines.texts.length; from += 1) {
    let at = 0;
    while (at < length && isShort(lines.texts[from + at]) && test(lines.texts[from + at]!, at)) at += 1;
    if (at === length) starts.push(lines.start + from);
  }
  return starts;
}

function isShort(text: string | undefined): boolean {
  return text !== undefined && text.length <= longestLine;
}

function nearest(starts: readonly number[], near: number): number | undefined {
  if (starts.length === 1) return starts[0];
  if (near === 0) return undefined;
  const distance = Math.min(...starts.map((start) => Math.abs(start - near)));
  const closest = starts.filter((start) => Math.abs(start - near) === distance);
  return closest.length === 1 ? closest[0] : undefined;
}
