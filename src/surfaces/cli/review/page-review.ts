// galley review --open and --html: the review as people look at it, in the browser or as one file.
import { basename, resolve } from 'node:path';
import { galleyVersion } from '../../../core/model/version.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf, OperationId } from '../../../operations/table.js';
import { reportFormats } from '../../../review/report/write-report.js';
import { savedPage } from '../../page/saved-page.js';
import { queryOf, type ReviewedChange, type SavedReview, sheetOf } from '../../page/saved-review.js';
import { topLevelOf } from '../serve/local-page.js';
import { openCommand } from '../serve/open-command.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext } from '../shell/local-context.js';
import { warningText } from '../terminal/explain-receipt.js';
import { pageCounter } from '../terminal/progress.js';
import { spokenLanguage, word } from '../words/word.js';
import { namedChange, type ReviewRunOptions, runRequestOf } from './review-request.js';
import { settleExitCode, writeWhole } from './review-run-command.js';
import { estimateWords, reviewedWords, spentWords } from './review-words.js';

export async function openReviewPage(options: ReviewRunOptions): Promise<void> {
  const change = await namedChange(options);
  const query = change === undefined ? '' : `?${queryOf(change as ReviewedChange)}`;
  await openCommand(options.repo, given({ browser: options.browser }), `review${query}`);
}

/** Longer lines and files are cut with a count. */
const limits = { lineChars: 20_000, fileLines: 20_000 };

export async function writeReviewPage(
  options: ReviewRunOptions,
  { model, file }: { readonly model: string | undefined; readonly file: string },
): Promise<void> {
  const isDry = model === undefined || options.dryRun === true;
  const named = model === undefined ? options : { ...options, model };
  const request = await runRequestOf({ ...named, dryRun: isDry, format: 'json' });
  const context = localContext();
  const progress = pageCounter(process.stderr);
  const say = (line: string) => process.stderr.write(`galley: ${line}\n`);
  const asked: OperationContext = {
    ...context,
    signal: runSignal(context.signal),
    onEstimate: (estimate) => say(estimateWords(estimate)),
    onProgress: progress.show,
  };
  const ask = <Id extends OperationId>(id: Id, fields: object) =>
    call(id, fields, asked) as Promise<AnswerOf<Id>>;
  try {
    const { repo, mode, base, head, commit, paths } = request;
    const change = { repo, mode, ...given({ base, head, commit, paths }) };
    const answer = await ask('review:run', request);
    progress.clear();
    for (const warning of answer.warnings) say(`${warningText(warning)} (${warning.code})`);
    const { repo: _, ...shown } = change;
    const saved: SavedReview = {
      name: basename((await topLevelOf(resolve(repo))) ?? resolve(repo)),
      version: galleyVersion,
      change: shown as ReviewedChange,
      changes: await ask('review:changes', change),
      sheet: sheetOf(answer),
      plan: await ask('review:plan', change),
      diffs: (await ask('review:diff', { ...change, ...limits, redact: options.redact !== false })).files,
      ...(answer.dryRun ? {} : await reportsOf(answer, change, ask)),
    };
    await writeWhole(file, await savedPage({ review: saved }, spokenLanguage()), '--html');
    if (!answer.dryRun) say(`${reviewedWords(answer)} ${spentWords(answer.spent)}`);
    say(word('review.html-written', { file: basename(file) }));
    settleExitCode(answer, options);
  } finally {
    progress.clear();
    await context.close();
  }
}

type Ask = <Id extends OperationId>(id: Id, fields: object) => Promise<AnswerOf<Id>>;
type DoneRun = Extract<AnswerOf<'review:run'>, { dryRun: false }>;

/** What was found, and the report in every format. */
async function reportsOf(
  answer: DoneRun,
  change: object,
  ask: Ask,
): Promise<Pick<SavedReview, 'run' | 'reports'>> {
  const { report, findings, held, complete, model, coverage, coverageTold, missing, spent, warnings } =
    answer;
  const reports: Record<string, string> = {};
  for (const format of reportFormats)
    reports[format] = (
      await ask('review:report', { ...change, report, format, language: spokenLanguage() })
    ).report;
  return {
    run: { report, findings, held, complete, model, coverage, coverageTold, missing, spent, warnings },
    reports,
  };
}

const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
