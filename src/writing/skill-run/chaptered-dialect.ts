// How the chapters read: bracketed headings, numbered constraints, and beside everything that was brought in where it is from.
import type { Dialect } from '../../core/model/dialect.js';
import { formatRef } from '../../core/model/ref.js';
import type { PromptLanguage } from '../../skills/prompt-language.js';
import { wordBody } from '../layers/layered-dialect.js';
import { layeredWords } from '../layers/layered-words.js';
import type { ChapterBody } from './chapter-body.js';
import type { ChapterId } from './chaptered-recipe.js';
import { chapteredWords } from './chaptered-words.js';

const separators: Readonly<Partial<Record<string, string>>> = {
  retrieved: '\n\n',
  surroundings: '',
  task: '\n\n',
};

const ownWords: ReadonlySet<string> = new Set(['surroundings', 'task'] satisfies ChapterId[]);

export interface ChapteredTitles {
  readonly chapter: string;
  readonly skill: string;
}

export function chapteredDialect(titles: ChapteredTitles, language: PromptLanguage): Dialect<ChapterBody> {
  const words = chapteredWords[language];
  const named: Readonly<Partial<Record<string, string>>> = {
    surroundings: oneLine(titles.chapter),
    task: oneLine(titles.skill),
  };
  return {
    id: words.dialect,
    version: 1,
    apart: '\n\n',
    section: (id) => {
      const name = named[id] ?? '';
      const heading = words.headings[id as ChapterId] ?? id;
      return {
        heading: `[${name === '' ? heading : `${heading} - ${name}`}]\n`,
        between: separators[id] ?? '\n',
      };
    },
    word: (body, fragment, place) => {
      if (body.kind === 'origins') return body.paths.map((path) => formatRef({ path })).join('\n');
      const said = wordBody(body, place, layeredWords[language]);
      if (fragment.ref === undefined) return said;
      // Text at hand stands unbroken, its mark says where it is from; the task needs no source.
      if (body.kind === 'passage' && ownWords.has(fragment.section)) return said;
      if (body.kind === 'mark')
        return words.mark(body.place === 'cursor' ? 'cursor' : 'selection', formatRef(fragment.ref));
      return besideRef(body, said, formatRef(fragment.ref));
    },
  };
}

function besideRef(body: Exclude<ChapterBody, { kind: 'mark' }>, words: string, ref: string): string {
  switch (body.kind) {
    // The list names its origins once, below it.
    case 'constraint':
    case 'origins':
      return words;
    case 'entity':
      return `${words}\n  ${ref}`;
    case 'note':
    case 'setting':
    case 'relation':
      return `${words} ${ref}`;
    case 'titled':
    case 'passage':
      return `${ref}\n${words}`;
  }
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim();
}
