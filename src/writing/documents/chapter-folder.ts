// A plain folder as a project: every Markdown or text file below it becomes a chapter. Links are not followed, hidden folders
// are not entered, and a file that cannot be read is named and costs only itself.
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodePoint } from '../../core/model/code-point-order.js';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { arrangeChapters, type ChapterFile, type Chapters } from './chapters.js';

const chapterFile = /\.(md|markdown|txt)$/i;
const largestFile = 16 * 1024 * 1024;

export async function readChapterFolder(root: string): Promise<Chapters> {
  const files: ChapterFile[] = [];
  const unreadable: GalleyError[] = [];
  for (const path of await chapterPaths(root, '')) {
    const read = await readChapter(root, path);
    if (isGalleyError(read)) unreadable.push(read);
    else files.push(read);
  }
  const arranged = arrangeChapters(files);
  return { chapters: arranged.chapters, unreadable: [...unreadable, ...arranged.unreadable] };
}

async function chapterPaths(root: string, folder: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true });
  } catch (cause) {
    const name = folder === '' ? 'The project folder' : folder;
    throw new GalleyError('NOT_FOUND', `${name} cannot be listed; check that it exists and may be read.`, {
      cause,
    });
  }
  const paths: string[] = [];
  for (const entry of entries.sort((left, right) => byCodePoint(left.name, right.name))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) paths.push(...(await chapterPaths(root, path)));
    else if (entry.isFile() && chapterFile.test(entry.name)) paths.push(path);
  }
  return paths;
}

async function readChapter(root: string, path: string): Promise<ChapterFile | GalleyError> {
  try {
    const { size } = await stat(join(root, path));
    if (size > largestFile)
      return refusal(path, `it is larger than ${largestFile} bytes; split it into chapters`);
    return { path, bytes: await readFile(join(root, path)) };
  } catch (cause) {
    return refusal(path, 'the system refused to open it; check its permissions', cause);
  }
}

function refusal(path: string, why: string, cause?: unknown): GalleyError {
  return new GalleyError('FILE_UNREADABLE', `${path} cannot be read: ${why}.`, { details: { path }, cause });
}
