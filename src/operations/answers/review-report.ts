import * as z from 'zod';
import { type SummaryReason, summaryReasons } from '../../review/findings/check-anchors.js';
import { findingSchema } from '../../review/findings/finding.js';
import type { AnsweredReport } from '../../review/report/report-answers.js';
import { reportFormats } from '../../review/report/write-report.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { warnings } from './warning.js';

const place = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('anchored'),
      by: z.enum(['given', 'quote', 'side', 'clip']).describe('given as it was said, or what moved it'),
    }),
    z.strictObject({
      kind: z.literal('summary'),
      reason: z.enum(Object.keys(summaryReasons) as SummaryReason[]),
    }),
  ])
  .describe('on lines of the change, or in the summary with the reason');

const reportedFinding = noun(
  'ReportedFinding',
  z.strictObject({
    finding: noun('Finding', findingSchema),
    place,
    lostSuggestion: z
      .enum([
        'not-anchored',
        'old-side',
        'other-range',
        'quote-not-found',
        'outside-hunk',
        'not-utf8',
        'no-change',
        'diff-signs',
        'left-out-code',
        'hidden-characters',
      ])
      .optional()
      .describe('why its suggestion was taken away'),
    standing: z.enum(['new', 'still-there']),
  }),
);

export const reportFields = {
  report: z.string().describe('in the format that was asked for'),
  format: z.enum(reportFormats),
  findings: z.array(reportedFinding),
  held: count.describe('findings that are not shown'),
  complete: z.boolean().describe('false when a part could not be read or is missing'),
  fails: z.boolean().describe('a finding reaches the level that was asked for'),
};

export const answeredReport = answer<AnsweredReport>()(z.strictObject({ ...reportFields, warnings }));
