// Takes secrets out of a text before anybody outside sees it. The lines stay where they are; each value becomes the name of the
// rule that found it, so the value is in neither the text nor the account of it.
import { looksSecret } from './looks-secret.js';
import { privateKeyRanges, type TextRange } from './private-keys.js';
import { secretRules } from './secret-rules.js';

export interface SecretHit {
  readonly rule: string;
  /** Where the value stood in the text that was given. */
  readonly offset: number;
}

export interface RedactedText {
  readonly text: string;
  readonly hits: readonly SecretHit[];
}

interface Found extends TextRange {
  readonly rule: string;
}

/** What stands in place of a secret. */
export const redactionMark = /\[redacted:[a-z-]+\]/;

export function redact(text: string, path = ''): RedactedText {
  const found: Found[] = privateKeyRanges(text).map((range) => ({ ...range, rule: 'private-key' }));
  for (const { id, pattern, assigned, paths } of secretRules) {
    if (paths !== undefined && !paths.test(path)) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
      const value = text.slice(start, end);
      if (redactionMark.test(value) || (assigned && !looksSecret(value))) continue;
      found.push({ start, end, rule: id });
    }
  }
  if (found.length === 0) return { text, hits: [] };
  // Of those that overlap, the first rule of the table names the value; what reaches further is covered as well.
  const merged: Found[] = [];
  for (const range of found.sort((left, right) => left.start - right.start)) {
    const before = merged.at(-1);
    if (before === undefined || range.start >= before.end) merged.push(range);
    else if (range.end > before.end) merged[merged.length - 1] = { ...before, end: range.end };
  }
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, rule } of merged) {
    parts.push(text.slice(done, start), `[redacted:${rule}]`);
    done = end;
  }
  parts.push(text.slice(done));
  return { text: parts.join(''), hits: merged.map(({ start, rule }) => ({ rule, offset: start })) };
}
