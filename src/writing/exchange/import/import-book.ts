// Brings a book in: reads what was given, plans where everything goes, and, if it is to be written, writes it. A project that owns
// a folder gets files, every other one documents and entities of its store.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GalleyError, type Warning } from '../../../core/model/error.js';
import { isProjectRelative } from '../../../core/model/fragment.js';
import type { PromptLanguage } from '../../../skills/skill.js';
import type { Store } from '../../../store/store.js';
import { chapterTitle } from '../../documents/chapters.js';
import { textLanguage } from '../../documents/text-language.js';
import { readChapters } from '../../folder/chapter-files.js';
import { followFolder } from '../../folder/follow-folder.js';
import { indexDocument } from '../../retrieval/follow-documents.js';
import { cardDraft, cardFile } from './card-file.js';
import type { Encoding } from './decode-text.js';
import type { FieldRow, GivenFile, Incoming, SourceFormat } from './incoming.js';
import { fileNameOf, freeNames, joined, type PlannedFile, planChapters } from './plan-files.js';
import { readIncoming } from './read-incoming.js';
import { baseName } from './read-tavern.js';
import { standing, writeNewFile } from './write-new-files.js';

export interface ImportRequest {
  readonly files: readonly GivenFile[];
  /** What the whole is called where several files are given. */
  readonly name: string;
  /** A folder of the project; the top where it has no chapters yet, else one named after what is imported. */
  readonly into?: string | undefined;
  readonly encoding?: Encoding | undefined;
  readonly isWritten: boolean;
}

export interface ImportPlace {
  readonly store: Store;
  readonly project: string;
  /** The folder that the project owns. */
  readonly folder: string | undefined;
}

export interface ImportedFile {
  readonly path: string;
  readonly title: string;
  /** Without blanks. */
  readonly characters: number;
  /** The same bytes stood there already. */
  readonly isThere: boolean;
}

export interface ImportedBook {
  readonly format: SourceFormat;
  readonly encoding?: string;
  readonly title?: string;
  readonly place: 'folder' | 'store';
  readonly written: boolean;
  readonly chapters: readonly ImportedFile[];
  readonly cards: readonly ImportedFile[];
  readonly kept: readonly string[];
  readonly fields: readonly FieldRow[];
  readonly warnings: readonly Warning[];
}

const keptFolder = '.galley/imported';

export async function importBook(request: ImportRequest, place: ImportPlace): Promise<ImportedBook> {
  const incoming = await readIncoming(request.files, { encoding: request.encoding });
  const language = textLanguage([
    ...incoming.chapters.slice(0, 20).map(({ text }) => text.slice(0, 5_000)),
    ...incoming.cards.slice(0, 20).map(({ name, description }) => name + description),
  ]);
  return place.folder === undefined
    ? intoStore(incoming, { ...request, language }, place)
    : intoFolder(incoming, { ...request, language }, { ...place, folder: place.folder });
}

type Request = ImportRequest & { readonly language: PromptLanguage | undefined };

async function intoFolder(
  incoming: Incoming,
  { name, into, isWritten, language }: Request,
  { store, project, folder }: ImportPlace & { folder: string },
): Promise<ImportedBook> {
  if (into !== undefined && into !== '.' && !isProjectRelative(into))
    throw new GalleyError('INVALID_ARGUMENT', 'into: must be a folder within the project.', {
      details: { field: 'into' },
    });
  const base = fileNameOf(baseName(name), 'book');
  const hasChapters = (await readChapters(folder)).chapters.length > 0;
  const wanted = {
    chapters: planChapters(incoming.chapters, {
      into: into ?? (hasChapters ? base : ''),
      language,
      name: base,
    }),
    cards: planCards(incoming, folder, language),
    kept: incoming.kept.map(({ path, text }) => ({ path: joined(keptFolder, safePath(path)), text })),
  };
  const { files, renamed } = await placed([...wanted.chapters, ...wanted.cards, ...wanted.kept], folder);
  if (isWritten) {
    for (const { path, text, isThere } of files)
      if (!isThere) await writeNewFile(folder, { path, content: text });
    await followFolder(store, project, folder);
  }
  const chapters = files.slice(0, wanted.chapters.length);
  const cards = files.slice(wanted.chapters.length, wanted.chapters.length + wanted.cards.length);
  const there = files.filter(({ isThere }) => isThere).length;
  return {
    ...factsOf(incoming),
    place: 'folder',
    written: isWritten,
    chapters: chapters.map(imported),
    cards: cards.map(imported),
    kept: files.slice(chapters.length + cards.length).map(({ path }) => path),
    fields: incoming.fields,
    warnings: [
      ...incoming.warnings,
      ...(renamed.length === 0 ? [] : [renamedWarning(renamed)]),
      ...(there === 0
        ? []
        : [
            {
              code: 'ALREADY_THERE',
              message: `ALREADY_THERE: ${there} file(s) stand there already, byte for byte.`,
            },
          ]),
    ],
  };
}

