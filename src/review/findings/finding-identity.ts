// When are two remarks the same? By what they say about which code, never by where that code stands: white space, diff signs and
// shifting numbers do not count.
import { byCodePoint } from '../../core/model/code-points.js';
import { hashText } from '../../meters/content-hash.js';
import { groupBy } from '../change/group-by.js';
import type { FindingDraft } from './finding.js';

export function findingId(draft: Pick<FindingDraft, 'path' | 'category' | 'evidence' | 'message'>): string {
  const subject = hasSubstance(draft.evidence)
    ? `code\0${normalCode(draft.evidence)}`
    : `message\0${normalMessage(draft.message)}`;
  return hashText(`${draft.path}\0${draft.category}\0${subject}`).slice(0, 20);
}

/** The same code may stand twice in a file: later ones, in the order of the file, are numbered. */
export function numberEqualIds<
  T extends { readonly id: string } & Pick<FindingDraft, 'side' | 'startLine' | 'message'>,
>(findings: readonly T[]): T[] {
  const groups = groupBy(findings, ({ id }) => id);
  const ids = new Map<T, string>();
  for (const [id, group] of groups)
    group
      .sort(
        (left, right) =>
          byCodePoint(left.side, right.side) ||
          left.startLine - right.startLine ||
          byCodePoint(left.message, right.message),
      )
      .forEach((finding, index) => {
        ids.set(finding, index === 0 ? id : `${id}-${index + 1}`);
      });
  return findings.map((finding) => ({ ...finding, id: ids.get(finding) ?? finding.id }));
}

/** A brace or a blank is no evidence: it stands everywhere. */
export function hasSubstance(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;
}

export function normalLine(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

/** Without blank lines at both ends. */
export function quoteLines(quote: string): string[] {
  const lines = quote.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return [];
  return lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** The same lines when they were quoted out of a diff, sign and all; otherwise undefined. */
export function withoutSigns(lines: readonly string[]): string[] | undefined {
  const signed = lines.filter((line) => line.trim() !== '');
  if (!signed.every((line) => /^[+\- ]/.test(line)) || signed.every((line) => line.startsWith(' ')))
    return undefined;
  return lines.map((line) => line.slice(1));
}

export function normalCode(quote: string): string {
  const lines = quoteLines(quote);
  return (withoutSigns(lines) ?? lines)
    .map(normalLine)
    .filter((line) => line !== '')
    .join('\n');
}

/** Numbers in a remark are mostly line numbers, which move with every push. */
function normalMessage(message: string): string {
  return normalLine(message.normalize('NFKC').toLowerCase().replace(/\d+/g, '0'));
}

export type MessageTokens = ReadonlySet<string>;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Words; scripts without spaces are compared by pairs of characters. */
export function messageTokens(message: string): MessageTokens {
  const tokens = new Set<string>();
  for (const [word] of normalMessage(message).matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!unspaced.test(word)) tokens.add(word);
    else {
      const characters = [...word];
      if (characters.length === 1) tokens.add(word);
      for (let at = 0; at + 1 < characters.length; at += 1)
        tokens.add(`${characters[at]}${characters[at + 1]}`);
    }
  }
  return tokens;
}

/** From 0 to 1. */
export function messageOverlap(left: MessageTokens, right: MessageTokens): number {
  let shared = 0;
  for (const token of left) if (right.has(token)) shared += 1;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
