// What a draft would change, in numbered pieces that can be taken one by one: neighbouring sentences that changed are one piece,
// unless each is plainly the new wording of the one beside it.
import { paragraphEnds, sentenceEnds } from '../documents/borders.js';
import { indexText } from '../documents/indexed-text.js';
import { usualBreak, withBreaks } from './chapter-text.js';
import type { Draft } from './draft.js';
import { type Edit, editsBetween } from './sentence-diff.js';

export interface DraftPiece extends Edit {
  /** From 1 on, in reading order. */
  readonly number: number;
  /** What it replaces; empty for an insertion. */
  readonly before: string;
}

/** `base` is the chapter the draft was made from. */
export function piecesOf(base: string, draft: Pick<Draft, 'start' | 'end' | 'text'>): DraftPiece[] {
  const { start, end, text } = replacementIn(base, draft);
  const old = base.slice(start, end);
  const edits = joined(old, editsBetween(old, text)).flatMap((edit) => paired(old, edit));
  return edits.map((edit, index) => ({
    number: index + 1,
    start: edit.start + start,
    end: edit.end + start,
    text: edit.text,
    before: old.slice(edit.start, edit.end),
  }));
}

/** Without white space around it, but for the indent of its first paragraph, which Chinese books give every one. */
export function withIndent(text: string): string {
  const [, indent = ''] = /^\s*?(\u3000*)(?=\S)/u.exec(text) ?? [];
  return indent + text.trim();
}

/** The words of the draft as they stand in the chapter: white space around them is that of the chapter. */
function replacementIn(base: string, { start, end, text }: Pick<Draft, 'start' | 'end' | 'text'>): Edit {
  const indexed = indexText(base);
  const from = indexed.unitAt(start);
  const to = indexed.unitAt(end);
  const lineBreak = usualBreak(base);
  const words = withBreaks(from < to ? text.trim() : withIndent(text), lineBreak);
  return from < to ? { start: from, end: to, text: words } : insertion(base, from, words, lineBreak);
}

const unfinished = /[^\s。！？!?.…：:"'”’」』）)\]】*_-]$/u;

/** Behind a finished paragraph a new one begins; within one the words go on where the cursor is. */
function insertion(base: string, unit: number, words: string, lineBreak: string): Edit {
  const before = base.slice(0, unit);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const rest = /^[^\r\n]*/.exec(base.slice(unit))?.[0] ?? '';
  if (words === '') return { start: unit, end: unit, text: '' };
  if (rest.trim() !== '' || (unfinished.test(line.trimEnd()) && !/^\s{0,3}#/.test(line))) {
    const bare = words.trimStart();
    const gap =
      /[\p{Script=Latin}\p{N},;.!?]$/u.test(before) && /^[\p{Script=Latin}\p{N}]/u.test(bare) ? ' ' : '';
    const behind =
      /[\p{Script=Latin}\p{N},;.!?"']$/u.test(bare) && /^[\p{Script=Latin}\p{N}]/u.test(rest) ? ' ' : '';
    return { start: unit, end: unit, text: gap + bare + behind };
  }
  const at = before.trimEnd().length;
  if (at === 0)
    return {
      start: unit,
      end: unit,
      text: base.slice(unit).trim() === '' ? words : words + lineBreak.repeat(2),
    };
  const isSpaced = /\n[ \t\r]*\n/.test(base) || !base.slice(0, at).includes('\n');
  const follows = /^\s*\S/.test(base.slice(at)) && !/^[ \t]*[\r\n]/.test(base.slice(at)) ? lineBreak : '';
  return { start: at, end: at, text: lineBreak.repeat(isSpaced ? 2 : 1) + words + follows };
}

/** Edits with nothing but blanks of one line between them are one. */
function joined(old: string, edits: readonly Edit[]): Edit[] {
  const whole: Edit[] = [];
  for (const edit of edits) {
    const last = whole.at(-1);
    const between = last === undefined ? undefined : old.slice(last.end, edit.start);
    if (last !== undefined && between !== undefined && /^[^\S\n]*$/u.test(between))
      whole[whole.length - 1] = { start: last.start, end: edit.end, text: last.text + between + edit.text };
    else whole.push(edit);
  }
  return whole;
}

/** As many sentences on both sides, each like the other: a piece each. */
function paired(old: string, edit: Edit): Edit[] {
  const before = spansOf(old, edit.start, edit.end);
  const after = spansOf(edit.text, 0, edit.text.length);
  if (before.length < 2 || before.length !== after.length) return [edit];
  const pairs = before.map(([start, end], index) => {
    const [from, to] = after[index] ?? [0, 0];
    return { start, end, text: edit.text.slice(from, to) };
  });
  const isLike = pairs.every(
    ({ start, end, text }) => likeness(old.slice(start, end), text) >= leastLikeness,
  );
  return isLike ? pairs.filter(({ start, end, text }) => old.slice(start, end) !== text) : [edit];
}

const leastLikeness = 0.3;

function spansOf(text: string, from: number, to: number): (readonly [number, number])[] {
  let start = from;
  return sentenceEnds(text, from, to).map((end) => {
    const span = [start, end] as const;
    start = end;
    return span;
  });
}

/** How many pairs of neighbouring characters both have, 0 to 1. */
function likeness(left: string, right: string): number {
  const [a, b] = [bigrams(left), bigrams(right)];
  if (a.size + b.size === 0) return 1;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

function bigrams(text: string): Set<string> {
  const characters = [...text.replace(/\s+/gu, '')];
  return new Set(characters.slice(1).map((character, index) => characters[index] + character));
}

/** Where a code unit of a chapter is, for people: lines and paragraphs from 1 on. */
export function placeOf(text: string, unit: number): { readonly line: number; readonly paragraph: number } {
  const before = text.slice(0, unit);
  const paragraph = paragraphEnds(text, 0, text.length).findIndex((end) => unit < end);
  return {
    line: before.split('\n').length,
    paragraph: paragraph < 0 ? paragraphEnds(text, 0, text.length).length : paragraph + 1,
  };
}
