// How the chapters read: bracketed headings, numbered constraints, and beside everything that was brought in where it is from.
import type { Dialect } from '../../core/model/dialect.js';
import { formatRef } from '../../core/model/ref.js';
import { wordBody } from '../layers/layered-dialect.js';
import type { ChapterBody } from './chapter-body.js';
import type { ChapterId } from './chaptered-recipe.js';

const headings: Readonly<Record<ChapterId, string>> = {
  identity: '身份与输出要求',
  constraints: '创作约束 - 不可违反',
  preferences: '用户偏好',
  'style-guide': '风格指南',
  outline: '大纲',
  characters: '人物设定',
  evidence: '相关设定',
  summaries: '近期摘要',
  retrieved: '前文参考',
  surroundings: '前后文',
  task: '当前任务',
};

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

export function chapteredDialect(titles: ChapteredTitles): Dialect<ChapterBody> {
  const named: Readonly<Partial<Record<string, string>>> = {
    surroundings: oneLine(titles.chapter),
    task: oneLine(titles.skill),
  };
  return {
    id: 'chaptered-zh',
    version: 1,
    apart: '\n\n',
    section: (id) => {
      const name = named[id] ?? '';
      const words = headings[id as ChapterId] ?? id;
      return {
        heading: `[${name === '' ? words : `${words} - ${name}`}]\n`,
        between: separators[id] ?? '\n',
      };
    },
    word: (body, fragment, place) => {
      if (body.kind === 'origins') return body.paths.map((path) => formatRef({ path })).join('\n');
      const words = wordBody(body, place);
      if (fragment.ref === undefined) return words;
      // Text at hand stands unbroken, its mark says where it is from; the task needs no source.
      if (body.kind === 'passage' && ownWords.has(fragment.section)) return words;
      return besideRef(body, words, formatRef(fragment.ref));
    },
  };
}

function besideRef(body: ChapterBody, words: string, ref: string): string {
  switch (body.kind) {
    // The list names its origins once, below it.
    case 'constraint':
    case 'origins':
      return words;
    case 'mark':
      return `【${body.place === 'cursor' ? '光标' : '选区'} ${ref}】`;
    case 'entity':
      return `${words}\n  ${ref}`;
    case 'note':
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
