// galley write history, snapshot and restore: the states a chapter was in.
import { colours } from '../terminal/colours.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, whenWords } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

/** A chapter that is gone is still known by its path. */
async function chapterCalled(project: WriteProject, words: string): Promise<string> {
  return findChapter(project, words).then(
    ({ documentId }) => documentId,
    async (error: unknown) => {
      const found = await project.call('documents:history', { documentId: words }).catch(() => undefined);
      if (found === undefined) throw error;
      return found.documentId;
    },
  );
}

export async function showHistory(chapter: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    await project.follow();
    const documentId = await chapterCalled(project, chapter);
    const history = await project.call('documents:history', { documentId });
    if (project.json) return printJson(history);
    const { versions, current } = history;
    if (versions.length === 0) return say(`${word('history.none')}\n`);
    print(
      textTable(
        [
          { title: word('draft.col.number'), align: 'right' },
          { title: word('draft.col.when') },
          { title: word('history.col.what'), shrink: true },
        ],
        [...versions].reverse().map(({ version, at, kind, draft, name, hash }) => {
          const what =
            factWords(`version.${kind}`, kind) +
            [draft, name].map((more) => (more === undefined ? '' : ` ${more}`)).join('');
          return [
            String(version),
            whenWords(at),
            hash === current ? `${what} · ${word('history.now')}` : what,
          ];
        }),
        { width: terminalWidth() },
      ),
    );
    const command = `galley write restore ${chapter} ${versions.at(-1)?.version}`;
    say(`${colours.dim(word('history.next', { command }))}\n`);
  });
}

export async function snapshotChapter(
  chapter: string,
  options: WriteOptions & { readonly name?: string },
): Promise<void> {
  await withWriteProject(options, 'works-on-chapters', async (project) => {
    await project.follow();
    const { documentId, title } = await findChapter(project, chapter);
    const named = options.name === undefined ? {} : { name: options.name };
    const version = await project.call('documents:snapshot', { documentId, ...named });
    if (project.json) return printJson(version);
    say(`${colours.green('✓')} ${word('history.kept', { chapter: title, n: version.version })}\n`);
  });
}

export async function restoreChapter(chapter: string, version: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    await project.follow();
    const documentId = await chapterCalled(project, chapter);
    const restored = await project.call('documents:restore', { documentId, version });
    if (project.json) return printJson(restored);
    say(`${colours.green('✓')} ${word('history.restored', { chapter: documentId, n: restored.version })}\n`);
    say(`${colours.dim(word('draft.undo', { command: 'galley write undo' }))}\n`);
  });
}
