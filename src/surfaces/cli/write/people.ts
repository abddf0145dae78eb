// galley write people: people, places and things, each a card: listed, added, changed and taken out by name.
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { folded, pickNamed } from './pick.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

export type Person = AnswerOf<'entities:list'>['entities'][number];

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
  readonly removeAlias?: readonly string[];
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
  await withWriteProject(options, 'changes', async (project) => {
    const person = await meant(project, who);
    const { name, kind, inclusion } = options;
    const changed = await put(project, person, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      aliases: aliasesOf(person, options),
      ...(kind === undefined ? {} : { kind }),
      ...(inclusion === undefined ? {} : { inclusion: inclusion as Person['inclusion'] }),
    });
    if (project.json) return printJson(changed);
    tell('write.changed', changed);
  });
}

function aliasesOf({ aliases }: Person, { alias = [], removeAlias = [] }: PersonOptions): string[] {
  const gone = new Set(removeAlias.map(folded));
  const known = new Set(aliases.map(folded));
  if ([...gone].some((each) => !known.has(each)))
    throw new GalleyError(
      'NOT_FOUND',
      `--remove-alias: the card has ${aliases.length === 0 ? 'no other names' : `the other names ${aliases.join(', ')}`}.`,
    );
  const added = alias.filter((each, at) => !known.has(folded(each)) && alias.indexOf(each) === at);
  return [...aliases.filter((each) => !gone.has(folded(each))), ...added];
}

export async function removePerson(who: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const { id, name } = await meant(project, who);
    const answer = await project.call('entities:delete', { id });
    if (project.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${name} ${colours.dim(id)}\n`);
  });
}

/** By its name or another of its names. */
export async function meant(
  project: WriteProject,
  who: string,
  how: 'changes' | 'only-reads' = 'changes',
): Promise<Person> {
  sayWarnings((await project.follow())?.warnings ?? []);
  const { entities } = await project.call('entities:list');
  const found = pickNamed(entities, who, {
    saidBy: ({ name, aliases }) => [name, ...aliases],
    command: 'galley write people',
  });
  if (how === 'only-reads') return found;
  const ids = await project.carryOver();
  return { ...found, id: ids.get(found.id) ?? found.id };
}

export function put(project: WriteProject, person: Person, change: Partial<Person>): Promise<Person> {
  const { version: _version, updatedAt: _updatedAt, damaged: _damaged, ...whole } = person;
  return project.call('entities:put', { ...whole, ...change });
}

export function tell(
  done: 'write.added' | 'write.changed' | 'write.added-to' | 'write.removed-from',
  { id, name }: Pick<Person, 'id' | 'name'>,
): void {
  // The path of the card, where there is one.
  print(`${colours.green(word(done))} ${name}${id.includes('/') ? ` ${colours.dim(id)}` : ''}\n`);
}
