import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFactLines } from './fact-lines.js';
import { numberingOf, type StoryNumbering } from './story-numbering.js';

const plain = { description: '', facts: [], secrets: [], unclear: [] };
const fact = (text: string, from?: number, until?: number) => ({
  ...plain,
  facts: [{ text, ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) }],
});
const secret = (text: string, hiddenUntil: number) => ({ ...plain, secrets: [{ text, hiddenUntil }] });

describe('the reader of facts in a description', () => {
  it.each([
    ['第三章起：受了伤。', fact('受了伤。', 3)],
    ['第３章起:受了伤。', fact('受了伤。', 3)],
    ['- 第 12 回起：出家。', fact('出家。', 12)],
    ['* **第三章起**：受了伤。', fact('受了伤。', 3)],
    ['**第三章起：** 受了伤。', fact('受了伤。', 3)],
    ['1. 从第三章开始：受了伤。', fact('受了伤。', 3)],
    ['第一百零三回起：还乡。', fact('还乡。', 103)],
    ['第三节起：受了伤。', fact('受了伤。', 3)],
    ['第三章之后：受了伤。', fact('受了伤。', 4)],
    ['第三章起，左手受伤。', fact('左手受伤。', 3)],
    ['左手受伤（第3章起）', fact('左手受伤', 3)],
    ['左手受伤（第3章起）。', fact('左手受伤。', 3)],
    ['【第3章起】左手受伤。', fact('左手受伤。', 3)],
    ['第三章：左手受伤。', fact('左手受伤。', 3)],
    ['第三章到第五章：住院。', fact('住院。', 3, 5)],
    ['第三至五章：住院。', fact('住院。', 3, 5)],
    ['第3-5章：住院。', fact('住院。', 3, 5)],
    ['第３～５回：住院。', fact('住院。', 3, 5)],
    ['住院（第三章至第五章）', fact('住院', 3, 5)],
    ['第5章之前：是学生。', fact('是学生。', undefined, 4)],
    ['直到第七章：是学生。', fact('是学生。', undefined, 7)],
    ['到第七章为止：是学生。', fact('是学生。', undefined, 7)],
    ['From chapter 4: walks with a stick.', fact('walks with a stick.', 4)],
    ['- FROM CHAPTER FOUR ON: walks with a stick.', fact('walks with a stick.', 4)],
    ['Since ch. 4: walks with a stick.', fact('walks with a stick.', 4)],
    ['Chapter IV onwards: walks with a stick.', fact('walks with a stick.', 4)],
    ['After chapter 4: walks with a stick.', fact('walks with a stick.', 5)],
    ['From chapter 4, he walks with a stick.', fact('he walks with a stick.', 4)],
    ['From scene 4: walks with a stick.', fact('walks with a stick.', 4)],
    ['Until chapter 7: lives in Rome.', fact('lives in Rome.', undefined, 7)],
    ['Before chapter 7: lives in Rome.', fact('lives in Rome.', undefined, 6)],
    ['Chapters 3-5: in hospital.', fact('in hospital.', 3, 5)],
    ['Chapters 3 to 5: in hospital.', fact('in hospital.', 3, 5)],
    ['From chapter 3 to chapter 5: in hospital.', fact('in hospital.', 3, 5)],
    ['In hospital (chapters three through five)', fact('In hospital', 3, 5)],
    ['Chapter 3: breaks an arm.', fact('breaks an arm.', 3)],
  ])('reads when a fact holds: %s [W2]', (line, read) => {
    expect(readFactLines(line)).toMatchObject(read);
  });

  it.each([
    ['第五章前保密：他是卧底。', secret('他是卧底。', 5)],
    ['第九十七回前保密：通灵玉是假的。', secret('通灵玉是假的。', 97)],
    ['- **第９７回之前保密**：通灵玉是假的。', secret('通灵玉是假的。', 97)],
    ['保密到第九章：他是卧底。', secret('他是卧底。', 9)],
    ['第九章揭晓：他是卧底。', secret('他是卧底。', 9)],
    ['秘密（第九章前）：他是卧底。', secret('他是卧底。', 9)],
    ['秘密，第九章才揭晓：他是卧底。', secret('他是卧底。', 9)],
    ['第九章前不得透露：他是卧底。', secret('他是卧底。', 9)],
    ['他是卧底（第九章前保密）。', secret('他是卧底。', 9)],
    ['Secret until chapter 4: she is the heir.', secret('she is the heir.', 4)],
    ['* __Secret until chapter four:__ she is the heir.', secret('she is the heir.', 4)],
    ['Hidden before chapter 4: she is the heir.', secret('she is the heir.', 4)],
    ['Not revealed until chapter 4: she is the heir.', secret('she is the heir.', 4)],
    ['Revealed in chapter 9: she is the heir.', secret('she is the heir.', 9)],
    ['She is the heir (secret until chapter 4).', secret('She is the heir.', 4)],
    ['She is the heir [revealed in chapter IX]', secret('She is the heir', 9)],
    ['第三章起，第九章前保密：左手是假的。', secret('左手是假的。', 9)],
    ['第十二章起：左手是假的（第九章前保密）。', secret('左手是假的。', 12)],
    ['From chapter 3, secret until chapter 9: the hand is wooden.', secret('the hand is wooden.', 9)],
  ])('reads until when a secret is kept: %s [W2]', (line, read) => {
    expect(readFactLines(line)).toMatchObject(read);
  });

  it.each([
    '第五章的时候保密：他是卧底。',
    '他的秘密要等到第九章以后的某一天才说。',
    '第九章的秘密：他是卧底。',
    '第三章里他说：我走了。',
    '第零章起：受了伤。',
    '第五章到第三章：住院。',
    '第五章起，第三章之前：住院。',
    '第三章到第五章，第九章前保密：他是卧底。',
    'Chapters 5-3: in hospital.',
    'Secret, from chapter 4: she is the heir.',
    'Secret until about chapter 4: she is the heir.',
    'Somewhere after chapter 4 it is revealed that she is the heir.',
    'From chapter 4 but not in chapter 6: limps.',
    '第二卷起：出家。',
    '卷二前保密：他是卧底。',
    'From part two: limps.',
    'Secret until act 3: she is the heir.',
  ])('keeps out and names what seems dated and cannot be read: %s [W2]', (line) => {
    expect(readFactLines(line)).toMatchObject({ ...plain, unclear: [1] });
  });

  it.each([
    '冷静的工程师，读到第三章会哭。',
    '性格：冷静。',
    '秘密：怕狗。',
    'He wrote a book in three chapters.',
    'Part of the crew; keeps a secret.',
    'Age: 34',
    '第一人称叙述者。',
    '家中第三个孩子：老三。',
  ])('leaves a description alone: %s', (line) => {
    expect(readFactLines(line)).toMatchObject({ ...plain, description: line });
  });

  it('asks the project where its parts begin and end', () => {
    const numbering: StoryNumbering = (division, number) =>
      division === 'volume' && number === 2 ? { first: 11, last: 20 } : undefined;
    expect(readFactLines('第二卷前保密：他是卧底。', numbering)).toMatchObject(secret('他是卧底。', 11));
    expect(readFactLines('Book Two: in exile.', numbering)).toMatchObject(fact('in exile.', 11));
    expect(readFactLines('Until book two: in exile.', numbering)).toMatchObject(
      fact('in exile.', undefined, 20),
    );
    expect(readFactLines('第三卷前保密：他是卧底。', numbering)).toMatchObject({ ...plain, unclear: [1] });
  });

  it('finds parts in the titles and folders of chapters', () => {
    const numbering = numberingOf([
      { id: '第一卷/01.md', title: '第1章 雨', order: 1 },
      { id: '第一卷/02.md', title: '第2章 雪', order: 2 },
      { id: '第二卷/03.md', title: '第3章 风', order: 3 },
      { id: '第二卷/04.md', title: 'Act II', order: 4 },
    ]);
    expect(numbering('volume', 1)).toEqual({ first: 1, last: 2 });
    expect(numbering('volume', 2)).toEqual({ first: 3, last: 4 });
    expect(numbering('act', 2)).toEqual({ first: 4, last: 4 });
    expect(numbering('volume', 3)).toBeUndefined();
    expect(numberingOf([])('part', 1)).toBeUndefined();
  });

  it('takes what stands below a dated line, deeper, listed or under its heading, with it [W2]', () => {
    const card = [
      '冷静。',
      '- 第五章前保密：他是卧底，',
      '  上司是老周。',
      '- 怕水。',
      'Secret until chapter 4:',
      '- she is the heir',
      '- her name is Ann',
      'Tall.',
      '## 第九章前保密',
      '他会死。',
      '',
      '死于水。',
      '## 爱好',
      '钓鱼。',
      '- 第五章大概保密：',
      '  - 他怕火。',
    ];
    expect(readFactLines(card.join('\n'))).toMatchObject({
      description: '冷静。\n- 怕水。\nTall.\n## 爱好\n钓鱼。',
      facts: [],
      secrets: [
        { text: '他是卧底， 上司是老周。', hiddenUntil: 5 },
        { text: 'she is the heir', hiddenUntil: 4 },
        { text: 'her name is Ann', hiddenUntil: 4 },
        { text: '他会死。', hiddenUntil: 9 },
        { text: '死于水。', hiddenUntil: 9 },
      ],
      unclear: [15],
    });
  });

  it('never lets a line with a secret word and a chapter into the description', () => {
    const unit = fc.constantFrom(
      '第三章',
      'chapter 4',
      '前',
      '起',
      '保密',
      'secret until ',
      '：',
      ':',
      '，',
      '他',
      ' ',
      '（',
      '）',
      '-',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 9 }), (units) => {
        const { description } = readFactLines(units.join(''));
        expect(/保密|secret/.test(description) && /第三章|chapter 4/.test(description)).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  it('stays fast on long lines', () => {
    const long = `${'第三章，'.repeat(20_000)}保密`;
    expect(readFactLines(long).unclear).toEqual([1]);
    expect(readFactLines('（'.repeat(50_000)).unclear).toEqual([]);
  });
});
