// The lines a remark may stand on, exactly those the hunks show, and where quoted code stands among them.
import type { LineRange } from '../../code/range-evidence.js';
import { type FilePatch, hunkLines, lineText } from '../../git/patch/patch.js';
import type { FindingSide } from './finding.js';
import { hasSubstance, normalLine, quoteLines, withoutSigns } from './finding-identity.js';

interface SideLines {
  /** Number of the first line. */
  readonly start: number;
  readonly texts: readonly string[];
}

interface ShownHunk {
  readonly old: SideLines;
  readonly new: SideLines;
  /** For each old line its number on the new side, 0 where it was removed. */
  readonly twins: readonly number[];
}

export interface ShownFile {
  readonly path: string;
  readonly hunks: readonly ShownHunk[];
  /** Text that cannot be written back from what is shown. */
  readonly lossy: boolean;
}

/** Takes whole patches of a change set, not pieces of them: pieces count lines of files that never existed. */
export function shownFiles(
  patches: Iterable<FilePatch>,
  wanted: ReadonlySet<string>,
): Map<string, ShownFile> {
  const files = new Map<string, ShownFile>();
  const formerNames = new Map<string, string>();
  const pending: FilePatch[] = [];
  for (const patch of patches) {
    const { path, oldPath, status } = patch.entry;
    if (oldPath !== undefined && (status === 'renamed' || !formerNames.has(oldPath)))
      formerNames.set(oldPath, path);
    pending.push(patch);
  }
  const changed = new Set(pending.map(({ entry }) => entry.path));
  const names = new Map<string, string>();
  for (const name of wanted) {
    const target = [name, name.replace(/^[ab]\//, '')]
      .map((candidate) => (changed.has(candidate) ? candidate : formerNames.get(candidate)))
      .find((candidate) => candidate !== undefined);
    if (target !== undefined) names.set(name, target);
  }
  const targets = new Set(names.values());
  const byPath = new Map<string, ShownFile>();
  for (const patch of pending) {
    const { path } = patch.entry;
    if (!targets.has(path)) continue;
    const earlier = byPath.get(path);
    byPath.set(path, {
      path,
      hunks: [...(earlier?.hunks ?? []), ...patch.hunks.map(shownHunk)],
      lossy: patch.lossy || earlier?.lossy === true,
    });
  }
  for (const [name, target] of names) files.set(name, byPath.get(target)!);
  return files;
}

function shownHunk(hunk: FilePatch['hunks'][number]): ShownHunk {
  const oldTexts: string[] = [];
  const newTexts: string[] = [];
  const twins: number[] = [];
  for (const line of hunkLines(hunk)) {
    const text = lineText(line).replace(/\r$/, '');
    if (line.kind !== 'added') {
      oldTexts.push(text);
      twins.push(line.kind === 'context' ? hunk.newStart + newTexts.length : 0);
    }
    if (line.kind !== 'removed') newTexts.push(text);
  }
  return {
    old: { start: hunk.oldStart, texts: oldTexts },
    new: { start: hunk.newStart, texts: newTexts },
    twins,
  };
}

export function holdsLine(lines: SideLines, line: number): boolean {
  return line >= lines.start && line < lines.start + lines.texts.length;
}

/** The one hunk that holds the whole range on that side. */
export function hunkAround(file: ShownFile, side: FindingSide, range: LineRange): ShownHunk | undefined {
  return file.hunks.find(
    (hunk) => holdsLine(hunk[side], range.startLine) && holdsLine(hunk[side], range.endLine),
  );
}

export function rangeTexts(lines: SideLines, range: LineRange): readonly string[] {
  return lines.texts.slice(range.startLine - lines.start, range.endLine - lines.start + 1);
}

type QuotePlace = ({ readonly kind: 'found' } & LineRange) | { readonly kind: 'ambiguous' | 'not-found' };

type Test = (text: string, at: number) => boolean;

const longestLine = 20_000;

/**
 * Exact lines first, then without white space and diff signs, then inside one line; among equals the nearest to the claimed
 * line wins, and a tie is no answer.
 */
export function locateQuote(
  file: ShownFile,
  side: FindingSide,
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
