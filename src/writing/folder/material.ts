// What a folder brings along beside its chapters: style guide, outline, preferences, constraints, memory, accepted episodes and
// cards. `.galley` wins over `.writenow`, file by file; what cannot be read is named and costs only itself.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodePoint } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import { isGalleyError } from '../../core/model/error.js';
import type { Constraint } from '../../store/tables/constraints.js';
import type { Entity } from '../../store/tables/entities.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import type { Summary } from '../../store/tables/runs.js';
import { type Chapter, decodeDocument } from '../documents/chapters.js';
import { factNotUnderstood } from '../entities/entity.js';
import { numberingOf, type StoryNumbering } from '../entities/story-numbering.js';
import { type BookNote, notePaths } from '../notes/book-notes.js';
import { readCard } from '../told/card-file.js';
import {
  constraintList,
  episodeList,
  memoryList,
  promiseList,
  readTold,
  type ToldList,
} from '../told/told-lists.js';
import { isCardFolder, readChapters } from './chapter-files.js';
import { readWithin } from './read-within.js';

const materialFolders = ['.galley', '.writenow'] as const;

const mostBytes = 1024 * 1024;
const mostCards = 500;

/** Texts of the check of a book: what was answered, and what is intended. They never stand in a prompt of the writing desk. */
export const checkPrefix = 'check:';
export const intendedKey = `${checkPrefix}intended` as const;
export const intendedFile = 'intended.md';

/** A list too; a name with a colon goes into no prompt as it is. */
export const promisesKey = 'book:promises';

export type SettingKey =
  | 'style_guide'
  | 'outline'
  | 'user_preferences'
  | typeof intendedKey
  | typeof promisesKey;

export const settingFiles: readonly (readonly [SettingKey, string])[] = [
  ['style_guide', 'style-guide.md'],
  ['outline', 'outline.md'],
  ['user_preferences', 'preferences.md'],
  [intendedKey, intendedFile],
  [promisesKey, promiseList.file],
];

interface MaterialText {
  readonly key: SettingKey;
  readonly path: string;
  readonly text: string;
}

export interface Material {
  readonly settings: readonly MaterialText[];
  /** Highest priority first, as a store lists them; ids name the file and the words, not the place. */
  readonly constraints: readonly (Constraint & { readonly line: number })[];
  /** Their ids are the paths of their cards. */
  readonly entities: readonly Entity[];
  readonly memory: readonly MemoryItem[];
  /** Oldest first. */
  readonly episodes: readonly Summary[];
  /** Summaries and scene cards. */
  readonly notes: readonly BookNote[];
  /** As JSON; undefined where the folder says nothing of it. */
  readonly budget?: unknown;
  readonly warnings: readonly Warning[];
}

export async function readMaterial(folder: string): Promise<Material> {
  const warnings: Warning[] = [];
  const first = async (name: string) => {
    for (const place of materialFolders) {
      const read = await readText(folder, `${place}/${name}`, warnings);
      if (read !== undefined) return read;
    }
    return undefined;
  };
  const told = async <Row extends { readonly id: string }>(list: ToldList<Row>) => {
    const found = await first(list.file);
    return found === undefined ? [] : readTold(list, found.text, found.path);
  };
  const settings: MaterialText[] = [];
  for (const [key, name] of settingFiles) {
    const found = await first(name);
    if (found !== undefined && found.text.trim() !== '') settings.push({ key, ...found });
  }
  const constraints = (await told(constraintList)).map(({ row, line }) => ({ ...row, line }));
  return {
    settings,
    constraints: constraints.sort((left, right) => right.priority - left.priority),
    entities: withoutTwins(await readCards(folder, warnings), warnings),
    memory: (await told(memoryList)).map(({ row }) => row),
    episodes: (await told(episodeList)).map(({ row }) => row),
    notes: await readNotes(folder, warnings),
    budget: budgetOf(await first(budgetFile), warnings),
    warnings,
  };
}

async function readNotes(folder: string, warnings: Warning[]): Promise<BookNote[]> {
  const notes: BookNote[] = [];
  for (const { kind, about, path } of await notePaths(folder, materialFolders[0])) {
    const found = await readText(folder, path, warnings);
    if (found !== undefined) notes.push({ kind, about, text: found.text });
  }
  return notes;
}

export const budgetFile = 'budget.json';

function budgetOf(found: { path: string; text: string } | undefined, warnings: Warning[]): unknown {
  if (found === undefined) return undefined;
  try {
    return JSON.parse(found.text);
  } catch {
    warnings.push(fileWarning(found.path, `${found.path} is not valid JSON; the budget stays as it was.`));
    return undefined;
  }
}

