// A character card in Markdown as an entity. The heading is the name; a few lines have a meaning of their own, everything else
// describes: 别名、类型、注入、关系、第三章起（a fact from then on）、第五章前保密（hidden before that chapter）.
import type { Entity, Fact, Inclusion, Relation, Secret } from '../../store/entities.js';
import { chapterNumber } from '../documents/chapter-number.js';

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
  name: string;
  kind: string;
  inclusion: Inclusion;
  readonly aliases: string[];
  readonly facts: Fact[];
  readonly secrets: Secret[];
  readonly relations: Relation[];
  readonly description: string[];
}

/** Of a card that does not say. */
export const cardKind = '人物';

export function readCharacterCard(text: string, path: string): Entity {
  const draft: Draft = {
    name: '',
    kind: cardKind,
    inclusion: 'always',
    aliases: [],
    facts: [],
    secrets: [],
    relations: [],
    description: [],
  };
  for (const line of text.split('\n')) readLine(line, draft);
  const { name, description, ...rest } = draft;
  return {
    ...rest,
    id: path,
    name: name === '' ? fileName(path) : name,
    description: description.join('\n').trim(),
    neverTrimmed: false,
    version: 1,
    updatedAt: 0,
  };
}

function readLine(line: string, draft: Draft): void {
  const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1];
  if (heading !== undefined) {
    if (draft.name === '') draft.name = heading;
    else draft.description.push(heading);
    return;
  }
  const [, key = '', value = ''] = field.exec(line) ?? [];
  if (!readField(key, value, draft) && line.trim() !== '') draft.description.push(line.trim());
}

function readField(key: string, value: string, draft: Draft): boolean {
  const chapter = /^第.+章/u.test(key) ? chapterNumber(key) : undefined;
  if (chapter !== undefined && /章起$/u.test(key)) draft.facts.push({ text: value, from: chapter });
  else if (chapter !== undefined && /章前保密$/u.test(key))
    draft.secrets.push({ text: value, hiddenUntil: chapter });
  else if (/^(?:别名|又名|alias(?:es)?)$/iu.test(key)) draft.aliases.push(...listOf(value));
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
