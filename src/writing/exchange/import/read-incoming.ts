// What is this file, and what does it bring? Told by its bytes first, by its name where bytes do not tell.
import { GalleyError, isGalleyError, type Warning } from '../../../core/model/error.js';
import { isChapterPath } from '../../folder/chapter-files.js';
import type { Encoding } from './decode-text.js';
import {
  type FieldRow,
  fieldCounter,
  type GivenFile,
  type Incoming,
  importWarning,
  noIncoming,
} from './incoming.js';
import { isPng } from './png-text.js';
import { readDocx } from './read-docx.js';
import { isEpub, readEpub } from './read-epub.js';
import { isNovelcrafter, readNovelcrafter } from './read-novelcrafter.js';
import { readTavernJson, readTavernPng } from './read-tavern.js';
import { readTextFile } from './read-text.js';
import { isZip, readZip } from './read-zip.js';

export interface IncomingOptions {
  readonly encoding?: Encoding | undefined;
}

export async function readIncoming(
  files: readonly GivenFile[],
  options: IncomingOptions = {},
): Promise<Incoming> {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return readFile(only, { ...options, isWhole: false });
  return readFolder(files, 'folder', options);
}

async function readFile(
  file: GivenFile,
  options: IncomingOptions & { readonly isWhole: boolean },
): Promise<Incoming> {
  const { bytes, name } = file;
  if (isZip(bytes)) return readPacked(file, options);
  if (isPng(bytes)) return readTavernPng(file) ?? refused(name, 'the picture carries no character card');
  if (/\.json$/i.test(name))
    return readTavernJson(file) ?? refused(name, 'it is neither a world book nor a character card');
  if (/\.(?:docx?|epub|zip|png|pdf|rtf|odt)$/i.test(name))
    return refused(
      name,
      'it is cut off, damaged or of a kind that is not read here; save it as DOCX, EPUB or text',
    );
  return readTextFile(file, options);
}

async function readPacked(file: GivenFile, options: IncomingOptions): Promise<Incoming> {
  const { files, warnings } = readZip(file.bytes, file.name);
  if (files.some(({ path }) => /^word\/document\d*\.xml$/.test(path))) return readDocx(file);
  if (isEpub(files)) return readEpub(file);
  const read = isNovelcrafter(files)
    ? await readNovelcrafter(files, file.name)
    : await readFolder(
        files.map(({ path, read: bytes }) => ({ name: path, bytes: bytes() })),
        'zip',
        options,
      );
  return { ...read, warnings: [...warnings, ...read.warnings] };
}

/** A file of a folder that cannot be read costs itself and a warning. */
async function readFolder(
  files: readonly GivenFile[],
  format: 'folder' | 'zip',
  options: IncomingOptions,
): Promise<Incoming> {
  const all: Incoming[] = [];
  const warnings: Warning[] = [];
  const left = fieldCounter();
  for (const file of files) {
    if (!isChapterPath(file.name) && !/\.(?:docx|epub|json|png)$/i.test(file.name)) {
      left.add(/\.[^./]+$/.exec(file.name)?.[0] ?? 'files', 'left out');
      continue;
    }
    try {
      const read = await readFile(file, { ...options, isWhole: true });
      const isText = read.format === 'text' || read.format === 'markdown';
      const folder = file.name.replace(/\.[^./]+$/u, '');
      const chapters = read.chapters.map((chapter) =>
        isText ? { ...chapter, path: file.name } : { ...chapter, volume: chapter.volume ?? folder },
      );
      all.push({ ...read, chapters });
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      warnings.push(importWarning('FILE_UNREADABLE', error.message, file.name));
    }
  }
  if (all.length === 0)
    return refused(files[0]?.name ?? 'The folder', 'nothing in it is a text, a book or a card');
  const encodings = new Set(all.flatMap(({ encoding }) => encoding ?? []));
  return {
    ...noIncoming,
    format,
    ...(encodings.size === 0 ? {} : { encoding: [...encodings].join(', ') }),
    chapters: all.flatMap(({ chapters }) => chapters),
    cards: all.flatMap(({ cards }) => cards),
    kept: all.flatMap(({ kept }) => kept),
    fields: [...summed(all.flatMap(({ fields }) => fields)), ...left.rows()],
    warnings: [...warnings, ...all.flatMap((each) => each.warnings)],
  };
}

function summed(rows: readonly FieldRow[]): FieldRow[] {
  const fields = fieldCounter();
  for (const { field, became, count } of rows) fields.add(field, became, count);
  return fields.rows();
}

function refused(name: string, why: string): never {
  throw new GalleyError('FILE_UNREADABLE', `${name} cannot be imported: ${why}.`, {
    details: { path: name },
  });
}
