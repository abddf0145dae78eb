// galley write intended: what the writer means as it stands, listed with numbers, added and taken out.
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { pick } from './pick.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

export async function listIntended(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const answer = await project.call('book:intended:list');
    if (project.json) return printJson(answer);
    const command = colours.cyan('galley write check --intended 1');
    if (answer.intended.length === 0) return print(`${word('write.no-intended', { command })}\n`);
    print(
      textTable(
        [
          { title: '#', align: 'right' },
          { title: word('write.col.chapter') },
          { title: word('write.col.stands') },
          { title: word('write.col.text'), shrink: true },
        ],
        answer.intended.map(({ words, chapter = '', rule, why, holds }, index) => [
          String(index + 1),
          chapter,
          word(holds ? 'write.yes' : 'write.intended.gone'),
          [words, rule, why].filter((said) => said !== undefined).join(' · '),
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

interface IntendedOptions extends WriteOptions {
  readonly chapter?: string;
  readonly rule?: string;
  readonly why?: string;
}

export async function addIntendedWords(words: string, options: IntendedOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    await project.carryOver();
    const { chapter, rule, why } = options;
    const made = await project.call('book:intended:put', {
      words,
      ...(chapter === undefined ? {} : { chapter: (await findChapter(project, chapter)).documentId }),
      ...(rule === undefined ? {} : { rule }),
      ...(why === undefined ? {} : { why }),
    });
    if (project.json) return printJson(made);
    print(`${colours.green(word('write.intended.noted'))} ${made.words}\n`);
  });
}

export async function removeIntendedWords(which: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const { intended } = await project.call('book:intended:list');
    const { id, words } = pick(intended, which, {
      saidBy: (item) => [item.words],
      command: 'galley write intended',
    });
    const ids = await project.carryOver();
    const answer = await project.call('book:intended:delete', { id: ids.get(id) ?? id });
    if (project.json) return printJson(answer);
    print(`${colours.yellow(word('write.removed'))} ${words}\n`);
  });
}