export function budgetText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Every card there is, those of the same name too. */
export async function readCards(folder: string, warnings: Warning[] = []): Promise<Entity[]> {
  let numbering: StoryNumbering | undefined;
  const paths = await cardPaths(folder);
  if (paths.length > mostCards) {
    const place = `${materialFolders[0]}/characters`;
    warnings.push(
      fileWarning(place, `${place} holds more than ${mostCards} cards; only the first are read.`),
    );
  }
  const entities: Entity[] = [];
  for (const path of paths.slice(0, mostCards)) {
    const found = await readText(folder, path, warnings);
    if (found === undefined) continue;
    let card = readCard(found.text, path);
    // A card may speak of volumes or acts, which only the names of the chapters place.
    if (card.unclear.length > 0) {
      numbering ??= await folderNumbering(folder);
      card = readCard(found.text, path, numbering);
    }
    entities.push(card.entity);
    warnings.push(...card.unclear.map((line) => factNotUnderstood(path, line)));
  }
  return entities;
}

export async function folderNumbering(folder: string): Promise<StoryNumbering> {
  const named = ({ path, ...chapter }: Chapter) => ({ ...chapter, id: path });
  return numberingOf((await readChapters(folder)).chapters.map(named));
}

/** Where a file of the project is, or would be made. */
export async function materialPath(folder: string, name: string): Promise<string> {
  for (const place of materialFolders) {
    const names: string[] = await readdir(join(folder, place)).catch(() => []);
    if (names.includes(name)) return `${place}/${name}`;
  }
  return `${materialFolders[0]}/${name}`;
}

/** Rows that came from files of the folder. */
export function isMaterialId(id: string): boolean {
  const [place = '', ...rest] = id.split('/');
  if (rest.length === 0) return false;
  return materialFolders.some((name) => name === place) || (isCardFolder(place) && cardFile.test(id));
}

async function readText(
  folder: string,
  path: string,
  warnings: Warning[],
): Promise<{ path: string; text: string } | undefined> {
  try {
    const decoded = decodeDocument(await readWithin(folder, path, { mostBytes }), path);
    if (decoded.kind === 'text') return { path, text: decoded.text };
    warnings.push(fileWarning(path, decoded.error.message));
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    // Not being there is the usual case.
    const isMissing = (error.cause as { code?: string } | undefined)?.code === 'ENOENT';
    if (!isMissing) warnings.push(fileWarning(path, error.message));
  }
  return undefined;
}

export function fileWarning(path: string, message: string): Warning {
  return { code: 'FILE_UNREADABLE', message: `FILE_UNREADABLE: ${message}`, details: { path } };
}

const cardFile = /\.(md|markdown|txt)$/i;
const notCards = /^(?:readme|license|licence|changelog|index)\.(md|markdown|txt)$/i;

/** Files of `.galley/characters`, of 设定 and codex, and of the folders right within those two. */
async function cardPaths(folder: string): Promise<string[]> {
  const found = new Map<string, string>();
  for (const place of materialFolders) {
    const names = await readdir(join(folder, place, 'characters')).catch(() => []);
    for (const name of names) {
      if (/\.(md|markdown)$/i.test(name) && !found.has(name)) found.set(name, `${place}/characters/${name}`);
    }
  }
  const paths = [...found.values()];
  for (const place of await visibleCardFolders(folder)) {
    for (const within of ['', ...(await foldersIn(join(folder, place)))]) {
      const names = await readdir(join(folder, place, within)).catch(() => []);
      const cards = names.filter(
        (name) => cardFile.test(name) && !notCards.test(name) && !name.startsWith('.'),
      );
      paths.push(...cards.map((name) => [place, within, name].filter((step) => step !== '').join('/')));
    }
  }
  return paths.sort(byCodePoint);
}

/** 设定 and codex, where writers see them. */
export async function visibleCardFolders(folder: string): Promise<string[]> {
  return (await foldersIn(folder)).filter(isCardFolder).sort(byCodePoint);
}

export async function foldersIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
}

function withoutTwins(entities: readonly Entity[], warnings: Warning[]): Entity[] {
  const names = new Set<string>();
  return entities.filter(({ id, name }) => {
    if (!names.has(name)) return names.add(name) && true;
    warnings.push(fileWarning(id, `${id} describes someone who has a card already; join the two cards.`));
    return false;
  });
}
