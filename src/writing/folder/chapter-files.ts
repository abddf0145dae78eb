// The chapters of a folder, read again only when a file may have changed. Links are refused by name, not followed.
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { byCodePoint } from '../../core/model/code-points.js';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { arrangeChapters, type ChapterFile, type Chapters } from '../documents/chapters.js';
import { readWithin, unreadable } from './read-within.js';

const chapterPathPattern = /\.(md|markdown|txt)$/i;

const largestFile = 16 * 1024 * 1024;
const mostDepth = 16;
const mostFiles = 20_000;
/** Files that belong to a project but tell no story. */
const notChapters = /^(?:readme|license|licence|changelog|contributing|agents|claude)\.(md|markdown|txt)$/i;

const known = new LRUCache<string, { stamp: string; bytes: Uint8Array }>({
  max: 5_000,
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: ({ bytes }) => bytes.length + 1,
});

export async function readChapters(folder: string): Promise<Chapters> {
  const files: ChapterFile[] = [];
  const refused: GalleyError[] = [];
  for (const path of await chapterPaths(folder, '', refused)) {
    try {
      files.push({ path, bytes: await readFile(folder, path) });
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      refused.push(error);
    }
  }
  const arranged = arrangeChapters(files);
  return { chapters: arranged.chapters, unreadable: [...refused, ...arranged.unreadable] };
}

/** What the walk below would take, by its name alone. */
export function isChapterPath(path: string): boolean {
  const steps = path.split('/');
  return (
    chapterPathPattern.test(path) &&
    !steps.some(isLeftOut) &&
    !(steps.length > 1 && isCardFolder(steps[0] ?? ''))
  );
}

/** At the top of the folder; their files are cards, never chapters. */
export function isCardFolder(name: string): boolean {
  return /^(?:设定|codex)$/iu.test(name);
}

function isLeftOut(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

async function readFile(folder: string, path: string): Promise<Uint8Array> {
  const full = join(folder, path);
  const { size, mtimeMs, ctimeMs, ino } = await lstat(full).catch((cause: unknown) => {
    throw unreadable(path, 'it went away while the folder was read', cause);
  });
  const stamp = `${size}:${mtimeMs}:${ctimeMs}:${ino}`;
  const found = known.get(full);
  if (found?.stamp === stamp) return found.bytes;
  const bytes = await readWithin(folder, path, { mostBytes: largestFile });
  known.set(full, { stamp, bytes });
  return bytes;
}

async function chapterPaths(root: string, folder: string, refused: GalleyError[]): Promise<string[]> {
  const paths: string[] = [];
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((cause: unknown) => {
    const name = folder === '' ? 'The project folder' : folder;
    throw new GalleyError('NOT_FOUND', `${name} cannot be listed; check that it exists and may be read.`, {
      cause,
    });
  });
  for (const entry of entries.sort((left, right) => byCodePoint(left.name, right.name))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isLeftOut(entry.name) || (folder === '' && isCardFolder(entry.name) && !entry.isFile())) continue;
    const isChapter = chapterPathPattern.test(entry.name) && !(folder === '' && notChapters.test(entry.name));
    if (entry.isSymbolicLink()) {
      if (isChapter || (await isFolder(join(root, path))))
        refused.push(unreadable(path, 'it is a link; put the file or folder itself here'));
    } else if (entry.isDirectory() && path.split('/').length < mostDepth)
      paths.push(...(await chapterPaths(root, path, refused)));
    else if (entry.isFile() && isChapter) paths.push(path);
  }
  if (paths.length > mostFiles)
    throw new GalleyError(
      'CONTEXT_LIMIT_EXCEEDED',
      `The folder holds more than ${mostFiles} chapters; work in a smaller one.`,
    );
  return paths;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
