// What a project knows beside its chapters: constraints, entities and memory. Lists each, adds to it, and takes out of it.

import { GalleyError } from '../../../core/model/error.js';
import { isMaterialId } from '../../../writing/folder/material.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { percent, print, printJson, sayWarnings } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

interface ConstraintOptions extends WriteOptions {
  readonly kind?: string;
  readonly pin?: boolean;
  readonly priority?: string;
}

export async function listConstraints(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const answer = await project.call('constraints:list');
    if (project.json) return printJson(answer);
    const command = colours.cyan('galley write constraints add "…" --kind world');
    if (answer.constraints.length === 0) {
      return print(`${word('write.no-constraints', { command })}\n`);
    }
    print(
      textTable(
        [
          { title: '#', align: 'right' },
          { title: word('write.col.kind') },
          { title: word('write.col.origin') },
          { title: word('write.col.constraint'), shrink: true },
          { title: word('write.col.id') },
        ],
        answer.constraints.map(({ id, kind, origin, pinned, text }, index) => [
          String(index + 1),
          kind,
          origin,
          pinned ? word('write.pinned', { text }) : text,
          id,
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

export async function addConstraint(text: string, options: ConstraintOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    const { kind = 'style', pin = false, priority = '0' } = options;
    const made = await project.call('constraints:create', {
      text,
      kind,
      pinned: pin,
      priority: wholeNumber(priority, '--priority'),
    });
    if (project.json) return printJson(made);
    print(`${colours.green(word('write.added'))} ${made.text} ${colours.dim(made.id)}\n`);
  });
}

export async function removeConstraint(id: string, options: WriteOptions): Promise<void> {
  refuseFileRow(id);
  await changeRow('constraints:delete', id, options);
}

interface EntityOptions extends WriteOptions {
  readonly alias?: readonly string[];
  readonly kind?: string;
  readonly inclusion?: string;
}

export async function listEntities(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const answer = await project.call('entities:list');
    if (project.json) return printJson(answer);
    const command = colours.cyan('galley write entities add 林远 "冷静的工程师"');
    if (answer.entities.length === 0) {
      return print(`${word('write.no-entities', { command })}\n`);
    }
    print(
      textTable(
        [
          { title: word('write.col.name') },
          { title: word('write.col.also') },
          { title: word('write.col.kind') },
          { title: word('write.col.shown') },
          { title: word('write.col.description'), shrink: true },
          { title: word('write.col.id') },
        ],
        answer.entities.map(({ id, name, aliases, kind, inclusion, description }) => [
          name,
          aliases.join('、'),
          kind,
          inclusion,
          description,
          id,
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

export async function addEntity(name: string, description: string, options: EntityOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    const { alias = [], kind, inclusion } = options;
    // A card the store has not seen yet would stand in for what is added.
    sayWarnings((await project.follow())?.warnings ?? []);
    const made = await project.call('entities:put', {
      name,
      description,
      aliases: alias,
      ...(kind === undefined ? {} : { kind }),
      ...(inclusion === undefined ? {} : { inclusion }),
    });
    if (project.json) return printJson(made);
    print(
      `${colours.green(word(made.version > 1 ? 'write.replaced' : 'write.added'))} ${made.name} ${colours.dim(made.id)}\n`,
    );
  });
}

export async function removeEntity(id: string, options: WriteOptions): Promise<void> {
  refuseFileRow(id);
  await changeRow('entities:delete', id, options);
}

/** What is remembered of the writer's ways; what was learned waits until it is confirmed. */
export async function listMemory(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const answer = await project.call('memory:list');
    if (project.json) return printJson(answer);
    const command = colours.cyan('galley write memory add "动作场景偏好短句"');
    if (answer.memory.length === 0) {
      return print(`${word('write.no-memory', { command })}\n`);
    }
    print(
      textTable(
        [
          { title: word('write.col.kind') },
          { title: word('write.col.sure'), align: 'right' },
          { title: word('write.col.counts') },
          { title: word('write.col.text'), shrink: true },
          { title: word('write.col.id') },
        ],
        answer.memory.map(({ id, kind, confidence, confirmed, text }) => [
          kind,
          percent(confidence),
          word(confirmed ? 'write.yes' : 'write.waits'),
          text,
          id,
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

export async function addMemory(text: string, options: WriteOptions & { kind?: string }): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    const made = await project.call('memory:put', { text, kind: options.kind ?? 'semantic' });
    if (project.json) return printJson(made);
    print(`${colours.green(word('write.added'))} ${made.text} ${colours.dim(made.id)}\n`);
  });
}

export async function changeMemory(
  id: string,
  change: 'confirm' | 'delete',
  options: WriteOptions,
): Promise<void> {
  await changeRow(`memory:${change}`, id, options);
}

type RowChange = 'constraints:delete' | 'entities:delete' | 'memory:delete' | 'memory:confirm';

async function changeRow(operation: RowChange, id: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    const answer = await project.call(operation, { id });
    if (project.json) return printJson(answer);
    const done =
      operation === 'memory:confirm'
        ? colours.green(word('write.confirmed'))
        : colours.yellow(word('write.removed'));
    print(`${done} ${id}\n`);
  });
}

/** A row that came from a file would come back with the next look at the folder. */
function refuseFileRow(id: string): void {
  if (!isMaterialId(id)) return;
  throw new GalleyError('INVALID_ARGUMENT', `${id} stands in a file of the folder; take it out there.`);
}
