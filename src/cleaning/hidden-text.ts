// Shows what a reader could not see, line by line: the text keeps its lines, and every kind of hidden text is accounted for.
import { findHidden, type HiddenCharacterKind, showHidden } from './hidden-characters.js';

export type HiddenKind = HiddenCharacterKind | 'comment-to-model';

export interface HiddenHit {
  readonly kind: HiddenKind;
  /** Zero-based line of the text. */
  readonly lineIndex: number;
  readonly count: number;
}

export interface NeutralText {
  readonly text: string;
  readonly hits: readonly HiddenHit[];
  /** Whether the text differs from what was given. */
  readonly changed: boolean;
}

// Most lines are plain, and need no closer look.
const plain = /^[\t\x20-\x7e]*$/;

// Comments a reader of the rendered page never sees, worded for somebody who reads the source: a model.
const rendered = /\.(?:md|mdx|markdown|mkd|rst|html?|xhtml|vue|svelte|astro|adoc|txt)$/i;
const comment = /<!--([\s\S]{1,4000}?)(?:-->|$)|^[ +-]\[\/\/\]:\s*#\s*\(?([^\n]{1,2000})/gm;
const address =
  /\b(?:ignore|disregard|forget|override)\b[\s\S]{0,80}\b(?:previous|prior|above|earlier|instructions?|rules?|prompts?)\b|\b(?:ai|a\.i\.|llms?|language models?|chat ?bots?|assistants?|agents?|chatgpt|gpt|claude|copilot|gemini|reviewers?|system prompt)\b|\byou (?:are|must|should|will) |\b(?:do not|don't|never) (?:report|mention|flag|review|comment)\b|\b(?:approve|lgtm|no findings|no issues)\b|(?:忽略|无视)[\s\S]{0,30}(?:指令|指示|规则|提示)/i;

export function neutralise(text: string, path = ''): NeutralText {
  const hits: HiddenHit[] = [];
  let changed = false;
  const lines = text.split('\n').map((line, lineIndex) => {
    // The carriage return of a line end is no trick; one inside a line is.
    const end = line.endsWith('\r') ? '\r' : '';
    const body = end === '' ? line : line.slice(0, -1);
    if (plain.test(body)) return line;
    const counts = new Map<HiddenKind, number>();
    for (const { kind } of findHidden(body)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (counts.size === 0) return line;
    changed = true;
    for (const [kind, count] of counts) hits.push({ kind, lineIndex, count });
    return showHidden(body) + end;
  });
  const comments = lineIndexes(text, commentsToModels(text, path));
  for (const lineIndex of comments) hits.push({ kind: 'comment-to-model', lineIndex, count: 1 });
  return { text: changed ? lines.join('\n') : text, hits, changed };
}

/** Offsets at which such comments begin, ascending. */
function commentsToModels(text: string, path: string): number[] {
  if (!rendered.test(path)) return [];
  const offsets: number[] = [];
  for (const match of text.matchAll(comment)) {
    const words = (match[1] ?? match[2] ?? '').replaceAll(/\n[ +-]?/g, ' ');
    if (address.test(words)) offsets.push(match.index);
  }
  return offsets;
}

/** Turns ascending offsets into zero-based line numbers. */
export function lineIndexes(text: string, offsets: readonly number[]): number[] {
  let at = 0;
  let line = 0;
  return offsets.map((offset) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < offset; next = text.indexOf('\n', at)) {
      at = next + 1;
      line += 1;
    }
    return line;
  });
}
