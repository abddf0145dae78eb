// Changes a card so that it says what is wanted, line by line: what stays the same keeps its bytes, and what is read back is exactly
// what was asked for, or nothing is changed.
import { GalleyError } from '../../core/model/error.js';
import type { Entity, Fact, Secret } from '../../store/tables/entities.js';
import { readFactLines } from '../entities/fact-lines.js';
import { noNumbering, type StoryNumbering } from '../entities/story-numbering.js';
import { type Card, type CardField, cardKind, descriptionLine, readCard } from './card-file.js';
import { type CardPage, pageOf } from './card-page.js';
import { linesOf } from './list-file.js';

export type CardContent = Pick<
  Entity,
  | 'name'
  | 'aliases'
  | 'kind'
  | 'description'
  | 'inclusion'
  | 'neverTrimmed'
  | 'facts'
  | 'secrets'
  | 'relations'
>;

interface CardPlace {
  readonly path: string;
  readonly numbering?: StoryNumbering;
}

export function newCard(content: CardContent, place: CardPlace): string {
  return editCard(`# ${oneLine(content.name)}\n\n`, content, place).replace(/\n\n$/u, '\n');
}

export function editCard(text: string, content: CardContent, place: CardPlace): string {
  const wanted = plainContent(content);
  const expected = asRead(wanted, place.numbering);
  const said = rewritten(text, wanted, { ...place, unsaid: new Set() });
  const faults = differences(said, expected, place);
  if (faults.length === 0) return said;
  const noted = rewritten(text, wanted, { ...place, unsaid: new Set(faults) });
  if (differences(noted, expected, place).length === 0) return noted;
  throw new GalleyError(
    'FILE_UNREADABLE',
    `${place.path} cannot be changed by a command: the lines around the place would change their meaning. Change it by hand.`,
    { details: { path: place.path } },
  );
}

