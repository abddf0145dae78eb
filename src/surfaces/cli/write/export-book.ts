// galley write export: one file of the whole book, by the ending of its name.
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { isChapterPath } from '../../../writing/folder/chapter-files.js';
import { colours } from '../terminal/colours.js';
import { grouped } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

export interface ExportOptions extends WriteOptions {
  readonly title?: string;
  readonly author?: string;
  readonly language?: string;
  readonly force?: boolean;
}

const formats: Readonly<Record<string, string>> = {
  '.md': 'md',
  '.markdown': 'md',
  '.txt': 'txt',
  '.docx': 'docx',
  '.epub': 'epub',
};

export async function exportCommand(file: string, options: ExportOptions): Promise<void> {
  const format = formats[extname(file).toLowerCase()];
  if (format === undefined)
    throw new GalleyError('INVALID_ARGUMENT', 'The file must end in .md, .txt, .docx or .epub.', {
      details: { field: 'file' },
    });
  const target = resolve(file);
  const within = relative(process.cwd(), target).split(sep).join('/');
  if (!within.startsWith('..') && isChapterPath(within))
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${within} would become a chapter of the book it is made of; write it elsewhere, such as ../${basename(target)}.`,
    );
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const { title, author, language } = options;
    const { text, base64, ...exported } = await project.call('documents:export', {
      format,
      ...(title === undefined ? {} : { title }),
      ...(author === undefined ? {} : { author }),
      ...(language === undefined ? {} : { language }),
    });
    await writeWhole(
      target,
      text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text),
      options,
    );
    if (project.json) return printJson(exported);
    sayWarnings(exported.warnings);
    print(
      `${colours.green(word('export.done'))} ${basename(target)}: ${word('export.what', {
        title: exported.title,
        chapters: counted(exported.chapters, 'chapter'),
        characters: grouped(exported.characters),
        bytes: grouped(exported.size),
      })}\n`,
    );
  });
}

/** First under another name, so that nobody finds half a book. */
async function writeWhole(
  target: string,
  bytes: Uint8Array,
  { force = false }: { force?: boolean },
): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    // Taking the name first tells apart what is there and what cannot be written.
    if (!force) await (await open(target, 'wx')).close();
    const handle = await open(draft, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new GalleyError(
        'ALREADY_EXISTS',
        `${basename(target)} is there already; --force writes over it.`,
      );
    if (!force) await rm(target, { force: true });
    throw new GalleyError(
      'FILE_UNREADABLE',
      `${basename(target)} cannot be written; check the folder and its rights.`,
      {
        cause,
      },
    );
  }
}
