// galley write memory: what is remembered of the writer's ways; what was learned waits until it is confirmed.

import type { MemoryItem } from '../../store/tables/memory.js';
import { colours } from './colours.js';
import { terminalWidth, textTable } from './table.js';
import { word } from './words/word.js';
import { atDesk, percent, print, printJson, type WriteOptions } from './write-desk.js';

export async function writeMemory(options: WriteOptions): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    const answer = await desk.call<{ memory: readonly MemoryItem[] }>('memory:list');
    if (desk.json) return printJson(answer);
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
  await atDesk(options, 'writes', async (desk) => {
    const made = await desk.call<MemoryItem>('memory:put', { text, kind: options.kind ?? 'semantic' });
    if (desk.json) return printJson(made);
    print(`${colours.green(word('write.added'))} ${made.text} ${colours.dim(made.id)}\n`);
  });
}

export async function changeMemory(
  id: string,
  change: 'confirm' | 'delete',
  options: WriteOptions,
): Promise<void> {
  await atDesk(options, 'writes', async (desk) => {
    const answer = await desk.call(`memory:${change}`, { id });
    if (desk.json) return printJson(answer);
    print(
      `${change === 'confirm' ? colours.green(word('write.confirmed')) : colours.yellow(word('write.removed'))} ${id}\n`,
    );
  });
}