/** `freeNames` asks at once, the disk answers later: it is asked again until everything it asks is known. */
async function placed(files: readonly PlannedFile[], folder: string) {
  const known = new Map<string, 'free' | 'same' | 'other'>();
  for (;;) {
    const asked: { path: string; text: string }[] = [];
    const result = freeNames(files, (path, text) => {
      const state = known.get(path);
      if (state === undefined) asked.push({ path, text });
      return state ?? 'free';
    });
    if (asked.length === 0) return result;
    for (const { path, text } of asked) known.set(path, await standing(folder, path, text));
  }
}

function planCards({ cards }: Incoming, folder: string, language: PromptLanguage | undefined): PlannedFile[] {
  const place =
    existsSync(join(folder, '设定')) || (language === 'zh' && !existsSync(join(folder, 'codex')))
      ? '设定'
      : 'codex';
  return cards.map((card) => ({
    path: `${place}/${fileNameOf(card.name, 'card')}.md`,
    text: cardFile(card, place === '设定' ? 'zh' : 'en'),
  }));
}

async function intoStore(
  incoming: Incoming,
  { name, isWritten, language }: Request,
  { store, project }: ImportPlace,
): Promise<ImportedBook> {
  const base = fileNameOf(baseName(name), 'book');
  const known = new Set((await store.documents.list(project)).map(({ id }) => id));
  const { files } = freeNames(planChapters(incoming.chapters, { into: '', language, name: base }), (path) =>
    known.has(path) ? 'other' : 'free',
  );
  const drafts = incoming.cards.map((card) => cardDraft(card, language ?? 'en'));
  const people = new Set((await store.entities.list(project)).map((entity) => entity.name));
  const twins = drafts.filter((draft) => people.has(draft.name));
  if (isWritten) {
    for (const { path, text } of files) {
      const entry = await store.documents.put(project, { id: path, title: chapterTitle(text, path), text });
      await indexDocument(store, project, entry).catch(() => undefined);
    }
    for (const draft of drafts) if (!people.has(draft.name)) await store.entities.put(project, draft);
  }
  return {
    ...factsOf(incoming),
    place: 'store',
    written: isWritten,
    chapters: files.map(imported),
    cards: drafts.map(({ name: title, description }) => ({
      path: title,
      title,
      characters: lengthOf(description),
      isThere: people.has(title),
    })),
    kept: [],
    fields: incoming.fields,
    warnings: [
      ...incoming.warnings,
      ...twins.map((draft) => ({
        code: 'ALREADY_THERE',
        message: `ALREADY_THERE: an entity of the same name stands in the store and was left as it is.`,
        details: { name: draft.name },
      })),
    ],
  };
}

function factsOf({ format, encoding, title }: Incoming) {
  return {
    format,
    ...(encoding === undefined ? {} : { encoding }),
    ...(title === undefined ? {} : { title }),
  };
}

function imported({ path, text, isThere }: PlannedFile & { isThere: boolean }): ImportedFile {
  return { path, title: chapterTitle(text, path), characters: lengthOf(text), isThere };
}

function lengthOf(text: string): number {
  let count = 0;
  for (const character of text) if (character.trim() !== '') count += 1;
  return count;
}

function renamedWarning(paths: readonly string[]): Warning {
  return {
    code: 'NAME_TAKEN',
    message: `NAME_TAKEN: ${paths.length} file(s) got another name, because one of theirs was taken.`,
    details: { paths: paths.slice(0, 20) },
  };
}

function safePath(path: string): string {
  return path
    .split('/')
    .map((step) => fileNameOf(step, 'file'))
    .join('/');
}
