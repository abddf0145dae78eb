// The words around the writer's own in a prompt of layers, in each language. The Chinese ones are fixed.
import type { PromptLanguage } from '../../skills/prompt-language.js';
import { cardKind } from '../folder/character-card.js';
import type { MarkPlace } from './layer-body.js';
import type { SectionId } from './layered-recipe.js';

export interface LayeredWords {
  readonly dialect: string;
  readonly headings: Readonly<Record<SectionId, string>>;
  readonly marks: Readonly<Record<MarkPlace, string>>;
  /** Stands where sentences of a passage were left out. */
  readonly gap: string;
  /** Behind the title of a passage that comes after the text at hand. */
  readonly later: string;
  title(words: string): string;
  /** What kind of entity it is: words of the writer, unless a card left them to us. */
  category(kind: string): string;
  aliases(names: readonly string[]): string;
  /** In brackets behind a name. */
  aside(parts: readonly string[]): string;
  /** What is said about a name. */
  about(words: string): string;
}

const zh: LayeredWords = {
  dialect: 'layered-zh',
  headings: {
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
  },
  marks: { cursor: '【光标】', 'selection-start': '【选区开始】', 'selection-end': '【选区结束】' },
  gap: '……',
  later: '（后文）',
  title: (words) => `〔${words}〕`,
  category: (kind) => kind,
  aliases: (names) => `又名${names.join('、')}`,
  aside: (parts) => `（${parts.join('；')}）`,
  about: (words) => `：${words}`,
};

const en: LayeredWords = {
  dialect: 'layered-en',
  headings: {
    constraints: 'Constraints - never to be broken',
    entities: 'Characters and world',
    preferences: 'Writing preferences',
    'style-guide': 'Style guide',
    outline: 'Outline',
    'project-settings': 'Project notes',
    'relevant-entities': 'Who and what matters here',
    summaries: 'Recent summaries',
    cases: 'Lessons from earlier work',
    retrieved: 'Elsewhere in the book',
    'working-memory': 'Working notes',
    text: 'Current chapter',
    instruction: 'Further instructions',
  },
  marks: {
    cursor: '<<cursor>>',
    'selection-start': '<<selection starts>>',
    'selection-end': '<<selection ends>>',
  },
  gap: ' … ',
  later: ' (from a later chapter)',
  title: (words) => `— ${words} —`,
  category: (kind) => (kind === cardKind ? 'character' : kind),
  aliases: (names) => `also ${names.join(', ')}`,
  aside: (parts) => ` (${parts.join('; ')})`,
  about: (words) => (words === '' ? '' : `: ${words}`),
};

export const layeredWords: Readonly<Record<PromptLanguage, LayeredWords>> = { zh, en };
