// A Markdown list that people and commands both change: read with the place of every item, one item changed, every other byte kept.
// The kind of an item comes from the heading above it, a mark may stand before its words, and what no word of it can say stands in
// a comment behind it: `- no magic <!-- priority: 5 -->`.
import { GalleyError } from '../../core/model/error.js';

export interface ListForm {
  /** What a heading must hold, the kind it leads, and the heading as it is written where there is none. */
  readonly kinds: readonly (readonly [words: RegExp, kind: string, heading: string])[];
  /** Of items above every heading. */
  readonly usual: string;
  readonly mark: RegExp;
  /** As it is written before Chinese words and before others. */
  readonly marks: readonly [chinese: string, other: string];
  /** What may stand in the comment. */
  readonly notes: readonly string[];
  /** Of a new file. */
  readonly title: string;
}

export interface ListEntry {
  readonly kind: string;
  readonly words: string;
  readonly marked: boolean;
  readonly notes: Readonly<Record<string, string>>;
}

export interface ListItem extends ListEntry {
  /** From 1, of its first line. */
  readonly line: number;
  /** Where it stands in the text, its line break included. */
  readonly start: number;
  readonly end: number;
  /** Blanks and bullet. */
  readonly lead: string;
}

const heading = /^\s{0,3}#{1,6}\s+(.+)$/su;
const bullet = /^(\s*(?:[-*+]|\d+[.、)])\s*)(.*?)\s*$/su;
const rule = /^\s*([-*_])(?:\s*\1){2,}\s*$/u;
const emphasis = /^\s*\*(?:\*|\S.*\*\s*$)/su;
const continued = /^(?: {2,}|\t|\u3000)\s*(\S.*?)\s*$/su;

export function readList(text: string, form: ListForm): ListItem[] {
  const items: ListItem[] = [];
  let kind = form.usual;
  let isComment = false;
  /** The item that the next line may go on with. */
  let open: { raw: string; index: number } | undefined;
  for (const { content, line, start, end } of linesOf(text)) {
    if (isComment) {
      isComment = !content.includes('-->');
      open = undefined;
      continue;
    }
    isComment = content.lastIndexOf('<!--') > content.lastIndexOf('-->');
    const title = heading.exec(content)?.[1];
    if (title !== undefined) kind = form.kinds.find(([words]) => words.test(title))?.[1] ?? kind;
    const found = rule.test(content) || emphasis.test(content) ? undefined : bullet.exec(content);
    if (found) {
      const [, lead = '', raw = ''] = found;
      open = raw === '' ? undefined : { raw, index: items.length };
      if (raw !== '') items.push({ ...readEntry(raw, kind, form), line, start, end, lead });
    } else if (open !== undefined && continued.test(content)) {
      const more = continued.exec(content)?.[1] ?? '';
      open.raw += /[\x20-\x7e]$/u.test(open.raw) && /^[\x20-\x7e]/u.test(more) ? ` ${more}` : more;
      const item = items[open.index] as ListItem;
      items[open.index] = { ...item, ...readEntry(open.raw, item.kind, form), end };
    } else open = undefined;
  }
  return items.filter(({ words }) => words !== '');
}

interface Line {
  readonly content: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Without their breaks and the byte order mark; every kind of break ends a line. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const { 0: whole, index } of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu)) {
    const content = whole.replace(/[\r\n]+$/u, '').replace(/^\uFEFF/u, '');
    lines.push({ content, line: lines.length + 1, start: index, end: index + whole.length });
  }
  return lines;
}

export function lineBreakOf(text: string): string {
  return /\r\n|\r|\n/u.exec(text)?.[0] ?? '\n';
}

const comment = /\s*<!--\s*((?:[a-z]+:\s*(?:"(?:[^"\\]|\\.)*"|[^\s,"]+)(?:,\s+|(?=\s*-->)))+)\s*-->$/u;
const eachNote = /([a-z]+):\s*("(?:[^"\\]|\\.)*"|[^\s,"]+)/gu;

/** A note of ours beside those of the form: the mark is part of the words. */
const ownNote = 'mark';

function readEntry(raw: string, kind: string, form: ListForm): ListEntry {
  const { words: said, notes } = readNotes(raw, form);
  const { [ownNote]: mark, ...others } = notes;
  const marked = mark !== 'no' && form.mark.test(said);
  return { kind, words: plainWords(marked ? said.replace(form.mark, '') : said), marked, notes: others };
}

