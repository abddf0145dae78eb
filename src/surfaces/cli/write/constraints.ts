// galley write constraints: the rules of a project, listed with their numbers, added, changed and taken out.
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { pick } from './pick.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

interface ConstraintOptions extends WriteOptions {
  readonly kind?: string;
  readonly pin?: boolean;
  readonly unpin?: boolean;
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
          { title: word('write.col.constraint'), shrink: true },
        ],
        answer.constraints.map(({ kind, pinned, text }, index) => [
          String(index + 1),
          factWords(`kind.${kind}`, kind),
          pinned ? word('write.pinned', { text }) : text,
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

export async function addConstraint(text: string, options: ConstraintOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    await project.carryOver();
    const { kind = 'style', pin = false, priority = '0' } = options;
    const made = await project.call('constraints:create', {
      text,
      kind,
      pinned: pin,
      priority: wholeNumber(priority, '--priority'),
    });
    if (project.json) return printJson(made);
    tell('write.added', made);
  });
}

export async function editConstraint(
  which: string,
  text: string | undefined,
  options: ConstraintOptions,
): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const { id } = await meant(project, which);
    const { kind, pin, unpin, priority } = options;
    const changed = await project.call('constraints:update', {
      id,
      ...(text === undefined ? {} : { text }),
      ...(kind === undefined ? {} : { kind }),
      ...(pin || unpin ? { pinned: pin === true } : {}),
      ...(priority === undefined ? {} : { priority: wholeNumber(priority, '--priority') }),
    });
    if (project.json) return printJson(changed);
    tell('write.changed', changed);
  });
}

export async function removeConstraint(which: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const { id, text } = await meant(project, which);
    const answer = await project.call('constraints:delete', { id });
    if (project.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${text}\n`);
  });
}

type Constraint = AnswerOf<'constraints:list'>['constraints'][number];

/** The numbers are those of the list as it was shown, before anything moves into files. */
async function meant(project: WriteProject, which: string): Promise<Constraint> {
  sayWarnings((await project.follow())?.warnings ?? []);
  const { constraints } = await project.call('constraints:list');
  const found = pick(constraints, which, {
    saidBy: ({ text }) => [text],
    command: 'galley write constraints',
  });
  const ids = await project.carryOver();
  return { ...found, id: ids.get(found.id) ?? found.id };
}

function tell(done: 'write.added' | 'write.changed', { kind, pinned, text }: Constraint): void {
  const said = pinned ? word('write.pinned', { text }) : text;
  print(`${colours.green(word(done))} ${said} ${colours.dim(factWords(`kind.${kind}`, kind))}\n`);
}
