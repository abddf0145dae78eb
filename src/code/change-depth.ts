// How deep does a change go? Both sides are compared with more and more taken away, until they are equal.
import { indexLines, lineEnd } from './line-index.js';
import type { Outline, Spans } from './syntax/outline-model.js';

export type ChangeDepth = 'none' | 'whitespace' | 'comment' | 'string' | 'code';

/** One side of a change; a range that ends before it starts is empty. */
export interface ChangeSide {
  readonly text: string;
  readonly outline: Pick<Outline, 'language' | 'comments' | 'strings'>;
  readonly startLine: number;
  readonly endLine: number;
}

const indentCarriesMeaning = new Set(['python', 'yaml', 'makefile', 'haskell', 'markdown', 'text', 'scala']);

/** Outlines made with `roles: true` know their strings; without them 'string' is never the answer. */
export function changeDepth(before: ChangeSide, after: ChangeSide): ChangeDepth {
  if (raw(before) === raw(after)) return 'none';
  const indent =
    indentCarriesMeaning.has(before.outline.language) || indentCarriesMeaning.has(after.outline.language);
  const same = (form: Form): boolean => normalForm(before, form) === normalForm(after, form);
  if (same({ indent, comments: 'keep', strings: 'keep' })) return 'whitespace';
  if (same({ indent, comments: 'drop', strings: 'keep' })) return 'comment';
  if (same({ indent, comments: 'drop', strings: 'mask' })) return 'string';
  return 'code';
}

interface Form {
  readonly indent: boolean;
  readonly comments: 'keep' | 'drop';
  readonly strings: 'keep' | 'mask';
}

function bounds({ text, startLine, endLine }: ChangeSide): [number, number] {
  const lines = indexLines(text);
  const last = Math.min(endLine, lines.count);
  if (startLine < 1 || last < startLine) return [0, 0];
  return [lines.starts[startLine - 1]!, lineEnd(lines, text, last)];
}

function raw(side: ChangeSide): string {
  return side.text.slice(...bounds(side));
}

function normalForm(side: ChangeSide, form: Form): string {
  const [start, end] = bounds(side);
  const pieces: string[] = [];
  let from = start;
  for (const { at, until, kind } of spansWithin(side.outline, start, end)) {
    if (at < from) continue;
    pieces.push(collapse(side.text.slice(from, at), form.indent));
    const piece = side.text.slice(at, until);
    if (kind === 'string') pieces.push(form.strings === 'mask' ? '\u0000' : sealed(piece));
    else if (form.comments === 'keep') pieces.push(collapse(piece, false));
    from = until;
  }
  pieces.push(collapse(side.text.slice(from, end), form.indent));
  // Lines that held nothing but a dropped comment leave no trace.
  return pieces
    .join(' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (form.indent ? line.replace(/(\S) +/g, '$1 ').trimEnd() : line.trim().replace(/ +/g, ' ')))
    .join(form.indent ? '\n' : ' ');
}

/** Spaces and line ends inside a string are content, so the layout pass must not see them. */
function sealed(string: string): string {
  return string.replaceAll(' ', '\u0001').replaceAll('\n', '\u0002');
}

/** Words and signs one space apart; where indentation carries meaning, line starts stay. */
function collapse(text: string, indent: boolean): string {
  if (!indent) return text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)?.join(' ') ?? '';
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? '' : (/^[ \t]*/.exec(line)?.[0] ?? '')) + collapse(line, false))
    .join('\n');
}

function spansWithin(
  outline: ChangeSide['outline'],
  start: number,
  end: number,
): { at: number; until: number; kind: 'comment' | 'string' }[] {
  const clip = (spans: Spans, kind: 'comment' | 'string') => {
    const found: { at: number; until: number; kind: 'comment' | 'string' }[] = [];
    for (let index = 0; index < spans.length; index += 2) {
      if (spans[index]! >= end || spans[index + 1]! <= start) continue;
      found.push({ at: Math.max(start, spans[index]!), until: Math.min(end, spans[index + 1]!), kind });
    }
    return found;
  };
  return [...clip(outline.comments, 'comment'), ...clip(outline.strings, 'string')].sort(
    (a, b) => a.at - b.at || b.until - a.until,
  );
}
