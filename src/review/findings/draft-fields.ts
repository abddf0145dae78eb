// The single fields of an answered finding, in the many ways models write them. `undefined` means: not there or not readable.

import type { LineRange } from '../../code/range-evidence.js';
import { type Severity, severities } from './finding.js';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    const text =
      Array.isArray(value) && value.every((part) => typeof part === 'string') ? value.join('\n') : value;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return undefined;
}

const severityWords: Readonly<Record<string, Severity>> = {
  blocker: 'critical',
  fatal: 'critical',
  severe: 'critical',
  error: 'high',
  major: 'high',
  important: 'high',
  warning: 'medium',
  warn: 'medium',
  moderate: 'medium',
  minor: 'low',
  nit: 'low',
  nitpick: 'low',
  trivial: 'low',
  style: 'low',
  note: 'info',
  notice: 'info',
  hint: 'info',
  suggestion: 'info',
  informational: 'info',
};

export function severityOf(value: unknown): Severity | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  return (
    severities.find((severity) => severity === word) ??
    (Object.hasOwn(severityWords, word) ? severityWords[word] : undefined)
  );
}

const confidenceWords: Readonly<Record<string, number>> = { high: 0.9, medium: 0.6, low: 0.3 };

export function confidenceOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const word = value.trim().toLowerCase();
    if (Object.hasOwn(confidenceWords, word)) return confidenceWords[word];
    const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(word);
    if (percent !== null) return confidenceOf(Number(percent[1]) / 100);
    return /^\d*\.?\d+$/.test(word) ? confidenceOf(Number(word)) : undefined;
  }
  if (typeof value !== 'number' || !(value >= 0)) return undefined;
  if (value <= 1) return value;
  // Some scales end at ten, some at a hundred.
  if (value <= 10) return value / 10;
  return value <= 100 ? value / 100 : undefined;
}

export function sideOf(value: unknown): 'new' | 'old' | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (['new', 'right', 'added', 'after', 'head', '+'].includes(word)) return 'new';
  return ['old', 'left', 'removed', 'deleted', 'before', 'base', '-'].includes(word) ? 'old' : undefined;
}

export function lineOf(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && /^\s*L?\d{1,10}\s*$/i.test(value) ? Number(value.replace(/\D/g, '')) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 2_147_483_647
    ? number
    : undefined;
}

/** `12`, `"12-14"`, `[12, 14]`, `{ start, end }`, or two fields. */
export function fieldLines(fields: Fields): LineRange | undefined {
  const start = firstLine(fields, [
    'startLine',
    'start_line',
    'lineStart',
    'line_start',
    'relevant_lines_start',
  ]);
  const end = firstLine(fields, ['endLine', 'end_line', 'lineEnd', 'line_end', 'relevant_lines_end']);
  const single = fields.line ?? fields.lines ?? fields.lineNumber ?? fields.line_number ?? fields.range;
  if (start !== undefined || end !== undefined) {
    const first = start ?? lineOf(single) ?? end ?? 1;
    return ordered(first, end ?? first);
  }
  const spans =
    typeof single === 'string'
      ? /^\s*L?(\d{1,10})\s*(?:-|–|:|\.\.|,|to)\s*L?(\d{1,10})\s*$/i.exec(single)
      : null;
  if (spans !== null) return ordered(lineOf(spans[1]), lineOf(spans[2]));
  if (Array.isArray(single)) return ordered(lineOf(single[0]), lineOf(single.at(-1)));
  if (typeof single === 'object' && single !== null && 'start' in single)
    return ordered(lineOf(single.start), lineOf('end' in single ? single.end : single.start));
  return ordered(lineOf(single), lineOf(single));
}

function firstLine(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const line = lineOf(fields[name]);
    if (line !== undefined) return line;
  }
  return undefined;
}

function ordered(first: number | undefined, last: number | undefined): LineRange | undefined {
  if (first === undefined || last === undefined) return undefined;
  return { startLine: Math.min(first, last), endLine: Math.max(first, last) };
}

export function categoryOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const slug = value
    .normalize('NFKC')
    .toLowerCase()
    .slice(0, 200)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug === ''
    ? undefined
    : slug
        .slice(0, 60)
        .toWellFormed()
        .replace(/\ufffd$|-+$/, '');
}