function readNotes(raw: string, form: ListForm): { words: string; notes: Record<string, string> } {
  const found = comment.exec(raw);
  const pairs = [...(found?.[1] ?? '').matchAll(eachNote)].map(([, name = '', value = '']) => [
    name,
    value.startsWith('"') ? unquoted(value) : value,
  ]);
  const isOurs = pairs.every(([name]) => [ownNote, ...form.notes].includes(name ?? ''));
  if (found === null || pairs.length === 0 || !isOurs) return { words: raw, notes: {} };
  return { words: raw.slice(0, found.index), notes: Object.fromEntries(pairs) };
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

/** Breaks within an item are written `<br>`; `<br>` itself, and what would begin a comment, as `&lt;br>` and `&lt;!--`. */
function plainWords(raw: string): string {
  return raw
    .replace(/<br ?\/?>|&((?:amp;)*)lt;(?=br|!--)/gu, (found, amps: string | undefined) => {
      if (amps === undefined) return '\n';
      return amps === '' ? '<' : found.replace('amp;', '');
    })
    .trim();
}

/** As they are read back: nothing around them, one kind of break. */
export function listWords(text: string): string {
  return text.replace(/\r\n?/gu, '\n').trim();
}

function writtenEntry(entry: ListEntry, form: ListForm): string {
  const raw = listWords(entry.words)
    .replace(/&(?=(?:amp;)*lt;(?:br|!--))/gu, '&amp;')
    .replace(/<(?=br ?\/?>|!--)/gu, '&lt;')
    .replaceAll('\n', '<br>');
  const mark = entry.marked ? form.marks[/\p{sc=Han}/u.test(raw) ? 0 : 1] : '';
  const notes: [string, string][] = Object.entries(entry.notes);
  if (!entry.marked && form.mark.test(raw)) notes.push([ownNote, 'no']);
  const said = notes.map(([name, value]) => `${name}: ${noteValue(value)}`);
  return `${mark}${raw}${said.length === 0 ? '' : ` <!-- ${said.join(', ')} -->`}`;
}

function noteValue(value: string): string {
  return /^[\p{L}\p{N}_./:#+-]+$/u.test(value) && !value.includes('--')
    ? value
    : JSON.stringify(value).replaceAll('>', '\\u003e');
}

/** Where notes of items name a chapter, by its new name. */
export function withNotesRenamed(
  text: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  return text.replace(/<!--[^\n]*-->/gu, (said) =>
    said.replace(eachNote, (note, name: string, value: string) => {
      const isMeant =
        ['chapter', 'paid'].includes(name) && (value.startsWith('"') ? unquoted(value) : value) === from;
      return isMeant ? `${name}: ${noteValue(to)}` : note;
    }),
  );
}

export function withEntry(text: string | undefined, form: ListForm, entry: ListEntry): string {
  const before = text ?? `# ${form.title}\n`;
  const eol = lineBreakOf(before);
  const items = readList(before, form);
  const line = `${leadFor('- ', entry)}${writtenEntry(entry, form)}${eol}`;
  const last = items.filter(({ kind }) => kind === entry.kind).at(-1);
  const headings = linesOf(before).filter(({ content }) => kindOfHeading(content, form) === entry.kind);
  const place = last?.end ?? headings.at(-1)?.end;
  let after: string;
  if (place !== undefined) {
    const rest = before.slice(place);
    const gap = last === undefined ? eol : '';
    const tail = last === undefined && rest !== '' && !/^[\r\n]/u.test(rest) ? eol : '';
    after = `${ended(before.slice(0, place), eol)}${gap}${line}${tail}${rest}`;
  } else {
    const title = form.kinds.find(([, kind]) => kind === entry.kind)?.[2] ?? '';
    const lead = title === '' ? '' : `## ${title}${eol}${eol}`;
    after = `${ended(before, eol)}${before.trim() === '' ? '' : eol}${lead}${line}`;
  }
  return checked(after, form, { before: items, without: [], added: [entry] });
}

export function withChangedItem(text: string, form: ListForm, item: ListItem, entry: ListEntry): string {
  if (item.kind !== entry.kind) return withEntry(withoutItems(text, form, [item]), form, entry);
  const whole = text.slice(item.start, item.end);
  const mark = /^\uFEFF/u.exec(whole)?.[0] ?? '';
  const eol = /[\r\n]+$/u.exec(whole)?.[0] ?? '';
  const line = `${mark}${leadFor(item.lead.replace('\uFEFF', ''), entry)}${writtenEntry(entry, form)}${eol}`;
  const after = text.slice(0, item.start) + line + text.slice(item.end);
  return checked(after, form, { before: readList(text, form), without: [item], added: [entry] });
}

export function withoutItems(text: string, form: ListForm, items: readonly ListItem[]): string {
  let after = text;
  for (const { start, end } of [...items].sort((left, right) => right.start - left.start)) {
    const mark = after.startsWith('\uFEFF') && start === 0 ? '\uFEFF' : '';
    after = after.slice(0, start) + mark + after.slice(end);
  }
  return checked(after, form, { before: readList(text, form), without: items, added: [] });
}

/** Three dashes would be a line across the page, and a bullet without a blank may belong to the words. */
function leadFor(lead: string, { words }: ListEntry): string {
  const spaced = /\s$/u.test(lead) ? lead : `${lead} `;
  return /^[-*_\s]+$/u.test(words) ? spaced.replace(/[-*]/u, '+') : spaced;
}

function kindOfHeading(content: string, form: ListForm): string | undefined {
  const title = heading.exec(content)?.[1];
  return title === undefined ? undefined : form.kinds.find(([words]) => words.test(title))?.[1];
}

function ended(text: string, eol: string): string {
  return text === '' || text === '\uFEFF' || /[\r\n]$/u.test(text) ? text : text + eol;
}

/** What is read back must be what was there and what was asked for, nothing else. */
function checked(
  after: string,
  form: ListForm,
  change: { before: readonly ListItem[]; without: readonly ListItem[]; added: readonly ListEntry[] },
): string {
  const gone = new Set(change.without.map(({ start }) => start));
  const wanted = [...change.before.filter(({ start }) => !gone.has(start)), ...change.added];
  if (contents(wanted) === contents(readList(after, form))) return after;
  throw new GalleyError(
    'FILE_UNREADABLE',
    'This list cannot be changed by a command: what stands around the place would change its meaning. Change it by hand.',
  );
}

function contents(entries: readonly ListEntry[]): string {
  const said = entries.map(({ kind, words, marked, notes }) =>
    JSON.stringify([kind, listWords(words), marked, Object.entries(notes).sort()]),
  );
  return said.sort().join('\n');
}
