// SillyTavern's world books and character cards (JSON of any version, or the text of a PNG) as cards of the book. Only what a writer
// works with goes into the cards; the whole source is kept beside them, so nothing is lost.
import { GalleyError } from '../../../core/model/error.js';
import type { Inclusion } from '../../../store/tables/entities.js';
import { decodeText } from './decode-text.js';
import {
  fieldCounter,
  type GivenFile,
  type Incoming,
  type IncomingCard,
  importWarning,
  noIncoming,
  type SectionName,
} from './incoming.js';
import { readPngText } from './png-text.js';

type Json = Readonly<Record<string, unknown>>;
type Fields = ReturnType<typeof fieldCounter>;

export function readTavernJson(file: GivenFile): Incoming | undefined {
  const json = parsed(decodeText(file.bytes, file.name).text, file.name);
  return json === undefined ? undefined : readTavern(json, file.name);
}

export function readTavernPng(file: GivenFile): Incoming | undefined {
  const { texts, damaged } = readPngText(file.bytes, file.name);
  // A card of the third version carries the second beside it.
  const encoded = texts.get('ccv3') ?? texts.get('chara');
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const json = parsed(decodeText(bytes, file.name).text, file.name);
  const incoming = json === undefined ? undefined : readTavern(json, file.name);
  if (incoming === undefined || damaged === 0) return incoming;
  const words = `${damaged} part(s) of ${file.name} do not have the sum they should; look at the card.`;
  return { ...incoming, warnings: [...incoming.warnings, importWarning('CARD_DAMAGED', words, file.name)] };
}

function parsed(text: string, name: string): Json | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    throw new GalleyError('FILE_UNREADABLE', `${name} cannot be read: it is not valid JSON.`, {
      details: { path: name },
    });
  }
}

function readTavern(json: Json, name: string): Incoming | undefined {
  const fields = fieldCounter();
  const data = objectOf(json.data);
  const isCard = /^chara_card/.test(textOf(json.spec)) || 'first_mes' in json || 'mes_example' in json;
  const entries = entriesOf(json.entries);
  if (!isCard && entries === undefined) return undefined;
  const cards = isCard
    ? characterCards(data ?? json, fields)
    : (entries ?? []).flatMap((entry) => bookEntry(entry, fields));
  const path = `${baseName(name)}.json`;
  return {
    ...noIncoming,
    format: isCard ? 'character card' : 'world book',
    cards,
    kept: [{ path, text: `${JSON.stringify(json, null, 2)}\n` }],
    fields: fields.rows(),
  };
}

function characterCards(data: Json, fields: Fields): IncomingCard[] {
  const name = textOf(data.name).trim();
  if (name === '') return [];
  const said = (text: string) =>
    text
      .replaceAll(/\{\{char\}\}|<bot>/gi, name)
      .replaceAll('\r\n', '\n')
      .trim();
  const sections: { heading: SectionName; text: string }[] = [];
  for (const [field, heading] of [
    ['personality', 'personality'],
    ['scenario', 'scenario'],
    ['mes_example', 'voice'],
  ] as const) {
    const text = said(textOf(data[field]).replaceAll(/^<START>\s*$/gim, ''));
    if (text === '') continue;
    sections.push({ heading, text });
    fields.add(field, 'section');
  }
  fields.add('name', 'name');
  if (said(textOf(data.description)) !== '') fields.add('description', 'description');
  const nickname = textOf(data.nickname).trim();
  if (nickname !== '') fields.add('nickname', 'alias');
  keepOthers(
    data,
    ['name', 'description', 'personality', 'scenario', 'mes_example', 'nickname', 'character_book'],
    fields,
  );
  const card: IncomingCard = {
    name,
    aliases: nickname === '' ? [] : [nickname],
    kind: 'character',
    inclusion: 'detected',
    relations: [],
    description: said(textOf(data.description)),
    sections,
  };
  const book = entriesOf(objectOf(data.character_book)?.entries) ?? [];
  if (book.length > 0) fields.add('character_book', 'card', book.length);
  return [card, ...book.flatMap((entry) => bookEntry(entry, fields, 'character_book.'))];
}

/** A world book has `key` and `comment`, a book within a card `keys` and `name`. */
function bookEntry(entry: Json, fields: Fields, prefix = ''): IncomingCard[] {
  const keys = [...listOf(entry.key), ...listOf(entry.keys)];
  // A pattern is no name.
  const names = keys.filter((key) => !/^\/.*\/\w*$/u.test(key));
  const title = textOf(entry.comment).trim() || textOf(entry.name).trim();
  const name = (title || names[0] || '').split('\n', 1)[0]?.trim() ?? '';
  const description = textOf(entry.content).replaceAll('\r\n', '\n').trim();
  if (name === '' && description === '') return [];
  const field = (own: string) => `${prefix}${own}`;
  if (title !== '') fields.add(field(textOf(entry.comment).trim() === '' ? 'name' : 'comment'), 'name');
  const aliases = [...new Set(names)].filter((alias) => alias !== name);
  if (aliases.length > 0) fields.add(field('key' in entry ? 'key' : 'keys'), 'alias', aliases.length);
  if (names.length < keys.length)
    fields.add(field('key' in entry ? 'key' : 'keys'), 'kept beside', keys.length - names.length);
  if (description !== '') fields.add(field('content'), 'description');
  const known = ['key', 'keys', 'comment', 'name', 'content', 'constant', 'disable', 'enabled', 'uid', 'id'];
  for (const own of ['constant', 'disable', 'enabled']) if (own in entry) fields.add(field(own), 'inclusion');
  keepOthers(entry, known, fields, prefix);
  return [
    {
      name: name || `${description.slice(0, 12)}…`,
      aliases,
      kind: 'lore',
      inclusion: inclusionOf(entry),
      relations: [],
      description,
      sections: [],
    },
  ];
}

function inclusionOf({ disable, enabled, constant }: Json): Inclusion {
  if (disable === true || enabled === false) return 'never';
  return constant === true ? 'always' : 'detected';
}

/** Fields that say something and have no place in a card. */
function keepOthers(data: Json, known: readonly string[], fields: Fields, prefix = ''): void {
  for (const [field, value] of Object.entries(data))
    if (!known.includes(field) && !isEmpty(value)) fields.add(`${prefix}${field}`, 'kept beside');
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function entriesOf(value: unknown): Json[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value).flatMap((entry): Json[] => {
    const object = objectOf(entry);
    return object === undefined ? [] : [object];
  });
}

function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : '';
}

function listOf(value: unknown): string[] {
  const words = Array.isArray(value) ? value.map(textOf) : textOf(value).split(/[,，]/u);
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

export function baseName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/u, '');
}
