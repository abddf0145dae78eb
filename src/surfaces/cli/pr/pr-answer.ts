// galley pr answer and galley pr describe: what people asked in comments, and what a pull request does.
import { call } from '../../../operations/call.js';
import type { AnswerOf, OperationId } from '../../../operations/table.js';
import { estimateWords, spentWords } from '../review/review-words.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext } from '../shell/local-context.js';
import { warningText } from '../terminal/explain-receipt.js';
import { pageCounter } from '../terminal/progress.js';
import { print, printJson } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { type PrRunOptions, prRequest } from './pr-request.js';

const say = (line: string) => process.stderr.write(`galley: ${line}\n`);

async function asked<Id extends OperationId>(
  id: Id,
  request: Record<string, unknown>,
): Promise<AnswerOf<Id> & { readonly warnings: AnswerOf<'forge:answer'>['warnings'] }> {
  const context = localContext();
  const progress = pageCounter(process.stderr);
  try {
    const result = (await call(id, request, {
      ...context,
      signal: runSignal(context.signal),
      onEstimate: (estimate) => say(estimateWords(estimate)),
      onProgress: progress.show,
    })) as never as AnswerOf<Id> & { readonly warnings: AnswerOf<'forge:answer'>['warnings'] };
    progress.clear();
    for (const warning of result.warnings) say(`${warningText(warning)} (${warning.code})`);
    return result;
  } finally {
    progress.clear();
    await context.close();
  }
}

export async function prAnswer(
  pull: string | undefined,
  options: PrRunOptions & { readonly dryRun?: boolean },
): Promise<void> {
  const { dryRun } = options;
  const result = await asked('forge:answer', prRequest(pull, options, { dryRun, isPublic: true }));
  if (options.json) return printJson(result);
  const { commands, ignored, waiting } = result;
  if (commands.length === 0) print(`${word('pr.answer.none')}\n`);
  for (const { command, author, outcome, code } of commands) {
    const said = word(`pr.answer.${outcome}`, { code: String(code) });
    print(`${word('pr.answer.one', { command, author, outcome: said })}\n`);
  }
  if (ignored > 0) say(word('pr.answer.ignored', { n: ignored }));
  if (waiting > 0) say(word('pr.answer.waiting', { n: waiting }));
  if (commands.some(({ outcome }) => outcome === 'failed')) process.exitCode = 3;
}

export async function prDescribe(
  pull: string | undefined,
  options: PrRunOptions & { readonly write?: boolean },
): Promise<void> {
  const { write } = options;
  const result = await asked('forge:describe', prRequest(pull, options, { write, isPublic: write === true }));
  if (options.json) return printJson(result);
  print(`${result.text}\n`);
  const { files, of } = result.described;
  say(word('pr.describe.files', { files, of, spent: spentWords(result.spent) }));
  if (result.written) say(word('pr.describe.written', { url: result.url }));
}
