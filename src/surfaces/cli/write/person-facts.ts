// galley write people show and galley write people fact: what a card says, what holds when and what is still a secret, by number.
import { GalleyError } from '../../../core/model/error.js';
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { wantedNumber } from './chapter.js';
import { meant, type Person, put, tell } from './people.js';
import { pick } from './pick.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

/** Everything a model may come to know of somebody, whatever the chapter. */
export async function showPerson(who: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const person = await meant(project, who, 'only-reads');
    if (project.json) return printJson(person);
    const { name, kind, aliases, inclusion, description, relations } = person;
    const shown = factWords(`inclusion.${inclusion}`, inclusion);
    const facts = [kind, aliases.join('、'), shown].filter((each) => each !== '').join(' · ');
    print(`${colours.bold(name)}  ${colours.dim(facts)}\n`);
    if (description.trim() !== '') print(`${description.trim()}\n`);
    for (const { to, label } of relations) print(`→ ${to} ${label}\n`);
    const rows = datedRows(person);
    if (rows.length === 0) return;
    print(
      `\n${textTable(
        [
          { title: '#', align: 'right' },
          { title: word('write.col.when') },
          { title: word('write.col.fact'), shrink: true },
        ],
        rows.map(([when, text], at) => [String(at + 1), when, text]),
        { width: terminalWidth() },
      )}`,
    );
    const command = `galley write people fact ${name} ${rows.length} --remove`;
    say(`${colours.dim(word('write.people.take-out', { n: rows.length, command }))}\n`);
  });
}

function datedRows({ facts, secrets }: Person): (readonly [when: string, text: string])[] {
  return [
    ...facts.map(({ from, until, text }) => [whenWords(from, until), text] as const),
    ...secrets.map(({ hiddenUntil, text }) => [word('write.when.secret', { n: hiddenUntil }), text] as const),
  ];
}

function whenWords(from: number | undefined, until: number | undefined): string {
  if (from !== undefined && until !== undefined) return word('write.when.span', { from, until });
  if (from !== undefined) return word('write.when.from', { n: from });
  return until === undefined ? word('write.when.always') : word('write.when.until', { n: until });
}

interface FactOptions extends WriteOptions {
  readonly from?: string;
  readonly until?: string;
  readonly secret?: boolean;
  readonly remove?: boolean;
}

/** Something that holds of somebody for a while, or must not be told before a chapter. */
export async function changeFact(who: string, text: string, options: FactOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const person = await meant(project, who);
    const changed = await put(
      project,
      person,
      options.remove ? without(person, text) : withFact(person, text, options),
    );
    if (project.json) return printJson(changed);
    tell(options.remove ? 'write.removed-from' : 'write.added-to', changed);
  });
}

function withFact(person: Person, text: string, options: FactOptions): Partial<Person> {
  const from = chapterOf(options.from, '--from');
  const until = chapterOf(options.until, '--until');
  if (from !== undefined && until !== undefined && from > until)
    throw new GalleyError('INVALID_ARGUMENT', '--until: must not be a chapter before that of --from.');
  if (options.secret) {
    if (until === undefined)
      throw new GalleyError('INVALID_ARGUMENT', '--secret: say the chapter that tells it, with --until.');
    return { secrets: [...person.secrets, { text, hiddenUntil: until }] };
  }
  const when = { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) };
  return { facts: [...person.facts, { text, ...when }] };
}

function chapterOf(words: string | undefined, flag: string): number | undefined {
  if (words === undefined) return undefined;
  const number = wantedNumber(words);
  if (number !== undefined && number >= 1) return number;
  throw new GalleyError('INVALID_ARGUMENT', `${flag}: must be a chapter, such as 4 or 第四回.`, {
    details: { field: flag },
  });
}

function without({ name, facts, secrets }: Person, words: string): Partial<Person> {
  const all = [...facts, ...secrets].map((each, index) => ({ id: String(index), each }));
  const { each: gone } = pick(all, words, {
    saidBy: ({ each }) => [each.text],
    command: `galley write people show ${name}`,
  });
  return {
    facts: facts.filter((fact) => fact !== gone),
    secrets: secrets.filter((secret) => secret !== gone),
  };
}
