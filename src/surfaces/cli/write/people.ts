// galley write people: people, places and things, each a card: listed, added, changed and taken out by name, with what holds when
// and what is still a secret.
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { pick } from './pick.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

type Person = AnswerOf<'entities:list'>['entities'][number];

export async function listPeople(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const answer = await project.call('entities:list');
    if (project.json) return printJson(answer);
    const command = colours.cyan('galley write people add 林远 "冷静的工程师"');
    if (answer.entities.length === 0) {
      return print(`${word('write.no-people', { command })}\n`);
    }
    print(
      textTable(
        [
          { title: '#', align: 'right' },
          { title: word('write.col.name') },
          { title: word('write.col.also') },
          { title: word('write.col.kind') },
          { title: word('write.col.shown') },
          { title: word('write.col.description'), shrink: true },
        ],
        answer.entities.map(({ name, aliases, kind, inclusion, description }, index) => [
          String(index + 1),
          name,
          aliases.join('、'),
          kind,
          factWords(`inclusion.${inclusion}`, inclusion),
          description,
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

interface PersonOptions extends WriteOptions {
  readonly name?: string;
  readonly alias?: readonly string[];
  readonly kind?: string;
  readonly inclusion?: string;
}

export async function addPerson(name: string, description: string, options: PersonOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    // A card the store has not seen yet is there all the same.
    sayWarnings((await project.follow())?.warnings ?? []);
    await project.carryOver();
    const { entities } = await project.call('entities:list');
    const known = entities.find((each) => each.name === name.trim() || each.aliases.includes(name.trim()));
    if (known !== undefined)
      throw new GalleyError(
        'ALREADY_EXISTS',
        `There is a card of this name already, ${known.id}; galley write people edit changes it.`,
        { details: { kind: 'entity', field: 'name', path: known.id } },
      );
    const { alias = [], kind, inclusion } = options;
    const made = await project.call('entities:put', {
      name,
      description,
      aliases: alias,
      ...(kind === undefined ? {} : { kind }),
      ...(inclusion === undefined ? {} : { inclusion }),
    });
    if (project.json) return printJson(made);
    tell('write.added', made);
  });
}

/** What is not named stays as it is. */
export async function editPerson(
  who: string,
  description: string | undefined,
  options: PersonOptions,
): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    const person = await meant(project, who);
    const { name, alias, kind, inclusion } = options;
    const changed = await put(project, person, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(alias === undefined ? {} : { aliases: alias }),
      ...(kind === undefined ? {} : { kind }),
      ...(inclusion === undefined ? {} : { inclusion: inclusion as Person['inclusion'] }),
    });
    if (project.json) return printJson(changed);
    tell('write.changed', changed);
  });
}

export async function removePerson(who: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    const { id, name } = await meant(project, who);
    const answer = await project.call('entities:delete', { id });
    if (project.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${name} ${colours.dim(id)}\n`);
  });
}

interface FactOptions extends WriteOptions {
  readonly from?: string;
  readonly until?: string;
  readonly secret?: boolean;
  readonly remove?: boolean;
}

/** Something that holds of somebody for a while, or must not be told before a chapter. */
export async function changeFact(who: string, text: string, options: FactOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
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
  const from = options.from === undefined ? undefined : wholeNumber(options.from, '--from', 1);
  const until = options.until === undefined ? undefined : wholeNumber(options.until, '--until', 1);
  if (options.secret) {
    if (until === undefined)
      throw new GalleyError('INVALID_ARGUMENT', '--secret: say the chapter that tells it, with --until.');
    return { secrets: [...person.secrets, { text, hiddenUntil: until }] };
  }
  const when = { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) };
  return { facts: [...person.facts, { text, ...when }] };
}

function without({ facts, secrets }: Person, words: string): Partial<Person> {
  const all = [...facts, ...secrets].map((each, index) => ({ id: String(index), each }));
  const { each: gone } = pick(all, words, {
    saidBy: ({ each }) => [each.text],
    command: 'galley write people --json',
  });
  return {
    facts: facts.filter((fact) => fact !== gone),
    secrets: secrets.filter((secret) => secret !== gone),
  };
}

async function meant(project: WriteProject, who: string): Promise<Person> {
  sayWarnings((await project.follow())?.warnings ?? []);
  const { entities } = await project.call('entities:list');
  const found = pick(entities, who, {
    saidBy: ({ name, aliases }) => [name, ...aliases],
    command: 'galley write people',
  });
  const ids = await project.carryOver();
  return { ...found, id: ids.get(found.id) ?? found.id };
}

function put(project: WriteProject, person: Person, change: Partial<Person>): Promise<Person> {
  const { version: _version, updatedAt: _updatedAt, damaged: _damaged, ...whole } = person;
  return project.call('entities:put', { ...whole, ...change });
}

function tell(
  done: 'write.added' | 'write.changed' | 'write.added-to' | 'write.removed-from',
  { id, name }: Pick<Person, 'id' | 'name'>,
): void {
  // The path of the card, where there is one.
  print(`${colours.green(word(done))} ${name}${id.includes('/') ? ` ${colours.dim(id)}` : ''}\n`);
}
