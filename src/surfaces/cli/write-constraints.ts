// galley write constraints: list, add and remove the rules of a project.

import { GalleyError } from '../../core/model/error.js';
import type { Constraint } from '../../store/tables/constraints.js';
import { isMaterialId } from '../../writing/folder/material.js';
import { colours } from './colours.js';
import { terminalWidth, textTable } from './table.js';
import { wholeNumber } from './whole-number.js';
import { word } from './words/word.js';
import { atDesk, print, printJson, sayWarnings, type WriteOptions } from './write-desk.js';

export interface ConstraintOptions extends WriteOptions {
  readonly kind?: string;
  readonly pin?: boolean;
  readonly priority?: string;
}

export async function writeConstraints(options: WriteOptions): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    sayWarnings((await desk.follow())?.warnings ?? []);
    const answer = await desk.call<{ constraints: readonly Constraint[] }>('constraints:list');
    if (desk.json) return printJson(answer);
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
  await atDesk(options, 'writes', async (desk) => {
    const { kind = 'style', pin = false, priority = '0' } = options;
    const made = await desk.call<Constraint>('constraints:create', {
      text,
      kind,
      pinned: pin,
      priority: wholeNumber(priority, '--priority'),
    });
    if (desk.json) return printJson(made);
    print(`${colours.green(word('write.added'))} ${made.text} ${colours.dim(made.id)}\n`);
  });
}

export async function removeConstraint(id: string, options: WriteOptions): Promise<void> {
  refuseFileRow(id);
  await atDesk(options, 'writes', async (desk) => {
    const answer = await desk.call('constraints:delete', { id });
    if (desk.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${id}\n`);
  });
}

/** A row that came from a file would come back with the next look at the folder. */
export function refuseFileRow(id: string): void {
  if (!isMaterialId(id)) return;
  throw new GalleyError('INVALID_ARGUMENT', `${id} stands in a file of the folder; take it out there.`);
}
