// galley write entities: list, add and remove people, places and things.

import type { Entity } from '../../store/tables/entities.js';
import { colours } from './colours.js';
import { terminalWidth, textTable } from './table.js';
import { word } from './words/word.js';
import { refuseFileRow } from './write-constraints.js';
import { atDesk, print, printJson, sayWarnings, type WriteOptions } from './write-desk.js';

export interface EntityOptions extends WriteOptions {
  readonly alias?: readonly string[];
  readonly kind?: string;
  readonly inclusion?: string;
}

export async function writeEntities(options: WriteOptions): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    sayWarnings((await desk.follow())?.warnings ?? []);
    const answer = await desk.call<{ entities: readonly Entity[] }>('entities:list');
    if (desk.json) return printJson(answer);
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
  await atDesk(options, 'writes', async (desk) => {
    const { alias = [], kind, inclusion } = options;
    // A card the store has not seen yet would stand in for what is added.
    sayWarnings((await desk.follow())?.warnings ?? []);
    const made = await desk.call<Entity>('entities:put', {
      name,
      description,
      aliases: alias,
      ...(kind === undefined ? {} : { kind }),
      ...(inclusion === undefined ? {} : { inclusion }),
    });
    if (desk.json) return printJson(made);
    print(
      `${colours.green(word(made.version > 1 ? 'write.replaced' : 'write.added'))} ${made.name} ${colours.dim(made.id)}\n`,
    );
  });
}

export async function removeEntity(id: string, options: WriteOptions): Promise<void> {
  refuseFileRow(id);
  await atDesk(options, 'writes', async (desk) => {
    const answer = await desk.call('entities:delete', { id });
    if (desk.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${id}\n`);
  });
}
