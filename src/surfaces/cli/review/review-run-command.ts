// galley review --model: the report on stdout, everything else on stderr, and an exit code a build can act on.
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf } from '../../../operations/table.js';
import type { DryRun, ReviewRun } from '../../../review/run/result-of-run.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext } from '../shell/local-context.js';
import { warningText } from '../terminal/explain-receipt.js';
import { writeJson } from '../terminal/json-output.js';
import { pageCounter } from '../terminal/progress.js';
import { word } from '../words/word.js';
import { type ReviewRunOptions, runRequestOf } from './review-request.js';
import { estimateWords, leftOutWords, missingWords, reviewedWords, spentWords } from './review-words.js';

/** `model` stands in for the one that is named; for tests. */
export async function reviewRunCommand(
  options: ReviewRunOptions,
  seam: Pick<Partial<OperationContext>, 'model'> = {},
): Promise<void> {
  const request = await runRequestOf(options);
  const context = localContext();
  const say = (line: string) => process.stderr.write(`galley: ${line}\n`);
  const progress = pageCounter(process.stderr);
  try {
    const result = (await call('review:run', request, {
      ...context,
      ...seam,
      signal: runSignal(context.signal),
      onEstimate: (estimate) => say(estimateWords(estimate)),
      onProgress: progress.show,
    })) as AnswerOf<'review:run'>;
    progress.clear();
    for (const warning of result.warnings) say(`${warningText(warning)} (${warning.code})`);
    settleExitCode(result, options);
    if (result.dryRun) return await printDryRun(result, options.json === true);
    await printReport(result, options);
    for (const line of leftOutWords(result)) say(line);
    say(`${reviewedWords(result)} ${spentWords(result.spent)}`);
    for (const missing of result.missing) say(missingWords(missing));
    if (!result.complete && result.missing.length > 0) say(word('going.again'));
  } finally {
    progress.clear();
    await context.close();
  }
}

/** What a build learns from it. */
export function settleExitCode(
  result: AnswerOf<'review:run'>,
  { failOnPartial }: Pick<ReviewRunOptions, 'failOnPartial'>,
): void {
  const isPartial = failOnPartial === true && result.omitted.length > 0;
  if (isPartial || (!result.dryRun && !result.complete)) process.exitCode = 3;
  else if (!result.dryRun && result.fails) process.exitCode = 1;
}

async function printReport(result: ReviewRun, { json, out }: ReviewRunOptions): Promise<void> {
  const report = result.report.endsWith('\n') ? result.report : `${result.report}\n`;
  if (out !== undefined) await writeWhole(out, report, '--out');
  if (json) await writeJson(result);
  else if (out === undefined) process.stdout.write(report);
}

async function printDryRun(result: DryRun, json: boolean): Promise<void> {
  if (json) return writeJson(result);
  const pages = result.pages.map(({ page, prompt, tokens, kept }) => {
    const facts = { page, tokens, kept: kept ? word('going.sheet-kept') : '' };
    return `----- ${word('going.sheet', facts)} -----\n${prompt}`;
  });
  process.stdout.write(
    [`----- ${word('going.system')} -----\n${result.system}`, ...pages].join('\n').replace(/\n?$/, '\n'),
  );
}

/** The file is there completely or as it was. */
export async function writeWhole(path: string, text: string, flag: '--out' | '--html'): Promise<void> {
  const target = resolve(path);
  const draft = `${target}.${process.pid}.part`;
  try {
    await writeFile(draft, text);
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new GalleyError('FILE_UNREADABLE', `${flag}: the file cannot be written; name another.`, {
      details: { field: flag.slice(2) },
      cause,
    });
  }
}
