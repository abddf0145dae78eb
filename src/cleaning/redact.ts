// Takes secrets out of a text before anybody outside sees it. The lines stay where they are; each value becomes the name of the
// rule that found it, so the value is in neither the text nor the account of it.
import { isFilledIn, looksSecret } from './looks-secret.js';
import { type KeyRange, privateKeyRanges } from './private-keys.js';
import { rulesFor, type SecretRule, secretBlock } from './secret-rules.js';

export interface SecretHit {
  readonly rule: string;
  /** Where the value stood in the text that was given. */
  readonly offset: number;
}

export interface RedactedText {
  readonly text: string;
  readonly hits: readonly SecretHit[];
}

interface Found extends KeyRange {
  readonly rule: string;
}

/** What stands in place of a secret. */
export const redactionMark = /\[redacted:[a-z-]+\]/;

export function redact(text: string, path = ''): RedactedText {
  const found = [...findSecrets(text, path), ...findSplitSecrets(text, path)];
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
  const hits = merged
    .filter((range, at) => !goesOn(merged[at - 1], range, text))
    .map(({ start, rule }) => ({ rule, offset: start }));
  return { text: parts.join(''), hits };
}

/** A private key is one value, on however many lines. */
function goesOn(before: Found | undefined, { start, rule }: Found, text: string): boolean {
  if (rule !== 'private-key' || before?.rule !== rule) return false;
  return /^(?:\\[nr]|[^\p{L}\p{N}])*$/u.test(text.slice(before.end, start));
}

function findSecrets(text: string, path: string): Found[] {
  const found: Found[] = privateKeyRanges(text, path).map((range) => ({ ...range, rule: 'private-key' }));
  for (const rule of rulesFor(text, path)) {
    for (const match of text.matchAll(rule.pattern)) {
      const [start, end] = placeOfValue(match);
      if (isTaken(text.slice(start, end), rule, () => nameAround(text, match)))
        found.push({ start, end, rule: rule.id });
    }
  }
  for (const range of blockRanges(text)) found.push({ ...range, rule: 'assigned-secret' });
  return found;
}

function isTaken(value: string, { judge }: SecretRule, nameOf: () => string | undefined): boolean {
  if (redactionMark.test(value) || isFilledIn(value)) return false;
  if (judge !== 'setting-value') return judge === undefined || looksSecret(judge, value);
  const name = nameOf();
  return name !== undefined && looksSecret(judge, value, name);
}

function placeOfValue({ indices }: RegExpExecArray): [start: number, end: number] {
  return indices?.groups?.value ?? indices?.[1] ?? indices?.[0] ?? [0, 0];
}

/** The whole name of the setting that was found by a part of it; undefined where it is a type or a path and no setting. */
function nameAround(text: string, { indices }: RegExpExecArray): string | undefined {
  const [start, end] = indices?.groups?.name ?? [0, 0];
  if (start === end) return '';
  const before = /[\w.$:/-]*$/.exec(text.slice(Math.max(0, start - 60), start))?.[0] ?? '';
  return /\/[\w.$-]*$|\w::[\w.$-]*$/.test(before) ? undefined : before + text.slice(start, end);
}

// Characters without a width of their own cut a key in two for every rule, and not for who copies it.
const splitting = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function findSplitSecrets(text: string, path: string): Found[] {
  if (text.search(splitting) === -1) return [];
  const joined = text.replace(splitting, '');
  const origin = new Uint32Array(joined.length);
  let from = 0;
  let to = 0;
  const copyUntil = (end: number) => {
    while (from < end) origin[to++] = from++;
  };
  for (const { index, 0: sign } of text.matchAll(splitting)) {
    copyUntil(index);
    from += sign.length;
  }
  copyUntil(text.length);
  return findSecrets(joined, path).map(({ start, end, rule }) => ({
    start: origin[start]!,
    end: origin[end - 1]! + 1,
    rule,
  }));
}

const maxBlockLines = 60;

/** Lines of a YAML block under a name for a secret: each is a value of its own, whatever sign a diff gives it. */
function blockRanges(text: string): KeyRange[] {
  const ranges: KeyRange[] = [];
  const indentOf = (line: string) => /^[+-]?[ \t]*/.exec(line)![0].length;
  for (const match of text.matchAll(secretBlock)) {
    const lineStart = text.lastIndexOf('\n', match.index) + 1;
    const name = /[\w.-]+$/.exec(text.slice(lineStart, match.index))?.[0] ?? '';
    const own = indentOf(text.slice(lineStart, match.index));
    let at = match.index + match[0].length + 1;
    for (let count = 0; count < maxBlockLines && at < text.length; count += 1) {
      const next = text.indexOf('\n', at);
      const line = text.slice(at, next === -1 ? text.length : next);
      const value = line.replace(/^[+-]?[ \t]*/, '').trimEnd();
      if (value !== '' && indentOf(line) <= own) break;
      if (/^\S{6,}$/.test(value) && looksSecret('setting-value', value, name + match[0].split(':')[0])) {
        const start = at + indentOf(line);
        ranges.push({ start, end: start + value.length });
      }
      if (next === -1) break;
      at = next + 1;
    }
  }
  return ranges;
}
