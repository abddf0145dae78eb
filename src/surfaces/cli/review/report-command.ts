// galley report: answers of a reviewer in, a checked report out.

import { runOperation } from '../shell/local-context.js';
import { readStdin, readTextFile, wholeNumber } from '../shell/read-input.js';
import { warningText } from '../terminal/explain-receipt.js';
import { printJson } from '../terminal/talk.js';
import { spokenLanguage } from '../words/word.js';
import { type ReviewOptions, requestOf } from './review-request.js';

export interface ReportCommandOptions extends ReviewOptions {
  readonly format: string;
  readonly earlier?: string;
  readonly minSeverity?: string;
  readonly most?: string;
  readonly failLevel: string;
}

export async function reportCommand(files: readonly string[], options: ReportCommandOptions): Promise<void> {
  const { format, earlier, minSeverity, most, failLevel } = options;
  const answered = await runOperation('review:report', {
    ...(await requestOf({ ...options, linter: [] })),
    answers: await Promise.all(files.map((file) => (file === '-' ? readStdin() : readTextFile(file)))),
    format,
    failLevel,
    // What --json prints is the same in every language.
    ...(options.json ? {} : { language: spokenLanguage() }),
    ...(earlier === undefined ? {} : { earlier: await readTextFile(earlier) }),
    ...(minSeverity === undefined ? {} : { minSeverity }),
    ...(most === undefined ? {} : { most: wholeNumber(most, '--most', 1) }),
  });
  if (options.json) printJson(answered);
  else {
    process.stdout.write(answered.report.endsWith('\n') ? answered.report : `${answered.report}\n`);
    for (const warning of answered.warnings)
      process.stderr.write(`galley: ${warningText(warning)} (${warning.code})\n`);
  }
  if (!answered.complete) process.exitCode = 3;
  else if (answered.fails) process.exitCode = 1;
}
