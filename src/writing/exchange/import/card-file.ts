// A card as a file of the folder, in the lines that the folder reads: the name as heading, then aliases, kind and when it is shown.
import type { PromptLanguage } from '../../../skills/skill.js';
import type { EntityDraft } from '../../../store/tables/entities.js';
import type { IncomingCard, SectionName } from './incoming.js';

type Words = Readonly<Record<'aliases' | 'kind' | 'inclusion' | 'relations', string>> & {
  readonly kinds: Readonly<Record<string, string>>;
  readonly modes: Readonly<Record<IncomingCard['inclusion'], string>>;
  readonly sections: Readonly<Record<SectionName, string>>;
  readonly colon: string;
  readonly comma: string;
};

const words: Readonly<Record<PromptLanguage, Words>> = {
  zh: {
    aliases: '别名',
    kind: '类型',
    inclusion: '注入',
    relations: '关系',
    kinds: {
      character: '人物',
      location: '地点',
      object: '物品',
      lore: '设定',
      subplot: '支线',
      other: '其他',
    },
    modes: { always: '总是', detected: '检测', manual: '手动', never: '从不' },
    sections: { personality: '性格', scenario: '处境', voice: '说话的样子', notes: '笔记' },
    colon: '：',
    comma: '、',
  },
  en: {
    aliases: 'aliases',
    kind: 'kind',
    inclusion: 'inclusion',
    relations: 'relations',
    kinds: {},
    modes: { always: 'always', detected: 'detected', manual: 'manual', never: 'never' },
    sections: { personality: 'Personality', scenario: 'Situation', voice: 'How they speak', notes: 'Notes' },
    colon: ': ',
    comma: ', ',
  },
};

export function cardFile(card: IncomingCard, language: PromptLanguage): string {
  const { colon, comma, ...say } = words[language];
  const list = (values: readonly string[]) => values.map(oneLine).join(comma);
  const lines = [
    `# ${oneLine(card.name)}`,
    '',
    ...(card.aliases.length === 0 ? [] : [`${say.aliases}${colon}${list(card.aliases)}`]),
    `${say.kind}${colon}${oneLine(say.kinds[card.kind] ?? card.kind)}`,
    `${say.inclusion}${colon}${say.modes[card.inclusion]}`,
    ...(card.relations.length === 0 ? [] : [`${say.relations}${colon}${list(card.relations)}`]),
  ];
  if (card.description !== '') lines.push('', card.description);
  for (const { heading, text } of card.sections) lines.push('', `## ${say.sections[heading]}`, '', text);
  return `${lines.join('\n')}\n`;
}

/** The same for an application that keeps its cards in the store. */
export function cardDraft(card: IncomingCard, language: PromptLanguage): EntityDraft {
  const { kinds, sections } = words[language];
  const below = card.sections.map(({ heading, text }) => `${sections[heading]}\n${text}`);
  return {
    name: oneLine(card.name),
    aliases: card.aliases.map(oneLine),
    kind: kinds[card.kind] ?? card.kind,
    inclusion: card.inclusion,
    relations: card.relations.map((to) => ({ to, label: '' })),
    description: [card.description, ...below].filter((text) => text !== '').join('\n\n'),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, 200).toWellFormed();
}
