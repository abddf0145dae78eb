// A card in Markdown as an entity. The heading is the name; a few lines have a meaning of their own: 别名、类型、注入、关系 and,
// wherever they stand, lines that say from when, until when or before when something may be told. What no line can say stands in a
// comment that only programs read.
import type { Entity, Fact, Inclusion, Relation, Secret } from '../../store/tables/entities.js';
import { readFactLines } from '../entities/fact-lines.js';
import { noNumbering } from '../entities/story-numbering.js';

/** Of a card that does not say. */
export const cardKind = '人物';

export type CardField = 'aliases' | 'kind' | 'inclusion' | 'relations' | 'neverTrimmed' | 'fact';

export type CardExtras = Partial<
  Pick<Entity, 'name' | 'aliases' | 'kind' | 'inclusion' | 'relations' | 'facts' | 'secrets' | 'neverTrimmed'>
>;

/** Lines count from 1. */
export interface CardPlaces {
  readonly name: number | undefined;
  readonly fields: readonly { readonly field: CardField; readonly line: number }[];
  readonly description: readonly number[];
  /** Empty for what stands in the comment. */
  readonly facts: readonly (readonly number[])[];
  readonly secrets: readonly (readonly number[])[];
  readonly comment: number | undefined;
}

export interface Card {
  readonly entity: Entity;
  /** Lines that seem to say when something holds and could not be read. */
  readonly unclear: readonly number[];
  readonly extras: CardExtras;
  readonly places: CardPlaces;
}

const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/u;
const comment = /^\s*<!-- galley: (\{.*\}) -->\s*$/u;

export function readCard(text: string, path: string, numbering = noNumbering): Card {
  const lines = text.split('\n');
  const nameAt = lines.findIndex((line) => heading.test(line));
  const commentAt = lines.findIndex((line) => comment.test(line));
  const below = lines.map((line, index) => (index === nameAt || index === commentAt ? '' : line)).join('\n');
  const extras = extrasOf(comment.exec(lines[commentAt] ?? '')?.[1]);
  const told = readFactLines(below, numbering);
  const draft: Draft = {
    kind: cardKind,
    inclusion: 'always',
    neverTrimmed: false,
    aliases: [],
    relations: [],
  };
  const facts: Fact[] = [...told.facts];
  const places = { facts: [...told.places.facts], description: [] as number[] };
  const fields: { field: CardField; line: number }[] = [];
  const words: string[] = [];
  // Only what always holds: a name that is a secret is none of the aliases.
  for (const line of told.places.description) {
    const content = (lines[line - 1] ?? '').trim();
    const field = readField(content, draft);
    if (field === undefined) {
      words.push(plainLine(content));
      places.description.push(line);
      continue;
    }
    fields.push({ field, line });
    if (field !== 'fact') continue;
    facts.push({ text: fieldValue(content) });
    places.facts.push([line]);
  }
  const { aliases = [], relations = [], facts: more = [], secrets = [], name, ...scalars } = extras;
  const entity: Entity = {
    ...draft,
    ...scalars,
    id: path,
    name: name ?? heading.exec(lines[nameAt] ?? '')?.[1] ?? fileName(path),
    aliases: [...draft.aliases, ...aliases],
    relations: [...draft.relations, ...relations],
    description: words.join('\n'),
    facts: [...facts, ...more],
    secrets: [...told.secrets, ...secrets],
    version: 1,
    updatedAt: 0,
  };
  return {
    entity,
    unclear: told.unclear,
    extras,
    places: {
      name: nameAt < 0 ? undefined : nameAt + 1,
      comment: commentAt < 0 ? undefined : commentAt + 1,
      fields,
      description: places.description,
      facts: [...places.facts, ...more.map(() => [])],
      secrets: [...told.places.secrets, ...secrets.map(() => [])],
    },
  };
}

/** A heading says its words; a line that only looks like a heading or a field begins with a backslash. */
function plainLine(line: string): string {
  return line.startsWith('\\') ? line.slice(1) : line.replace(/^#{1,6}\s+(.+?)\s*#*$/u, '$1');
}

/** As a line of a description must be written so that it is read as one. */
export function descriptionLine(words: string): string {
  const line = words.trim();
  const isPlain = plainLine(line) === line && readField(line, emptyDraft()) === undefined;
  return isPlain ? line : `\\${line}`;
}

interface Draft {
  kind: string;
  inclusion: Inclusion;
  neverTrimmed: boolean;
  readonly aliases: string[];
  readonly relations: Relation[];
}

const emptyDraft = (): Draft => ({
  kind: '',
  inclusion: 'always',
  neverTrimmed: false,
  aliases: [],
  relations: [],
});

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

function readField(line: string, draft: Draft): CardField | undefined {
  const [, key = '', value = ''] = field.exec(line) ?? [];
  if (/^(?:别名|又名|alias(?:es)?)$/iu.test(key)) {
    draft.aliases.push(...listOf(value));
    return 'aliases';
  }
  if (/^(?:类型|kind)$/iu.test(key)) {
    draft.kind = value;
    return 'kind';
  }
  if (/^(?:注入|inclusion)$/iu.test(key) && inclusions[value] !== undefined) {
    draft.inclusion = inclusions[value];
    return 'inclusion';
  }
  if (/^(?:关系|relations?)$/iu.test(key)) {
    draft.relations.push(...listOf(value).map(relationOf));
    return 'relations';
  }
  if (/^(?:不裁剪|never trimmed)$/iu.test(key) && /^(?:是|yes|true)$/iu.test(value)) {
    draft.neverTrimmed = true;
    return 'neverTrimmed';
  }
  return /^(?:事实|fact)$/iu.test(key) ? 'fact' : undefined;
}

function fieldValue(line: string): string {
  return field.exec(line)?.[2] ?? '';
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

/** Anybody may have edited the comment: what makes no sense in it says nothing. */
function extrasOf(json: string | undefined): CardExtras {
  try {
    const found = JSON.parse(json ?? '{}') as Record<string, unknown>;
    const sound = Object.entries(found).filter(([key, value]) =>
      extraChecks[key as keyof CardExtras]?.(value),
    );
    return Object.fromEntries(sound) as CardExtras;
  } catch {
    return {};
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isChapter = (value: unknown) => value === undefined || typeof value === 'number';
const listWhere = (isSound: (item: Record<string, unknown>) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every((item) => isSound(Object(item)));

const extraChecks: Readonly<Record<keyof CardExtras, (value: unknown) => boolean>> = {
  name: isText,
  kind: isText,
  inclusion: (value) => typeof value === 'string' && Object.values(inclusions).includes(value as Inclusion),
  neverTrimmed: (value) => typeof value === 'boolean',
  aliases: (value) => Array.isArray(value) && value.every(isText),
  relations: listWhere(({ to, label }) => isText(to) && isText(label)),
  facts: listWhere(
    ({ text, from, until }: Partial<Fact>) => isText(text) && isChapter(from) && isChapter(until),
  ),
  secrets: listWhere(
    ({ text, hiddenUntil }: Partial<Secret>) => isText(text) && typeof hiddenUntil === 'number',
  ),
};

function fileName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(md|markdown|txt)$/i, '');
}
