// galley write promises propose: what a model finds in the chapters, with its quotations; --add takes some of it into the ledger.
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { checkCounter } from '../terminal/progress.js';
import { clipped, terminalWidth } from '../terminal/table.js';
import { print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { modelRequest, type PricedOptions, priceWords, spentWords } from './price-words.js';
import { type WriteProject, withWriteProject } from './write-project.js';

type Proposed = AnswerOf<'promises:propose'>;

interface ProposeOptions extends PricedOptions {
  readonly add?: readonly string[];
}

export async function proposePromises(chapters: readonly string[], options: ProposeOptions): Promise<void> {
  await withWriteProject(options, options.dryRun ? 'reads' : 'works-on-chapters', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const answer = await propose(project, chapters, options);
    if (!answer.complete) process.exitCode = 3;
    const taken = options.dryRun ? [] : await takeIn(project, answer, options.add ?? []);
    if (project.json) return printJson(answer);
    if (options.dryRun) return;
    if (taken.length > 0)
      return print(taken.map((text) => `${colours.green(word('write.added'))} ${text}\n`).join(''));
    if (answer.proposed.length === 0) print(`${word('write.promises.none-found')}\n`);
    else print(lines(answer));
    if (answer.spent !== undefined && answer.spent.calls > 0) say(`${spentWords(answer.spent)}\n`);
    for (const { title, message, code } of answer.failed)
      say(`${colours.red('✗')} ${title}: ${message} (${code})\n`);
    if (answer.proposed.length > 0)
      say(
        `${colours.dim(word('write.promises.hint', { command: 'galley write promises propose … --add 1' }))}\n`,
      );
  });
}

async function propose(
  project: WriteProject,
  chapters: readonly string[],
  options: ProposeOptions,
): Promise<Proposed> {
  if (options.model === undefined)
    throw new GalleyError('INVALID_ARGUMENT', '--model: say which model reads the chapters.');
  const documentIds: string[] = [];
  for (const words of chapters) documentIds.push((await findChapter(project, words)).documentId);
  const progress = checkCounter(process.stderr);
  try {
    return await project.call(
      'promises:propose',
      { ...modelRequest(options), ...(documentIds.length === 0 ? {} : { documentIds }) },
      {
        onEstimate: (estimate) => say(`${priceWords(estimate, options.model ?? '')}\n`),
        onProgress: progress.show,
      },
    );
  } finally {
    progress.clear();
  }
}

/** By the numbers of the list, which stays the same while nothing is added. */
async function takeIn(
  project: WriteProject,
  { proposed }: Proposed,
  numbers: readonly string[],
): Promise<string[]> {
  const chosen = numbers
    .flatMap((words) => words.split(/[,，、\s]+/u))
    .map((number) => {
      const found = proposed[wholeNumber(number, '--add', 1) - 1];
      if (found !== undefined) return found;
      throw new GalleyError(
        'NOT_FOUND',
        `--add: there is no number ${number}; ${proposed.length} are proposed.`,
      );
    });
  if (chosen.length > 0) await project.carryOver();
  for (const { text, documentId, quote } of chosen)
    await project.call('promises:add', { text, chapter: documentId, quote });
  return chosen.map(({ text }) => text);
}

function lines({ proposed }: Proposed): string {
  const width = terminalWidth();
  const said = proposed.map(({ text, documentId, line, quote }, index) => {
    const place = `${documentId}:${line}`;
    const words = clipped(quote.replace(/\s+/gu, ' '), Math.max(12, width - place.length - 6));
    return `${String(index + 1).padStart(2)}. ${text}\n    ${colours.cyan(place)}  ${words}\n`;
  });
  return said.join('');
}
