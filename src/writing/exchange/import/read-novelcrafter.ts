// NovelCrafter's export: a zip with the novel as Markdown or DOCX, a folder for each entry of the codex (`entry.md`, `metadata.json`,
// `notes.md`), snippets and chats. The novel becomes chapters, entries become cards, everything else that says something is kept.
import { parse } from 'yaml';
import type { Warning } from '../../../core/model/error.js';
import { isGalleyError } from '../../../core/model/error.js';
import { decodeText } from './decode-text.js';
import {
  fieldCounter,
  type Incoming,
  type IncomingCard,
  type IncomingChapter,
  importWarning,
  type KeptFile,
} from './incoming.js';
import { readDocx } from './read-docx.js';
import { baseName } from './read-tavern.js';
import { readTextFile } from './read-text.js';
import type { ZipFile } from './read-zip.js';

const entryPath =
  /^(?:.*\/)?(characters|locations|lore|objects|subplots|other)\/([^/]+)\/(?:entry\.md|metadata\.json)$/i;
const novelPath = /^(?:[^/]+\/)?novel\.(?:md|docx|txt)$/i;

export function isNovelcrafter(files: readonly ZipFile[]): boolean {
  return files.some(({ path }) => entryPath.test(path) || novelPath.test(path));
}

type Attributes = Record<string, unknown>;

const kinds: Readonly<Record<string, string>> = {
  characters: 'character',
  locations: 'location',
  objects: 'object',
  subplots: 'subplot',
};

export async function readNovelcrafter(files: readonly ZipFile[], name: string): Promise<Incoming> {
  const fields = fieldCounter();
  const warnings: Warning[] = [];
  const kept: KeptFile[] = [];
  const chapters: IncomingChapter[] = [];
  const entries = new Map<string, { kind: string; files: Map<string, ZipFile> }>();
  let title: string | undefined;
  let unused = 0;
  for (const file of files) {
    const folder = /^(.*)\/([^/]+)$/u.exec(file.path);
    const [, kind] = entryPath.exec(`${folder?.[1] ?? ''}/entry.md`) ?? [];
    if (
      kind !== undefined &&
      folder?.[1] !== undefined &&
      /^(?:entry\.md|metadata\.json|notes\.md)$/i.test(folder[2] ?? '')
    ) {
      const entry = entries.get(folder[1]) ?? {
        kind: kinds[kind.toLowerCase()] ?? kind.toLowerCase(),
        files: new Map(),
      };
      entry.files.set((folder[2] ?? '').toLowerCase(), file);
      entries.set(folder[1], entry);
    } else if (novelPath.test(file.path)) {
      const given = { name: file.path.split('/').at(-1) ?? file.path, bytes: file.read() };
      const read = /\.docx$/i.test(file.path) ? await readDocx(given) : readTextFile(given);
      chapters.push(...read.chapters);
      kept.push(...read.kept);
      warnings.push(...read.warnings);
      title ??= read.title;
      fields.add(given.name, 'chapter', read.chapters.length);
    } else if (/\.(?:md|txt|json)$/i.test(file.path)) {
      kept.push({ path: `${baseName(name)}/${file.path}`, text: decodeText(file.read(), file.path).text });
      fields.add(`${file.path.split('/').slice(0, -1).at(-1) ?? 'files'}/`, 'kept beside');
    } else unused += 1;
  }
  if (unused > 0) {
    fields.add('pictures, previews', 'left out', unused);
    warnings.push(
      importWarning(
        'FILE_SKIPPED',
        `${unused} file(s) of ${name} are pictures or previews and were left out.`,
        name,
      ),
    );
  }
  const read = [...entries].flatMap(([folder, entry]) => {
    try {
      return readEntry(folder, entry);
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      warnings.push(importWarning('FILE_UNREADABLE', error.message, folder));
      return [];
    }
  });
  const names = new Map(read.map(({ id, name: own }) => [id, own]));
  const cards = read.map((entry) => cardOf(entry, names, fields));
  const others = Object.fromEntries(read.map(({ name: own, attributes }) => [own, attributes]));
  if (read.length > 0)
    kept.push({ path: `${baseName(name)}.json`, text: `${JSON.stringify(others, null, 2)}\n` });
  return {
    format: 'novelcrafter',
    ...(title === undefined ? {} : { title }),
    chapters,
    cards,
    kept,
    fields: fields.rows(),
    warnings,
  };
}

interface CodexEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Attributes;
  readonly nested: readonly string[];
  readonly body: string;
  readonly notes: string;
}

function readEntry(
  folder: string,
  { kind, files }: { kind: string; files: Map<string, ZipFile> },
): CodexEntry[] {
  const textOf = (name: string) => {
    const file = files.get(name);
    return file === undefined ? '' : decodeText(file.read(), file.path).text.replace(/\r\n?/g, '\n');
  };
  const { front, body } = withFrontMatter(textOf('entry.md'));
  const metadata = objectOf(jsonOf(textOf('metadata.json')));
  const attributes = { ...objectOf(metadata.attributes), ...front };
  const { nestedEntries } = objectOf(metadata.relationships);
  const own =
    typeof attributes.name === 'string'
      ? attributes.name
      : baseName(`${folder}.md`).replace(/-[0-9a-zA-Z]{8,}$/u, '');
  const { attributes: _known, ...others } = metadata;
  return [
    {
      id: typeof metadata.id === 'string' ? metadata.id : folder,
      name: own.trim() || folder,
      kind: typeof attributes.type === 'string' ? attributes.type : kind,
      attributes: { ...attributes, ...others },
      nested: strings(nestedEntries),
      body: body.trim(),
      notes: textOf('notes.md').trim(),
    },
  ];
}

function cardOf(
  entry: CodexEntry,
  names: ReadonlyMap<string, string>,
  fields: ReturnType<typeof fieldCounter>,
): IncomingCard {
  const { attributes, body, notes } = entry;
  const aliases = strings(attributes.aliases);
  const relations = entry.nested.flatMap((id) => names.get(id) ?? []);
  fields.add('name', 'name');
  fields.add('type', 'kind');
  if (aliases.length > 0) fields.add('aliases', 'alias', aliases.length);
  if (relations.length > 0) fields.add('nestedEntries', 'relation', relations.length);
  if (body !== '') fields.add('entry.md', 'description');
  if (notes !== '') fields.add('notes.md', 'section');
  for (const field of ['alwaysIncludeInContext', 'doNotTrack', 'noAutoInclude'])
    if (field in attributes) fields.add(field, 'inclusion');
  const known = ['name', 'type', 'aliases', 'alwaysIncludeInContext', 'doNotTrack', 'noAutoInclude', 'id'];
  for (const [field, value] of Object.entries(attributes))
    if (!known.includes(field) && value !== null && value !== '') fields.add(field, 'kept beside');
  return {
    name: entry.name,
    aliases,
    kind: entry.kind,
    inclusion:
      attributes.alwaysIncludeInContext === true
        ? 'always'
        : attributes.doNotTrack === true || attributes.noAutoInclude === true
          ? 'manual'
          : 'detected',
    relations,
    description: body,
    sections: notes === '' ? [] : [{ heading: 'notes', text: notes }],
  };
}

function withFrontMatter(text: string): { front: Attributes; body: string } {
  const found = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text);
  if (found === null) return { front: {}, body: text };
  try {
    return {
      front: objectOf(parse(found[1] ?? '', { maxAliasCount: 0 })),
      body: text.slice(found[0].length),
    };
  } catch {
    return { front: {}, body: text };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Attributes) : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item.trim() !== '')
    : [];
}
