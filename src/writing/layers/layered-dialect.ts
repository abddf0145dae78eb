// How the layers read: bracketed headings, numbered constraints, one card for each entity, the text word for word. In chapters,
// everything that was brought in says where it is from.

import type { Fragment } from '../../core/model/fragment.js';
import { formatRef } from '../../core/model/fragment.js';
import type { Dialect } from '../../core/model/recipe.js';
import type { PromptLanguage } from '../../skills/skill.js';
import { defused, withHiddenShown } from './fence.js';
import type { LayerBody } from './layer-fragment.js';
import { fences, type PromptFormat, type SectionId } from './layered-recipe.js';
import { type LayeredWords, layeredWords } from './layered-words.js';

const separators: Partial<Record<string, string>> = {
  retrieved: '\n\n',
  previous: '',
  text: '',
  task: '\n\n',
};

const fenced: ReadonlySet<string> = new Set(fences.flatMap(({ around }) => around));
const lineBreaks = /\s*[\n\r\v\f\u0085\u2028\u2029]\s*/gu;
/** What the caller or the skill says: theirs to word. */
const spoken: ReadonlySet<string> = new Set([
  'identity',
  'skill',
  'instruction',
  'task',
] satisfies SectionId[]);

export interface DialectOptions {
  readonly language?: PromptLanguage;
  readonly format?: PromptFormat;
  /** The heading of the text names the chapter, that of the task the skill. */
  readonly titles?: { readonly text?: string; readonly task?: string };
  readonly fence?: string;
  /** Whether the text at hand holds something like our marks: then they carry the id of the fence. */
  readonly marksTaken?: boolean;
}

export function layeredDialect(options: DialectOptions = {}): Dialect<LayerBody> {
  const { language = 'zh', format = 'layers', titles = {}, fence = '', marksTaken = false } = options;
  const words = layeredWords[language];
  const headings = words.headings[format];
  const named: Readonly<Partial<Record<string, string>>> = {
    text: oneLine(titles.text ?? ''),
    skill: oneLine(titles.task ?? ''),
    task: oneLine(titles.task ?? ''),
  };
  const markSalt = marksTaken ? fence : '';
  return {
    id: words.dialects[format],
    version: 2,
    apart: '\n\n',
    section: (id) => {
      const heading = headings[id as SectionId];
      const name = named[id] ?? '';
      return {
        heading: heading === undefined ? '' : `[${name === '' ? heading : `${heading} - ${name}`}]\n`,
        between: separators[id] ?? '\n',
      };
    },
    word: (body, fragment, place) => {
      if (body.kind === 'fence') return words.fence(body.edge, fence);
      if (body.kind === 'mark') return markOf(body, fragment, { words, format, salt: markSalt });
      const said = saidOf(body, place, language);
      return format === 'layers' ? said : besideRef(body, said, fragment);
    },
    finish: (said, { section, levels }) => {
      const body = levels[0]?.body;
      if (body === undefined || body.kind === 'fence' || body.kind === 'mark')
        return { text: said, hits: {} };
      const shown = withHiddenShown(said);
      if (fenced.has(section) || spoken.has(section)) return shown;
      const { text, count } = defused(
        body.kind === 'constraint' ? shown.text.replace(lineBreaks, ' ') : shown.text,
      );
      return { text, hits: count === 0 ? shown.hits : { ...shown.hits, heading: count } };
    },
  };
}

/** Most bodies are those of the assembly before. */
const saidBefore = { zh: new WeakMap<LayerBody, string>(), en: new WeakMap<LayerBody, string>() };

function saidOf(body: LayerBody, place: number, language: PromptLanguage): string {
  const words = layeredWords[language];
  // A constraint is told by its place, and a passage is its own words.
  if (body.kind === 'constraint' || body.kind === 'passage') return wordBody(body, place, words);
  const known = saidBefore[language].get(body);
  if (known !== undefined) return known;
  const said = wordBody(body, place, words);
  saidBefore[language].set(body, said);
  return said;
}

export function wordBody(body: LayerBody, place: number, words: LayeredWords): string {
  switch (body.kind) {
    case 'constraint':
      return `${place}. ${body.text}`;
    case 'entity':
      return cardOf(body, words);
    case 'relation': {
      const label = body.label === '' ? '' : words.aside([body.label]);
      return `- ${body.from} → ${body.to}${label}${body.about === '' ? '' : words.about(body.about)}`;
    }
    case 'note':
    case 'preferences':
      return `- ${body.text}`;
    case 'setting':
      return `- ${body.name}${words.about(body.text)}`;
    case 'titled':
      return titled(body, words);
    case 'passage':
      return body.text;
    case 'origins':
      return body.paths.map((path) => formatRef({ path })).join('\n');
    case 'mark':
      return words.marks[body.place];
    case 'fence':
      return words.fence(body.edge, '');
  }
}

interface MarkSetting {
  readonly words: LayeredWords;
  readonly format: PromptFormat;
  readonly salt: string;
}

function markOf(
  { place }: LayerBody & { kind: 'mark' },
  { ref }: Fragment<LayerBody>,
  { words, format, salt }: MarkSetting,
): string {
  const plain = words.marks[place];
  if (format === 'layers') return salt === '' ? plain : plain.replace(/】|>>/u, (end) => ` ${salt}${end}`);
  const more = [ref === undefined ? '' : formatRef(ref), salt].filter((part) => part !== '').join(' ');
  return more === '' ? plain : words.mark(place === 'cursor' ? 'cursor' : 'selection', more);
}

function besideRef(body: LayerBody, said: string, { ref, section }: Fragment<LayerBody>): string {
  // Text at hand stands unbroken, its mark says where it is from; the list of constraints names its origins once, below it.
  if (ref === undefined || section === 'text' || body.kind === 'constraint') return said;
  const from = formatRef(ref);
  switch (body.kind) {
    case 'entity':
      return `${said}\n  ${from}`;
    case 'preferences':
      return `${from}\n${body.text}`;
    case 'titled':
    case 'passage':
      return section === 'task' || section === 'skill' ? said : `${from}\n${said}`;
    default:
      return `${said} ${from}`;
  }
}

function titled(
  { title, text: whole, parts, isLater }: LayerBody & { kind: 'titled' },
  words: LayeredWords,
): string {
  const text = parts === undefined ? whole : parts.join(words.gap);
  const line = `${title === '' ? '' : words.title(title)}${isLater ? words.later : ''}`.trimStart();
  return line === '' ? text : `${line}\n${text}`;
}

function cardOf(
  { name, category, aliases, description, facts }: LayerBody & { kind: 'entity' },
  words: LayeredWords,
): string {
  const parts = [words.category(category), aliases.length === 0 ? '' : words.aliases(aliases)].filter(
    (part) => part !== '',
  );
  const head = `- ${name}${parts.length === 0 ? '' : words.aside(parts)}${words.about(description)}`;
  return [head, ...facts.map((fact) => `  · ${fact}`)].join('\n');
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim();
}