/** What of a content a card can hold: names on one line, chapters that are whole. */
function plainContent(content: CardContent): CardContent {
  const facts = content.facts.map(({ text, from, until }) => ({
    text: oneLine(text),
    ...(from === undefined || from <= 0 ? {} : { from: Math.ceil(from) }),
    ...(until === undefined ? {} : { until: Math.floor(until) }),
  }));
  const secrets = content.secrets.map(({ text, hiddenUntil }) => ({
    text: oneLine(text),
    hiddenUntil: Math.max(1, Math.ceil(hiddenUntil)),
  }));
  return {
    ...content,
    name: oneLine(content.name),
    kind: oneLine(content.kind) || cardKind,
    aliases: content.aliases.map(oneLine),
    relations: content.relations.map(({ to, label }) => ({ to: oneLine(to), label: oneLine(label) })),
    ...{ facts, secrets },
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function linesIn(description: string): string[] {
  return description
    .split(/\r\n|\r|\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Lines of a description that say when something holds are facts wherever they stand. */
function asRead(content: CardContent, numbering = noNumbering): CardContent {
  const written = linesIn(content.description).map(descriptionLine).join('\n');
  const { facts, secrets, places } = readFactLines(written, numbering);
  const plain = new Set(places.description);
  const description = linesIn(content.description).filter((_, index) => plain.has(index + 1));
  return {
    ...content,
    description: description.join('\n'),
    facts: [...content.facts, ...facts],
    secrets: [...content.secrets, ...secrets],
  };
}

type Unsaid = keyof CardContent;

/** Fields that are not read back as they are wanted. */
function differences(text: string, wanted: CardContent, { path, numbering }: CardPlace): Unsaid[] {
  const { entity } = readCard(plain(text), path, numbering);
  return (Object.keys(contentKeys) as Unsaid[]).filter(
    (key) => canonical(entity[key]) !== canonical(wanted[key]),
  );
}

const contentKeys: Readonly<Record<Unsaid, true>> = {
  ...{ name: true, aliases: true, kind: true, description: true, inclusion: true },
  ...{ neverTrimmed: true, facts: true, secrets: true, relations: true },
};

/** The order in which facts stand is the writer's. */
function canonical(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  const items = value.map((item) =>
    JSON.stringify(typeof item === 'object' && item !== null ? Object.entries(item).sort() : item),
  );
  return items.sort().join('\n');
}

function plain(text: string): string {
  return linesOf(text)
    .map(({ content }) => content)
    .join('\n');
}

interface Rewriting extends CardPlace {
  /** Fields that lines cannot say: they go into the comment. */
  readonly unsaid: ReadonlySet<Unsaid>;
}

function rewritten(
  text: string,
  wanted: CardContent,
  { path, numbering = noNumbering, unsaid }: Rewriting,
): string {
  const card = readCard(plain(text), path, numbering);
  const isChinese = /\p{sc=Han}/u.test(
    JSON.stringify([wanted.name, wanted.description, wanted.facts, wanted.secrets]),
  );
  const page = pageOf(text);
  const extras: Record<string, unknown> = { ...card.extras };
  const change = { card, wanted, page, extras, unsaid, isChinese };
  rename(change);
  for (const field of ['kind', 'aliases', 'relations', 'inclusion', 'neverTrimmed'] as const)
    setField(field, change);
  describe(change);
  setDated('facts', change);
  setDated('secrets', change);
  return page.text(extras);
}

interface CardChange {
  readonly card: Card;
  readonly wanted: CardContent;
  readonly page: CardPage;
  readonly extras: Record<string, unknown>;
  readonly unsaid: ReadonlySet<Unsaid>;
  readonly isChinese: boolean;
}

function rename({ card, wanted, page, extras, unsaid }: CardChange): void {
  if (wanted.name === card.entity.name && !unsaid.has('name')) return;
  delete extras.name;
  if (unsaid.has('name')) extras.name = wanted.name;
  else if (card.places.name === undefined) page.insert(0, [`# ${wanted.name}`, '']);
  else
    page.replace(card.places.name, (line) =>
      line.replace(/^(\s{0,3}#{1,6}\s+).*$/u, (_, lead) => lead + wanted.name),
    );
}

const labels: Readonly<Record<CardField, readonly [chinese: string, english: string]>> = {
  kind: ['类型：', 'kind: '],
  aliases: ['别名：', 'aliases: '],
  relations: ['关系：', 'relations: '],
  inclusion: ['注入：', 'inclusion: '],
  neverTrimmed: ['不裁剪：', 'never trimmed: '],
  fact: ['事实：', 'fact: '],
};

function setField(field: Exclude<CardField, 'fact'>, change: CardChange): void {
  const { card, wanted, page, extras, unsaid, isChinese } = change;
  if (canonical(card.entity[field]) === canonical(wanted[field]) && !unsaid.has(field)) return;
  delete extras[field];
  const lines = card.places.fields.filter((each) => each.field === field).map(({ line }) => line);
  if (unsaid.has(field)) extras[field] = wanted[field];
  const value = unsaid.has(field) ? '' : fieldValue(field, wanted, isChinese);
  const [first, ...others] = lines;
  for (const line of value === '' ? lines : others) page.remove(line);
  if (value === '') return;
  const label = labels[field][isChinese ? 0 : 1];
  if (first === undefined) page.insert(fieldPlace(change), [label + value]);
  else
    page.replace(first, (line) =>
      line.replace(/^(\s*(?:[-*]\s+)?[^：:]*[：:]\s*).*$/su, (_, lead) => lead + value),
    );
}

/** Empty where saying nothing means it. */
function fieldValue(
  field: Exclude<CardField, 'fact'>,
  { kind, aliases, relations, inclusion, neverTrimmed }: CardContent,
  isChinese: boolean,
): string {
  const list = (words: readonly string[]) => words.join(isChinese ? '、' : ', ');
  const brackets = isChinese ? ['（', '）'] : [' (', ')'];
  switch (field) {
    case 'kind':
      return kind === cardKind ? '' : kind;
    case 'aliases':
      return list(aliases);
    case 'relations':
      return list(
        relations.map(({ to, label }) => (label === '' ? to : `${to}${brackets[0]}${label}${brackets[1]}`)),
      );
    case 'inclusion':
      return inclusion === 'always' ? '' : isChinese ? chineseInclusions[inclusion] : inclusion;
    case 'neverTrimmed':
      return neverTrimmed ? (isChinese ? '是' : 'yes') : '';
  }
}

const chineseInclusions = { always: '总是', detected: '检测', manual: '手动', never: '从不' } as const;

/** Below the fields that are there, else below the name and the blank line after it. */
function fieldPlace({ card, page }: CardChange): number {
  const { fields, name } = card.places;
  const last = Math.max(0, ...fields.filter(({ field }) => field !== 'fact').map(({ line }) => line));
  if (last > 0 || name === undefined) return last;
  return page.isBlank(name + 1) ? name + 1 : name;
}

/** Lines at the beginning and the end that stay are not touched. */
function describe(change: CardChange): void {
  const { card, wanted, page } = change;
  const now = card.entity.description === '' ? [] : card.entity.description.split('\n');
  const next = linesIn(wanted.description);
  let start = 0;
  while (start < Math.min(now.length, next.length) && now[start] === next[start]) start += 1;
  let end = 0;
  while (end < Math.min(now.length, next.length) - start && now.at(-1 - end) === next.at(-1 - end)) end += 1;
  const { description } = card.places;
  for (const line of description.slice(start, now.length - end)) page.remove(line);
  const place = start > 0 ? (description[start - 1] ?? 0) : fieldPlace(change);
  const added = next.slice(start, next.length - end).map(descriptionLine);
  page.insert(place, added);
}

function setDated(
  kind: 'facts' | 'secrets',
  { card, wanted, page, extras, unsaid, isChinese }: CardChange,
): void {
  const left = [...(wanted[kind] as readonly (Fact | Secret)[])];
  const noted = [...((card.extras[kind] ?? []) as readonly (Fact | Secret)[])];
  card.entity[kind].forEach((known, index) => {
    const at = left.findIndex((each) => canonical([each]) === canonical([known]));
    if (at >= 0) {
      left.splice(at, 1);
      return;
    }
    const lines = card.places[kind][index] ?? [];
    for (const line of lines) page.remove(line);
    if (lines.length === 0)
      noted.splice(
        noted.findIndex((each) => canonical([each]) === canonical([known])),
        1,
      );
  });
  const added = unsaid.has(kind) ? [] : left;
  if (unsaid.has(kind)) noted.push(...left);
  page.append(added.map((each) => datedLine(each, isChinese)));
  delete extras[kind];
  if (noted.length > 0) extras[kind] = noted;
}

function datedLine(said: Fact | Secret, isChinese: boolean): string {
  const { text } = said;
  if ('hiddenUntil' in said)
    return isChinese
      ? `- 第${said.hiddenUntil}章前保密：${text}`
      : `- Secret until chapter ${said.hiddenUntil}: ${text}`;
  const { from, until } = said;
  if (from !== undefined && until !== undefined)
    return isChinese ? `- 第${from}章到第${until}章：${text}` : `- Chapters ${from}-${until}: ${text}`;
  if (from !== undefined) return isChinese ? `- 第${from}章起：${text}` : `- From chapter ${from}: ${text}`;
  if (until !== undefined)
    return isChinese ? `- 直到第${until}章：${text}` : `- Until chapter ${until}: ${text}`;
  return `- ${labels.fact[isChinese ? 0 : 1]}${text}`;
}
