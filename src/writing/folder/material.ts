// What a folder brings along beside its chapters: style guide, outline, preferences, constraints and character cards.
// `.galley` wins over `.writenow`, file by file; what cannot be read is named and costs only itself.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodePoint } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import { isGalleyError } from '../../core/model/error.js';
import type { Constraint, ConstraintKind } from '../../store/tables/constraints.js';
import type { Entity, Inclusion, Relation } from '../../store/tables/entities.js';
import { type Chapter, decodeDocument } from '../documents/chapters.js';
import { factNotUnderstood } from '../entities/entity.js';
import { readFactLines } from '../entities/fact-lines.js';
import { noNumbering, numberingOf, type StoryNumbering } from '../entities/story-numbering.js';
import { readChapters } from './chapter-files.js';
import { readWithin } from './read-within.js';

const materialFolders = ['.galley', '.writenow'] as const;

const mostBytes = 1024 * 1024;
const mostCards = 500;

export type SettingKey = 'style_guide' | 'outline' | 'user_preferences';

const settingFiles: readonly (readonly [SettingKey, string])[] = [
  ['style_guide', 'style-guide.md'],
  ['outline', 'outline.md'],
  ['user_preferences', 'preferences.md'],
];

interface MaterialText {
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

// Constraints from a Markdown list: one for each item, its kind from the nearest heading, pinned with a leading 📌 or 【固定】.
const kinds: readonly (readonly [RegExp, ConstraintKind])[] = [
  [/叙述|narrat/iu, 'narrative'],
  [/角色|人物|character/iu, 'character'],
  [/世界|world/iu, 'world'],
  [/情节|剧情|plot/iu, 'plot'],
  [/风格|文风|style/iu, 'style'],
];
const pin = /^(?:📌|【固定】|\[pinned\])\s*/iu;

/** The id of a constraint is where it stands. */
function readConstraintList(text: string, path: string): Constraint[] {
  const constraints: Constraint[] = [];
  let kind: ConstraintKind = 'style';
  text.split('\n').forEach((line, index) => {
    const heading = /^\s{0,3}#{1,6}\s+(.+)$/.exec(line)?.[1];
    if (heading !== undefined) kind = kinds.find(([words]) => words.test(heading))?.[1] ?? kind;
    const item = /^\s*(?:[-*+]|\d+[.、)])\s*(.+?)\s*$/u.exec(line)?.[1];
    if (item === undefined) return;
    const words = item.replace(pin, '');
    // Said twice in a list is said once.
    if (words === '' || constraints.some((known) => known.kind === kind && known.text === words)) return;
    constraints.push({
      id: `${path}#L${index + 1}`,
      kind,
      origin: 'project',
      priority: 0,
      pinned: pin.test(item),
      text: words,
      version: 1,
    });
  });
  return constraints;
}

// A character card in Markdown as an entity. The heading is the name; a few lines have a meaning of their own: 别名、类型、注入、
// 关系 and, wherever they stand, lines that say from when, until when or before when something may be told.
const field = /^\s*(?:[-*]\s+)?([^\s：:][^：:\n]{0,24}?)\s*[：:]\s*(.+?)\s*$/u;
const inclusions: Readonly<Record<string, Inclusion>> = {
  总是: 'always',
  检测: 'detected',
  手动: 'manual',
  从不: 'never',
  always: 'always',
  detected: 'detected',
  manual: 'manual',
  never: 'never',
};

interface Draft {
  kind: string;
  inclusion: Inclusion;
  readonly aliases: string[];
  readonly relations: Relation[];
}

/** Of a card that does not say. */
export const cardKind = '人物';

interface CharacterCard {
  readonly entity: Entity;
  /** Lines, from 1, that seem to say when something holds and could not be read. */
  readonly unclear: readonly number[];
}

function readCharacterCard(text: string, path: string, numbering = noNumbering): CharacterCard {
  const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/mu.exec(text);
  const name = heading?.[1] ?? fileName(path);
  const below = heading === null ? text : text.replace(heading[0], (found) => found.replace(/[^\n]/gu, ''));
  const { description, facts, secrets, unclear } = readFactLines(below, numbering);
  const draft: Draft = { kind: cardKind, inclusion: 'always', aliases: [], relations: [] };
  // Only what always holds: a name that is a secret is none of the aliases.
  const words = description.split('\n').filter((line) => !readField(line, draft));
  const entity: Entity = {
    ...draft,
    id: path,
    name,
    description: words.map((line) => line.replace(/^#{1,6}\s+(.+?)\s*#*$/u, '$1')).join('\n'),
    facts,
    secrets,
    neverTrimmed: false,
    version: 1,
    updatedAt: 0,
  };
  return { entity, unclear };
}

function readField(line: string, draft: Draft): boolean {
  const [, key = '', value = ''] = field.exec(line) ?? [];
  if (/^(?:别名|又名|alias(?:es)?)$/iu.test(key)) draft.aliases.push(...listOf(value));
  else if (/^(?:类型|kind)$/iu.test(key)) draft.kind = value;
  else if (/^(?:注入|inclusion)$/iu.test(key) && inclusions[value] !== undefined)
    draft.inclusion = inclusions[value];
  else if (/^(?:关系|relations?)$/iu.test(key)) draft.relations.push(...listOf(value).map(relationOf));
  else return false;
  return true;
}

function listOf(value: string): string[] {
  return value
    .split(/[、,，;；]/u)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function relationOf(word: string): Relation {
  const [, to = word, label = ''] = /^(.+?)\s*[（(](.+?)[）)]$/u.exec(word) ?? [];
  return { to, label };
}

function fileName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(md|markdown)$/i, '');
}
