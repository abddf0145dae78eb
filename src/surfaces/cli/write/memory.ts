// galley write memory: what is remembered of the writer's ways, by number or by words; what was learned waits until it is confirmed.
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { percent, print, printJson, sayWarnings } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { pick } from './pick.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

export async function listMemory(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const answer = await project.call('memory:list');
    if (project.json) return printJson(answer);
    const command = colours.cyan('galley write memory add "动作场景偏好短句"');
    if (answer.memory.length === 0) {
      return print(`${word('write.no-memory', { command })}\n`);
    }
    print(
      textTable(
        [
          { title: '#', align: 'right' },
          { title: word('write.col.kind') },
          { title: word('write.col.sure'), align: 'right' },
          { title: word('write.col.counts') },
          { title: word('write.col.text'), shrink: true },
        ],
        answer.memory.map(({ kind, confidence, confirmed, text }, index) => [
          String(index + 1),
          factWords(`kind.${kind}`, kind),
          percent(confidence),
          word(confirmed ? 'write.yes' : 'write.waits'),
          text,
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

interface MemoryOptions extends WriteOptions {
  readonly kind?: string;
}

export async function addMemory(text: string, options: MemoryOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    await project.carryOver();
    const kind = options.kind ?? 'semantic';
    const { memory } = await project.call('memory:list');
    const at = memory.findIndex((item) => item.kind === kind && item.text === text.trim());
    if (at >= 0)
      throw new GalleyError(
        'ALREADY_EXISTS',
        `This is remembered already, as number ${at + 1}; change that one.`,
      );
    const made = await project.call('memory:put', { text, kind });
    if (project.json) return printJson(made);
    tell('write.added', made);
  });
}

export async function editMemory(which: string, text: string, options: MemoryOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const { id, kind, confidence } = await meant(project, which);
    const changed = await project.call('memory:put', { id, text, confidence, kind: options.kind ?? kind });
    if (project.json) return printJson(changed);
    tell('write.changed', changed);
  });
}

export async function confirmMemory(which: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const { id } = await meant(project, which);
    const confirmed = await project.call('memory:confirm', { id });
    if (project.json) return printJson(confirmed);
    tell('write.confirmed', confirmed);
  });
}

export async function removeMemory(which: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const { id, text } = await meant(project, which);
    const answer = await project.call('memory:delete', { id });
    if (project.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${text}\n`);
  });
}

type MemoryItem = AnswerOf<'memory:list'>['memory'][number];

async function meant(project: WriteProject, which: string): Promise<MemoryItem> {
  sayWarnings((await project.follow())?.warnings ?? []);
  const { memory } = await project.call('memory:list');
  const found = pick(memory, which, { saidBy: ({ text }) => [text], command: 'galley write memory' });
  const ids = await project.carryOver();
  return { ...found, id: ids.get(found.id) ?? found.id };
}

function tell(
  done: 'write.added' | 'write.changed' | 'write.confirmed',
  { kind, text }: Pick<MemoryItem, 'kind' | 'text'>,
): void {
  print(`${colours.green(word(done))} ${text} ${colours.dim(factWords(`kind.${kind}`, kind))}\n`);
}
