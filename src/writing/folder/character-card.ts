// A character card in Markdown as an entity. The heading is the name; a few lines have a meaning of their own: 别名、类型、注入、
// 关系 and, wherever they stand, lines that say from when, until when or before when something may be told.
import type { Entity, Inclusion, Relation } from '../../store/tables/entities.js';
import { readFactLines } from '../entities/fact-lines.js';
import { noNumbering } from '../entities/story-numbering.js';

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

export interface CharacterCard {
  readonly entity: Entity;
  /** Lines, from 1, that seem to say when something holds and could not be read. */
  readonly unclear: readonly number[];
}

export function readCharacterCard(text: string, path: string, numbering = noNumbering): CharacterCard {
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
