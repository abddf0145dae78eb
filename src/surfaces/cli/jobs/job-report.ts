// The report of a review that ran as a job, in any format a review has.
import { GalleyError } from '../../../core/model/error.js';
import { galleyVersion } from '../../../core/model/version.js';
import type { AnswerOf } from '../../../operations/table.js';
import type { ReportFormat } from '../../../review/report/write-report.js';
import type { ReviewRun } from '../../../review/run/result-of-run.js';

type Shown = AnswerOf<'jobs:start'>;

const reviews: ReadonlySet<string> = new Set(['review:run', 'forge:review']);

export function isReviewed({ operation, status }: Shown): boolean {
  return reviews.has(operation) && status === 'succeeded';
}

export async function reportOfJob(job: AnswerOf<'jobs:get'>, format: ReportFormat): Promise<string> {
  const answer = 'answer' in job ? Object(job.answer) : {};
  const run = (answer.review ?? answer) as ReviewRun;
  if (!isReviewed(job) || run.dryRun !== false)
    throw new GalleyError('INVALID_ARGUMENT', 'format: only a review that ended has a report.', {
      details: { field: 'format' },
    });
  if (run.format === format) return withEnd(run.report);
  const [{ writeReport }, { readReport }] = await Promise.all([
    import('../../../review/report/write-report.js'),
    import('../../../review/report/json-report.js'),
  ]);
  const report =
    run.format === 'json'
      ? readReport(run.report, 'report')
      : {
          tool: { name: 'galley', version: galleyVersion },
          ...{ findings: run.findings, held: [], resolved: [], unchecked: [], duplicates: 0 },
          ...{ complete: run.complete, coverage: run.coverage, warnings: run.warnings },
        };
  return withEnd(writeReport(report, format));
}

const withEnd = (text: string) => text.replace(/\n?$/, '\n');
