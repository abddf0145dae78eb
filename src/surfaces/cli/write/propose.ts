// galley write people propose: who stands in many chapters and has no card, with places to read; --write makes the cards.
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { checkCounter } from '../terminal/progress.js';
import { clipped, grouped, terminalWidth } from '../terminal/table.js';
import { print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { modelRequest, type PricedOptions, priceWords, spentWords } from './price-words.js';
import { type WriteProject, withWriteProject } from './write-project.js';

type Proposed = AnswerOf<'entities:propose'>;
type Person = Proposed['people'][number];

interface ProposeOptions extends PricedOptions {
  readonly write?: boolean;
  readonly limit?: string;
}

export async function proposeCards(names: readonly string[], options: ProposeOptions): Promise<void> {
  const kind = options.write || (options.model !== undefined && !options.dryRun) ? 'writes' : 'reads';
  await withWriteProject(options, kind, async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const answer = await propose(project, names, options);
    if (!answer.complete) process.exitCode = 3;
    if (options.write && !options.dryRun) await writeCards(project, answer.people);
    if (project.json) return printJson(answer);
    if (options.dryRun) return;
    if (answer.people.length === 0) return print(`${word('write.propose.none')}\n`);
    const width = terminalWidth();
    print(answer.people.map((person, index) => personLines(person, index + 1, width)).join('\n'));
    if (answer.spent !== undefined && answer.spent.calls > 0) say(`${spentWords(answer.spent)}\n`);
    for (const { name, message, code } of answer.failed)
      say(`${colours.red('✗')} ${name}: ${message} (${code})\n`);
    if (!options.write)
      say(
        `${colours.dim(word('write.propose.hint', { command: 'galley write people propose … --write' }))}\n`,
      );
  });
}

async function propose(
  project: WriteProject,
  names: readonly string[],
  options: ProposeOptions,
): Promise<Proposed> {
  const progress = checkCounter(process.stderr);
  try {
    return await project.call(
      'entities:propose',
      {
        ...modelRequest(options),
        ...(names.length === 0 ? {} : { names }),
        ...(options.limit === undefined ? {} : { limit: wholeNumber(options.limit, '--limit', 1) }),
      },
      {
        onEstimate: (estimate) => say(`${priceWords(estimate, options.model ?? '')}\n`),
        onProgress: progress.show,
      },
    );
  } finally {
    progress.clear();
  }
}

/** Without a draft, places in the book stand for a description. */
async function writeCards(project: WriteProject, people: readonly Person[]): Promise<void> {
  await project.carryOver();
  for (const { name, aliases, description, quotes } of people) {
    const made = await project.call('entities:put', {
      ...{ name, aliases },
      description: description ?? quotes.map(({ text }) => `> ${text}`).join('\n'),
      inclusion: 'detected',
    });
    say(`${colours.green(word('write.added'))} ${name} ${colours.dim(made.id)}\n`);
  }
}

function personLines(person: Person, number: number, width: number): string {
  const { name, aliases, count, chapters, quotes, description } = person;
  const also = aliases.length === 0 ? '' : ` (${aliases.join('、')})`;
  const facts = word('write.propose.facts', {
    n: grouped(count),
    chapters: counted(chapters.length, 'chapter'),
  });
  const lines = [
    `${String(number).padStart(2)}. ${colours.bold(name)}${also}  ${colours.dim(facts)}`,
    ...(description === undefined ? [] : [`    ${description.replace(/\s+/gu, ' ')}`]),
    ...quotes.map(({ documentId, line, text }) => {
      const place = `${documentId}:${line}`;
      return `${colours.cyan(place)}  ${clipped(text, Math.max(12, width - place.length - 2))}`;
    }),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
