import { describe, expect, it } from 'vitest';
import { compileConstraint, compileEntityChecks } from './judge.js';

const rulesOf = (text: string) => compileConstraint({ id: 'c', text }).map((check) => check.rule);

describe('making checks of a constraint', () => {
  it.each([
    ['避免使用感叹号和省略号', { kind: 'forbidden-punctuation', marks: ['exclamation', 'ellipsis'] }],
    ['对白之外不用感叹号', { kind: 'forbidden-punctuation', where: 'narration' }],
    ['不要出现“魔法”', { kind: 'forbidden-words', words: ['魔法'], denialAllowed: false }],
    ['本世界没有魔法，所有能力基于科技', { kind: 'forbidden-words', words: ['魔法'], denialAllowed: true }],
    ['Never use the word "suddenly".', { kind: 'forbidden-words', words: ['suddenly'] }],
    ['Do not use the words very and really.', { kind: 'forbidden-words', words: ['very', 'really'] }],
    ['禁用词：突然、竟然', { kind: 'forbidden-words', words: ['突然', '竟然'] }],
    ['严格第一人称叙述，不出现主角不在场的场景', { kind: 'narrative-person', person: 'first' }],
    ['请保持第三人称，避免第一人称', { kind: 'narrative-person', person: 'third' }],
    ['以林远的第一人称讲述', { kind: 'narrative-person', person: 'first', protagonist: '林远' }],
    ['主角的名字是“林远”，不要写成“林源”', { kind: 'name-variants', names: ['林远'], variants: ['林源'] }],
    ['It is "Jon", not "John".', { kind: 'name-variants', names: ['Jon'], variants: ['John'] }],
    ['主角在第五章之前不知道真相', { kind: 'early-fact', chapter: 5, known: '真相' }],
    [
      '沈月在第十二章前不知道父亲还活着',
      { kind: 'early-fact', chapter: 12, known: '父亲还活着', knower: '沈月' },
    ],
    [
      'Before chapter 7, do not mention "the Codex".',
      { kind: 'early-fact', chapter: 7, keywords: ['Codex'] },
    ],
    ['每段不超过二百五十字', { kind: 'length', unit: 'characters', each: 'paragraph', max: 250 }],
    ['字数控制在300到500字之间', { kind: 'length', min: 300, max: 500 }],
    ['Fewer than 1,000 words.', { kind: 'length', unit: 'words', max: 999 }],
  ])('reads %s [constraints.judge]', (text, rule) => {
    expect(rulesOf(text)).toEqual([expect.objectContaining(rule)]);
  });

  it.each([
    '林远性格冷静，不会大声喊叫',
    '不要写成流水账',
    '不能用“然后”开头',
    '不要连续使用三个以上感叹号',
    '避免使用被动语态',
    '多用感叹号',
    '在第一人称和第三人称之间切换',
    'Do not use the passive voice.',
    'Keep the mood dark.',
    '',
  ])('has no check for %j, which only a reader can judge', (text) => {
    expect(rulesOf(text)).toEqual([]);
  });

  it('takes a declared check before the wording', () => {
    const check = { kind: 'forbidden-words', words: ['魔法'] };
    expect(compileConstraint({ id: 'c', text: '避免使用感叹号', check })).toMatchObject([
      { language: 'zh', rule: check },
    ]);
  });

  it.each([
    [{ kind: 'mood' }, 'check.kind'],
    [{ kind: 'forbidden-words', words: [] }, 'check.words'],
    [{ kind: 'length', unit: 'words', max: -1 }, 'check.max'],
    ['text', 'check'],
  ])('refuses the declared check %j and names the field', (check, field) => {
    expect(() => compileConstraint({ id: 'c', text: 'x', check })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field } }),
    );
  });

  it('makes checks of the secrets and wrong spellings of entities', () => {
    const gu = {
      id: 'gu',
      name: '顾清寒',
      forbiddenVariants: ['顾清涵'],
      facts: [{ text: '私生子', secretUntil: 9 }, { text: '剑客' }],
    };
    expect(
      compileEntityChecks([gu], 'zh').map(({ constraintId, rule }) => `${constraintId} ${rule.kind}`),
    ).toEqual(['entity:gu name-variants', 'entity:gu early-fact']);
  });
});
