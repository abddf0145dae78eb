// galley write promises: what the book makes its readers wait for, with where it was set up, and what was forgotten.
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { pick } from './pick.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

type Listed = AnswerOf<'promises:list'>['promises'][number];

interface ListOptions extends WriteOptions {
  readonly all?: boolean;
  readonly forgottenAfter?: string;
}

export async function listPromises(options: ListOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const after = options.forgottenAfter;
    const answer = await project.call(
      'promises:list',
      after === undefined ? {} : { forgottenAfter: wholeNumber(after, '--forgotten-after', 1) },
    );
    if (project.json) return printJson(answer);
    const { promises } = answer;
    const command = colours.cyan('galley write promises add "…" --chapter 3');
    if (promises.length === 0) return print(`${word('write.no-promises', { command })}\n`);
    const numbered = promises.map((row, index) => ({ ...row, number: index + 1 }));
    const shown = numbered.filter(({ state }) => options.all || state === 'open');
    if (shown.length > 0) print(table(shown, await titlesOf(project)));
    const paid = promises.length - promises.filter(({ state }) => state === 'open').length;
    if (!options.all && paid > 0) say(`${colours.dim(word('write.promises.paid-count', { n: paid }))}\n`);
  });
}

function table(
  rows: readonly (Listed & { readonly number: number })[],
  titles: ReadonlyMap<string, string>,
): string {
  return textTable(
    [
      { title: '#', align: 'right' },
      { title: word('write.col.promise'), shrink: true },
      { title: word('write.col.set-up') },
      { title: word('write.col.standing') },
    ],
    rows.map((row) => [
      String(row.number),
      row.text,
      titles.get(row.chapter ?? '') ?? row.chapter ?? '',
      standing(row, titles),
    ]),
    { width: terminalWidth() },
  );
}

function standing(
  { state, paidIn, untouched, forgotten, lastTouched }: Listed,
  titles: ReadonlyMap<string, string>,
): string {
  if (state === 'paid')
    return paidIn === undefined
      ? word('write.promises.paid')
      : word('write.promises.paid-by', { chapter: titles.get(paidIn) ?? paidIn });
  if (forgotten)
    return colours.yellow(word('write.promises.forgotten', { chapters: counted(untouched, 'chapter') }));
  if (lastTouched === undefined) return word('write.promises.unspoken');
  return word('write.promises.touched', { chapter: titles.get(lastTouched) ?? lastTouched });
}

async function titlesOf(project: WriteProject): Promise<ReadonlyMap<string, string>> {
  const { documents } = await project.call('documents:list');
  return new Map(documents.map(({ documentId, title }) => [documentId, title]));
}

interface PromiseOptions extends WriteOptions {
  readonly chapter?: string;
  readonly open?: boolean;
}

async function chapterOf(project: WriteProject, { chapter }: PromiseOptions): Promise<{ chapter?: string }> {
  return chapter === undefined ? {} : { chapter: (await findChapter(project, chapter)).documentId };
}

export async function addPromise(text: string, options: PromiseOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const chapter = await chapterOf(project, options);
    await project.carryOver();
    const made = await project.call('promises:add', { text, ...chapter });
    if (project.json) return printJson(made);
    print(`${colours.green(word('write.added'))} ${made.text}\n`);
  });
}

export async function payPromise(which: string, options: PromiseOptions): Promise<void> {
  await change(which, options, async (project, { id }) => {
    const paid = await project.call('promises:pay', { id, ...(await chapterOf(project, options)) });
    if (project.json) return printJson(paid);
    print(`${colours.green(word('write.promises.paid'))} ${paid.text}\n`);
  });
}

export async function editPromise(
  which: string,
  text: string | undefined,
  options: PromiseOptions,
): Promise<void> {
  await change(which, options, async (project, { id }) => {
    const changed = await project.call('promises:update', {
      id,
      ...(text === undefined ? {} : { text }),
      ...(options.open === true ? { state: 'open' } : {}),
      ...(await chapterOf(project, options)),
    });
    if (project.json) return printJson(changed);
    print(`${colours.green(word('write.changed'))} ${changed.text}\n`);
  });
}

export async function removePromise(which: string, options: WriteOptions): Promise<void> {
  await change(which, options, async (project, { id, text }) => {
    const answer = await project.call('promises:remove', { id });
    if (project.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${text}\n`);
  });
}

async function change(
  which: string,
  options: WriteOptions,
  work: (project: WriteProject, promise: Listed) => Promise<void>,
): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const { promises } = await project.call('promises:list');
    const found = pick(promises, which, { saidBy: ({ text }) => [text], command: 'galley write promises' });
    await project.carryOver();
    await work(project, found);
  });
}
