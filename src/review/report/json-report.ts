// The report as JSON with a version, and the way back: the next review reads here what was said before.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { findingSchema, type ReviewFinding } from '../findings/finding.js';
import { visibleJson } from './machine-text.js';
import { exactlyCounted, type Report, type ReportedFinding } from './report.js';

const jsonReportVersion = 1;
const format = 'galley.review';

const place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('anchored'), by: z.string() }),
  z.strictObject({ kind: z.literal('summary'), reason: z.string() }),
]);
const reported = findingSchema.safeExtend({
  place,
  standing: z.enum(['new', 'still-there']),
  lostSuggestion: z.string().optional(),
  /** Why a second look did not confirm it. */
  refuted: z.string().optional(),
});

export const jsonReportSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(jsonReportVersion),
  tool: z.strictObject({ name: z.string(), version: z.string(), url: z.string().optional() }),
  summary: z.strictObject({ lines: z.array(z.string()), more: z.int().min(0) }).optional(),
  complete: z.boolean(),
  coverage: z.string().optional(),
  counts: z.record(z.string(), z.int().min(0)),
  findings: z.array(reported),
  held: z.array(
    reported.safeExtend({ holdReason: z.enum(['refuted', 'exempt', 'below-threshold', 'over-cap']) }),
  ),
  resolved: z.array(findingSchema),
  unchecked: z.array(findingSchema),
  duplicates: z.int().min(0),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

export function writeJson(report: Report): string {
  const { tool, summary, complete, coverage, findings, held, resolved, unchecked, duplicates, warnings } =
    report;
  const value: z.input<typeof jsonReportSchema> = {
    format,
    version: jsonReportVersion,
    tool: { ...tool },
    ...(summary === undefined ? {} : { summary: { lines: [...summary.lines], more: summary.more } }),
    complete,
    ...(coverage === undefined ? {} : { coverage }),
    counts: exactlyCounted(findings),
    findings: findings.map(flat),
    held: held.map(({ item, reason }) => ({ ...flat(item), holdReason: reason })),
    resolved: resolved.map(inOrder),
    unchecked: unchecked.map(inOrder),
    duplicates,
    warnings: warnings.map((warning) => ({ ...warning })),
  };
  return `${visibleJson(value, 2)}\n`;
}

/** What the earlier review knew, shown or not. */
export function readEarlierFindings(text: string): ReviewFinding[] {
  const { findings, held, unchecked } = readJsonReport(text, 'earlier');
  return [...findings, ...held, ...unchecked].map(inOrder);
}

/** A report as it was before it was written as JSON. */
export function readReport(text: string, field: string): Report {
  const { findings, held, tool, summary, resolved, unchecked, duplicates, complete, coverage, warnings } =
    readJsonReport(text, field);
  return {
    tool: { name: tool.name, version: tool.version, ...(tool.url === undefined ? {} : { url: tool.url }) },
    ...(summary === undefined ? {} : { summary }),
    findings: findings.map(reportedOf),
    held: held.map(({ holdReason, ...item }) => ({ item: reportedOf(item), reason: holdReason })),
    ...{ resolved, unchecked, duplicates, complete },
    ...(coverage === undefined ? {} : { coverage }),
    warnings: warnings as Report['warnings'],
  };
}

function reportedOf(read: z.output<typeof reported>): ReportedFinding {
  const { place: where, standing, lostSuggestion, refuted, ...finding } = read;
  return {
    finding: inOrder(finding),
    place: where,
    standing,
    ...(lostSuggestion === undefined ? {} : { lostSuggestion }),
    ...(refuted === undefined ? {} : { refuted }),
  } as ReportedFinding;
}

function readJsonReport(text: string, field: string): z.output<typeof jsonReportSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${field}: the report is not JSON; give one that was written as JSON.`,
      {
        details: { field },
        cause,
      },
    );
  }
  const read = jsonReportSchema.safeParse(value);
  if (read.success) return read.data;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    `${field}: this is JSON and no report of Galley; galley review and galley pr review write one with --format json.`,
    { details: { field } },
  );
}

function flat({ finding, place: where, standing, lostSuggestion, refuted }: ReportedFinding) {
  return {
    ...inOrder(finding),
    place: { ...where },
    standing,
    ...(lostSuggestion === undefined ? {} : { lostSuggestion }),
    ...(refuted === undefined ? {} : { refuted }),
  };
}

/** Fields in one order, whoever made the object. */
function inOrder(finding: ReviewFinding): ReviewFinding {
  const { id, path, side, startLine, endLine, severity, category, confidence, title, message, evidence } =
    finding;
  const plain = {
    id,
    path,
    side,
    startLine,
    endLine,
    severity,
    category,
    confidence,
    title,
    message,
    evidence,
  };
  const { suggestion, remedy } = finding;
  if (remedy !== undefined) return { ...plain, remedy };
  if (suggestion === undefined) return plain;
  const { replacement, startLine: first, endLine: last } = suggestion;
  return { ...plain, suggestion: { replacement, startLine: first, endLine: last } };
}
