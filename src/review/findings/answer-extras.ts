// What an answer holds beside its findings, in the many ways models write it: a summary, requests for more, verdicts on findings.
import { type Fields, fieldText, lineOf } from './draft-fields.js';

/** As it was asked; whether it can be served is judged elsewhere. */
export interface AskedRequest {
  readonly type: string;
  readonly unit?: string | undefined;
  /** The symbol or the words it is about. */
  readonly details?: string | undefined;
}

export interface Verdict {
  /** One-based, in the list that was shown. */
  readonly finding: number;
  readonly isRefuted: boolean;
  readonly reason: string;
}

export interface AnswerExtras {
  readonly summary?: string;
  readonly requests: readonly AskedRequest[];
  readonly verdicts: readonly Verdict[];
}

/** In UTF-16 code units. */
const limits = { summary: 1_000, field: 600, reason: 500, requests: 1_000, verdicts: 1_000 } as const;

export function answerExtras(values: readonly unknown[]): AnswerExtras {
  const objects = values.filter(isFields);
  const summary = objects.map((fields) => fieldText(fields, ['summary'])).find((text) => text !== undefined);
  const rows = (names: readonly string[], most: number) =>
    objects
      .flatMap((fields) => names.map((name) => fields[name]))
      .flatMap((list) => (Array.isArray(list) ? list : []))
      .slice(0, most)
      .filter(isFields);
  return {
    ...(summary === undefined ? {} : { summary: cut(summary.trim(), limits.summary) }),
    requests: rows(['requests', 'extra_requests'], limits.requests).map(requestOf),
    verdicts: rows(['verdicts', 'verifications'], limits.verdicts).flatMap(verdictOf),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requestOf(fields: Fields): AskedRequest {
  const unit = fieldText(fields, ['unit', 'unit_id']);
  const details = fieldText(fields, ['details', 'symbol', 'keyword', 'text', 'name', 'query', 'path']);
  return {
    type: cut(fieldText(fields, ['type', 'kind', 'request']) ?? '', limits.field),
    ...(unit === undefined ? {} : { unit: cut(unit.trim(), limits.field) }),
    ...(details === undefined ? {} : { details: cut(details.trim(), limits.field) }),
  };
}

const refuting = /^(?:refuted?|rejected?|false|wrong|invalid|no|incorrect|false[ _-]positive)$/i;
const confirming = /^(?:confirm(?:ed)?|true|valid|yes|correct|upheld|true[ _-]positive)$/i;

/** What says neither is no verdict. */
function verdictOf(fields: Fields): Verdict[] {
  const finding = lineOf(fields.finding ?? fields.number ?? fields.id ?? fields.index);
  const said = fields.verdict ?? fields.status ?? fields.result;
  const word = typeof said === 'boolean' ? String(said) : typeof said === 'string' ? said.trim() : '';
  if (finding === undefined || !(refuting.test(word) || confirming.test(word))) return [];
  const reason = fieldText(fields, ['reason', 'why', 'explanation', 'message']) ?? '';
  return [{ finding, isRefuted: refuting.test(word), reason: cut(reason.trim(), limits.reason) }];
}

function cut(text: string, limit: number): string {
  const tidy = text.toWellFormed().replaceAll('\0', '\ufffd');
  if (tidy.length <= limit) return tidy;
  return `${tidy
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}\u2026`;
}
