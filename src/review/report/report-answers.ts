// What reviewers answered about a change, whoever ran them: read, checked against the hunks, merged and written as a report.
import * as z from 'zod';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { textField } from '../../core/model/input.js';
import { galleyVersion } from '../../core/model/version.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import { coverageLine } from '../change/coverage.js';
import { isInvoluntary } from '../change/omission.js';
import { type OpenReviewOptions, openReview } from '../change/open-review.js';
import { reviewRequest } from '../change/review-request.js';
import { placeFindings } from '../findings/check-anchors.js';
import { severities } from '../findings/finding.js';
import { type ReadAnswer, readFindingsAnswer } from '../findings/read-answer.js';
import { readExemptions } from './exemptions.js';
import { readEarlierFindings, readReport } from './json-report.js';
import type { Report } from './report.js';
import { failsAt, reportPlaced } from './report.js';
import { summariseReport } from './report-summary.js';
import type { ReportWords } from './report-words.js';
import { reportLanguages, reportWords } from './report-words.js';
import { type ReportFormat, reportFormats, writeReport } from './write-report.js';

export const reportRequest = reviewRequest.extend({
  /** One text per page that was reviewed, as the model gave it. */
  answers: z.array(textField()).max(10_000).default([]),
  /** In place of answers: a report in JSON, to be written in another format as it is. */
  report: textField().optional(),
  format: z.enum(reportFormats).default('markdown'),
  /** An earlier report in JSON: its findings are carried on or resolved. */
  earlier: textField().optional(),
  minSeverity: z.enum(severities).optional(),
  minConfidence: z.number().min(0).max(1).optional(),
  most: z.int().min(1).max(10_000).optional(),
  failLevel: z.enum([...severities, 'none']).default('none'),
  /** In which the report is worded, where people read it; findings stay as they were answered. */
  language: z.enum(reportLanguages).optional(),
});

export interface AnsweredReport {
  readonly report: string;
  readonly format: ReportFormat;
  readonly findings: Report['findings'];
  readonly held: number;
  /** False when a part could not be read or is missing; what is there stands. */
  readonly complete: boolean;
  /** Whether a finding reaches the level that was asked for. */
  readonly fails: boolean;
  readonly warnings: Report['warnings'];
}

export async function reportAnswers(
  request: z.output<typeof reportRequest>,
  context: OpenReviewOptions,
): Promise<AnsweredReport> {
  const {
    answers,
    format,
    earlier,
    minSeverity,
    minConfidence,
    most,
    failLevel,
    report: text,
    ...rest
  } = request;
  const { language, ...review } = rest;
  if (text !== undefined) return rewritten(text, { answers, format, failLevel, language });
  const read = answers.map(readFindingsAnswer);
  const known = earlier === undefined ? [] : readEarlierFindings(earlier);
  return openReview(review, context, async (opened) => {
    const { repository, kept, spare, omitted, warnings, signal } = opened;
    const exempt = await readExemptions(opened);
    const patches: FilePatch[] = [];
    // Whether pages had room for files that are usually left out is not known here, and answers may speak of them.
    const readable = [...kept, ...spare.entries];
    for await (const patch of streamPatches(repository, readable, { signal })) patches.push(patch);
    const usual = new Set(kept);
    const lost = read.filter(({ readable, whole }) => !readable || !whole).length;
    const covered = {
      files: kept.length,
      ...countsOf(patches.filter(({ entry }) => usual.has(entry))),
      cut: lost > 0,
    };
    const coverageIn = ({ coverage }: ReportWords) =>
      coverageLine(covered, omitted, coverage) + (lost === 0 ? '' : coverage.answersLost(lost, read.length));
    const placed = await placeFindings(
      read.flatMap(({ findings }) => findings),
      { repository, patches, signal },
    );
    const report = reportPlaced(placed, {
      tool: { name: 'galley', version: galleyVersion },
      summary: summariseReport(read.map(summaryOf)),
      carry: { earlier: known },
      complete: lost === 0 && !omitted.some(isInvoluntary),
      coverage: coverageIn(reportWords()),
      warnings: [...warnings, ...read.flatMap(warningsOf)],
      selection: { minSeverity, minConfidence, most, exempt },
    });
    const { findings, held, complete } = report;
    const fails = failsAt(report, failLevel);
    return {
      report: writeReport(report, format, { language, coverage: coverageIn(reportWords(language)) }),
      format,
      findings,
      held: held.length,
      complete,
      fails,
      warnings: report.warnings,
    };
  });
}

type Rewriting = Pick<z.output<typeof reportRequest>, 'answers' | 'format' | 'failLevel' | 'language'>;

function rewritten(text: string, { answers, format, failLevel, language }: Rewriting): AnsweredReport {
  if (answers.length > 0)
    throw new GalleyError('INVALID_ARGUMENT', 'report: give answers or a report, not both.', {
      details: { field: 'report' },
    });
  const report = readReport(text, 'report');
  const { findings, held, complete, warnings } = report;
  return {
    report: writeReport(report, format, { language }),
    ...{ format, findings, complete, warnings, held: held.length, fails: failsAt(report, failLevel) },
  };
}

function summaryOf({ summary = '', findings }: ReadAnswer) {
  return { text: summary, severities: findings.map(({ severity }) => severity) };
}

/** With the number of the answer where there are several. */
function warningsOf({ warnings }: ReadAnswer, index: number, all: readonly ReadAnswer[]): Warning[] {
  const named = (message: string) => (all.length === 1 ? message : `answer ${index + 1}: ${message}`);
  return warnings.map((warning) => ({ ...warning, message: named(warning.message) }));
}

function countsOf(patches: readonly FilePatch[]): { added: number; removed: number } {
  const sum = (pick: (patch: FilePatch) => number) =>
    patches.reduce((total, patch) => total + pick(patch), 0);
  return { added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}
