// What a folder brings along beside its chapters: style guide, outline, preferences, constraints and character cards.
// `.galley` wins over `.writenow`, file by file; what cannot be read is named and costs only itself.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodePoint } from '../../core/model/code-points.js';
import { isGalleyError, type Warning } from '../../core/model/error.js';
import type { Constraint } from '../../store/tables/constraints.js';
import type { Entity } from '../../store/tables/entities.js';
import type { Chapter } from '../documents/chapters.js';
import { decodeDocument } from '../documents/decode-document.js';
import { factNotUnderstood } from '../entities/dated-entity.js';
import { numberingOf, type StoryNumbering } from '../entities/story-numbering.js';
import { readChapters } from './chapter-files.js';
import { readCharacterCard } from './character-card.js';
import { readConstraintList } from './constraint-list.js';
import { readWithin } from './read-within.js';

export const materialFolders = ['.galley', '.writenow'] as const;

const mostBytes = 1024 * 1024;
const mostCards = 500;

export type SettingKey = 'style_guide' | 'outline' | 'user_preferences';

const settingFiles: readonly (readonly [SettingKey, string])[] = [
  ['style_guide', 'style-guide.md'],
  ['outline', 'outline.md'],
  ['user_preferences', 'preferences.md'],
];

export interface MaterialText {
  readonly key: SettingKey;
  readonly path: string;
  readonly text: string;
}

export interface Material {
  readonly settings: readonly MaterialText[];
  /** Their ids are refs: the path and the line. */
  readonly constraints: readonly Constraint[];
  /** Their ids are the paths of their cards. */
  readonly entities: readonly Entity[];
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
  const settings: MaterialText[] = [];
  for (const [key, name] of settingFiles) {
    const found = await first(name);
    if (found !== undefined && found.text.trim() !== '') settings.push({ key, ...found });
  }
  const list = await first('constraints.md');
  const entities: Entity[] = [];
  let numbering: StoryNumbering | undefined;
  const paths = await cardPaths(folder);
  if (paths.length > mostCards) {
    const place = `${materialFolders[0]}/characters`;
    warnings.push(
      fileWarning(place, `${place} holds more than ${mostCards} cards; only the first are read.`),
    );
  }
  for (const path of paths.slice(0, mostCards)) {
    const found = await readText(folder, path, warnings);
    if (found === undefined) continue;
    let card = readCharacterCard(found.text, path);
    // A card may speak of volumes or acts, which only the names of the chapters place.
    if (card.unclear.length > 0) {
      numbering ??= numberingOf((await readChapters(folder)).chapters.map(named));
      card = readCharacterCard(found.text, path, numbering);
    }
    entities.push(card.entity);
    warnings.push(...card.unclear.map((line) => factNotUnderstood(path, line)));
  }
  return {
    settings,
    constraints: list === undefined ? [] : readConstraintList(list.text, list.path),
    entities: withoutTwins(entities, warnings),
    warnings,
  };
}

const named = ({ path, ...chapter }: Chapter) => ({ ...chapter, id: path });

/** Rows that came from files of the folder. */
export function isMaterialId(id: string): boolean {
  return materialFolders.some((place) => id.startsWith(`${place}/`));
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

async function cardPaths(folder: string): Promise<string[]> {
  const found = new Map<string, string>();
  for (const place of materialFolders) {
    const names = await readdir(join(folder, place, 'characters')).catch(() => []);
    for (const name of names) {
      if (/\.(md|markdown)$/i.test(name) && !found.has(name)) found.set(name, `${place}/characters/${name}`);
    }
  }
  return [...found.values()].sort(byCodePoint);
}

function withoutTwins(entities: readonly Entity[], warnings: Warning[]): Entity[] {
  const names = new Set<string>();
  return entities.filter(({ id, name }) => {
    if (!names.has(name)) return names.add(name) && true;
    warnings.push(fileWarning(id, `${id} describes someone who has a card already; join the two cards.`));
    return false;
  });
}
