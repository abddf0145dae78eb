// galley pr review: the report on stdout, what became of it on stderr, and an exit code a build can act on. In a CI job the report, the
// cost and the receipt also go to the job's summary.
import { writeFile } from 'node:fs/promises';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf } from '../../../operations/table.js';
import type { PullReview } from '../../../review/pull/review-pull.js';
import { readReport } from '../../../review/report/json-report.js';
import { codeSpan } from '../../../review/report/markdown.js';
import { reportLanguageOf } from '../../../review/report/report-words.js';
import { type ReportFormat, writeReport } from '../../../review/report/write-report.js';
import { estimateWords, missingWords, reviewedWords, spentWords } from '../review/review-words.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext } from '../shell/local-context.js';
import { warningText } from '../terminal/explain-receipt.js';
import { writeJson } from '../terminal/json-output.js';
import { pageCounter } from '../terminal/progress.js';
import { counted, word } from '../words/word.js';
import { toJobSummary } from './job-summary.js';
import { type PrRunOptions, prRequest } from './pr-request.js';
import { postedWords } from './pr-words.js';

export interface PrReviewOptions extends PrRunOptions {
  readonly planWithoutKey?: boolean;
  readonly post?: boolean;
  readonly everything?: boolean;
  readonly evenPaused?: boolean;
  readonly dryRun?: boolean;
  readonly format?: string;
  readonly out?: string;
  readonly sarif?: string;
}

/** `seam` stands in for what the machine has; for tests. */
export async function prReview(
  pull: string | undefined,
  options: PrReviewOptions,
  seam: Pick<Partial<OperationContext>, 'model' | 'forge'> = {},
): Promise<void> {
  const model = options.model ?? (process.env.GALLEY_MODEL || undefined);
  const context = localContext();
  const say = (line: string) => process.stderr.write(`galley: ${line}\n`);
  const progress = pageCounter(process.stderr);
  try {
    const unasked = await whyUnasked(model, options, seam.model ?? context.model);
    // Without a model nothing is posted: what a review would read is all there is to say.
    const dryRun = options.dryRun === true || unasked !== undefined;
    const { post, everything, evenPaused, sarif } = options;
    // A file that cannot be written is better told before anything is paid.
    for (const [path, flag] of [[sarif, '--sarif'] as const, [options.out, '--out'] as const])
      if (path !== undefined) await writeOut(path, '', flag);
    // One report is asked for; others are written from it.
    const format = sarif === undefined ? options.format : 'json';
    const asked = { ...{ model, dryRun, post, everything, evenPaused, format }, isPublic: post === true };
    const result = (await call('forge:review', prRequest(pull, options, asked), {
      ...context,
      ...seam,
      signal: runSignal(context.signal),
      onEstimate: (estimate) => say(estimateWords(estimate)),
      onProgress: progress.show,
    })) as AnswerOf<'forge:review'>;
    progress.clear();
    for (const warning of result.warnings) say(`${warningText(warning)} (${warning.code})`);
    if (unasked !== undefined) say(unasked);
    const isPaused = result.warnings.some(({ code }) => code === 'PULL_PAUSED');
    if (result.review === undefined && !isPaused) say(word('pr.nothing-new'));
    const text = sarif === undefined ? textOf(result) : await writeBoth(result, sarif, options);
    if (options.out !== undefined) await writeOut(options.out, text);
    if (options.json) await writeJson(result);
    else if (options.out === undefined && text !== '') process.stdout.write(text);
    const lines = closingLines(result);
    for (const line of lines) say(line);
    await toJobSummary(result, {
      lines: [...(unasked === undefined ? [] : [unasked]), ...lines],
      report: options.format === undefined || options.format === 'markdown' ? text : '',
    });
    if (!result.complete) process.exitCode = 3;
    else if (result.fails) process.exitCode = 1;
  } finally {
    progress.clear();
    await context.close();
  }
}

/** Undefined where a model is asked, or nobody expects one to be. */
async function whyUnasked(
  model: string | undefined,
  { dryRun, planWithoutKey }: PrReviewOptions,
  find: OperationContext['model'],
): Promise<string | undefined> {
  if (dryRun === true) return undefined;
  if (model === undefined) return word('pr.no-model');
  if (planWithoutKey !== true) return undefined;
  try {
    await find(model);
    return undefined;
  } catch (error) {
    const { reason, variable } = (isGalleyError(error) && error.details) || {};
    if (reason !== 'key-missing') throw error;
    return word('pr.no-key', { variable: String(variable) });
  }
}

/** Of a dry run, the files and how much of them would be read. */
function textOf({ review, report }: PullReview): string {
  if (review?.dryRun !== true) return report === '' || report.endsWith('\n') ? report : `${report}\n`;
  const rows = review.pages.map(({ page, tokens, pieces }) => {
    const files = [...new Set(pieces.map(({ path }) => path))];
    return `- ${word('pr.page', { page, tokens, files: files.map(codeSpan).join(', ') })}`;
  });
  return `${[review.coverage, '', ...rows].join('\n')}\n`;
}

function closingLines({ review, posted, pull }: PullReview): string[] {
  const lines: string[] = [];
  if (review?.dryRun === false) {
    lines.push(`${reviewedWords(review)} ${spentWords(review.spent)}`);
    lines.push(...review.missing.map(missingWords));
    if (review.missing.length > 0) lines.push(word('going.again'));
  }
  if (posted !== undefined) lines.push(postedWords(posted, pull));
  else if (review?.dryRun === false && review.findings.length > 0)
    lines.push(word('pr.not-posted', { findings: counted(review.findings.length, 'finding') }));
  return lines;
}

/** The report for people, and beside it one for code scanning. */
async function writeBoth(
  result: PullReview,
  sarif: string,
  { format = 'markdown', language }: PrReviewOptions,
): Promise<string> {
  if (result.report === '') return textOf(result);
  const report = readReport(result.report, 'report');
  await writeOut(sarif, writeReport(report, 'sarif', {}), '--sarif');
  return writeReport(report, format as ReportFormat, { language: reportLanguageOf(language) });
}

async function writeOut(path: string, text: string, flag = '--out'): Promise<void> {
  await writeFile(path, text).catch((cause: unknown) => {
    throw new GalleyError('FILE_UNREADABLE', `${flag}: the file cannot be written; name another.`, {
      details: { field: flag.slice(2) },
      cause,
    });
  });
}
