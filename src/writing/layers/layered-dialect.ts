// How the layers read: bracketed Chinese headings, numbered constraints, one card for each entity, the text word for word.
import type { Dialect } from '../../core/model/dialect.js';
import type { LayerBody } from './layer-body.js';
import type { SectionId } from './layered-recipe.js';

const headings: Readonly<Record<SectionId, string>> = {
  constraints: '创作约束 - 不可违反',
  entities: '人物与世界设定',
  preferences: '写作偏好',
  'style-guide': '风格指南',
  outline: '大纲',
  'project-settings': '项目设定',
  'relevant-entities': '当前相关设定',
  summaries: '近期摘要',
  cases: '历史案例',
  retrieved: '前文参考',
  'working-memory': '工作记忆',
  text: '当前章节',
  instruction: '补充指令',
};

const separators: Partial<Record<string, string>> = { retrieved: '\n\n', text: '' };

const marks = {
  cursor: '【光标】',
  'selection-start': '【选区开始】',
  'selection-end': '【选区结束】',
} as const;

export function wordBody(body: LayerBody, place: number): string {
  switch (body.kind) {
    case 'constraint':
      return `${place}. ${body.text}`;
    case 'entity':
      return cardOf(body);
    case 'relation':
      return `- ${body.from} → ${body.to}${body.label === '' ? '' : `（${body.label}）`}${body.about === '' ? '' : `：${body.about}`}`;
    case 'note':
      return `- ${body.text}`;
    case 'titled':
      return body.title === '' ? body.text : `〔${body.title}〕\n${body.text}`;
    case 'passage':
      return body.text;
    case 'mark':
      return marks[body.place];
  }
}

function cardOf({ name, category, aliases, description, facts }: LayerBody & { kind: 'entity' }): string {
  const about = [category, aliases.length === 0 ? '' : `又名${aliases.join('、')}`].filter(
    (part) => part !== '',
  );
  const head = `- ${name}${about.length === 0 ? '' : `（${about.join('；')}）`}：${description}`;
  return [head, ...facts.map((fact) => `  · ${fact}`)].join('\n');
}

/** The heading of the text names the chapter. */
export function layeredDialect(title = ''): Dialect<LayerBody> {
  const chapter = title.replace(/\s+/g, ' ').trim();
  return {
    id: 'layered-zh',
    version: 1,
    apart: '\n\n',
    section: (id) => {
      const words = headings[id as SectionId] ?? id;
      const named = id === 'text' && chapter !== '' ? `${words} - ${chapter}` : words;
      return { heading: `[${named}]\n`, between: separators[id] ?? '\n' };
    },
    word: (body, _fragment, place) => wordBody(body, place),
  };
}
