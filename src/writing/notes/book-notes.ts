// Texts about chapters that are no part of the book: summaries and scene cards, one of each for a chapter. In a folder each is a file
// that people read and change; an application without one keeps them among the named texts of the project.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodePoint } from '../../core/model/code-points.js';

export type NoteKind = 'summary' | 'scene';

export interface BookNote {
  readonly kind: NoteKind;
  /** Id of the document it is about; a summary may be of a part or of the book. */
  readonly about: string;
  readonly text: string;
}

const folders: Readonly<Record<NoteKind, string>> = { summary: 'summaries', scene: 'scenes' };
export const noteKinds = Object.keys(folders) as readonly NoteKind[];

/** Under which the store keeps it. A name with a colon is one of ours and goes into no prompt as it is. */
export function noteKey(kind: NoteKind, about: string): string {
  return `${kind}:${about}`;
}

export function noteOf(key: string, text: string): BookNote | undefined {
  const [, kind, about] = /^(summary|scene):(.+)$/su.exec(key) ?? [];
  return kind === undefined || about === undefined ? undefined : { kind: kind as NoteKind, about, text };
}

export function isOwnKey(key: string): boolean {
  return key.includes(':');
}

/** What the book as a whole is called. */
export const wholeBook = 'book';
/** No chapter is called so. */
const partFile = '_part.md';
const bookFile = '_book.md';

function aboutOf(path: string): string {
  if (path.endsWith(`/${partFile}`)) return path.slice(0, -partFile.length);
  if (path === bookFile) return wholeBook;
  // A chapter that is no Markdown has its own ending before ours.
  return path.replace(/\.(txt)\.md$/iu, '.$1');
}

/** Below the folder of the project. */
export function notePath(place: string, kind: NoteKind, about: string): string {
  if (about === wholeBook) return `${place}/${folders[kind]}/${bookFile}`;
  // A part is called by its folder, and lies in it.
  if (about.endsWith('/')) return `${place}/${folders[kind]}/${about}${partFile}`;
  return `${place}/${folders[kind]}/${about}${/\.(?:md|markdown)$/iu.test(about) ? '' : '.md'}`;
}

const mostNotes = 20_000;
const mostDepth = 12;

/** Paths of the files that hold notes, and what each is about; `exists` tells which chapters there are. */
export async function notePaths(
  folder: string,
  place: string,
): Promise<readonly (Omit<BookNote, 'text'> & { readonly path: string })[]> {
  const found: (Omit<BookNote, 'text'> & { readonly path: string })[] = [];
  for (const kind of noteKinds) {
    const home = `${place}/${folders[kind]}`;
    const walk = async (below: string, depth: number): Promise<void> => {
      const entries = await readdir(join(folder, home, below), { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((left, right) => byCodePoint(left.name, right.name))) {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (entry.name.startsWith('.') || found.length >= mostNotes) continue;
        if (entry.isDirectory() && depth < mostDepth) await walk(path, depth + 1);
        else if (entry.isFile() && /\.(?:md|markdown)$/iu.test(entry.name))
          found.push({ kind, about: aboutOf(path), path: `${home}/${path}` });
      }
    };
    await walk('', 0);
  }
  return found;
}
