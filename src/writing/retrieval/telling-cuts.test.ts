import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexText } from '../documents/indexed-text.js';
import { focusQuery } from './query.js';
import { type Cut, type CutSizes, tellingCuts } from './telling-cuts.js';

const statistics = { documents: 100, averageLength: 100, frequencyOf: () => 3 };

const sizeOf = (cut: Cut) => cut.reduce((sum, { start, end }) => sum + end - start, 0);
const textsOf = (query: string, text: string, sizes: CutSizes = {}) =>
  tellingCuts(text, focusQuery(query, statistics), sizes).map((cut) =>
    cut.map((range) => indexText(text).slice(range)),
  );

describe('the part of a passage that is shown', () => {
  it('begins with the sentence that answers, in Chinese and in English', () => {
    const chinese = '红楼梦又名石头记。作者是曹雪芹，清代人。书成于乾隆年间。全书一百二十回。';
    expect(textsOf('红楼梦成书于什么年间？', chinese, { least: 8 })[0]).toEqual(['书成于乾隆年间。']);
    const english =
      'The tower stands by the sea. It was built by Ada Lovelace in 1840. Nobody lives there now.';
    expect(textsOf('Who built the tower?', english, { least: 20 })[0]?.join('')).toContain('built by Ada');
  });

  it('begins with what is asked, not with the name that stands in the first sentence', () => {
    const fish =
      '蓝线裸顶鲷，又称龙尖，为鲈形目龙占鱼科的一个种。本鱼分布于印度太平洋区，包括东非、日本、台湾等海域。体长可达80公分，体呈银灰色。栖息在沿岸的礁区。以甲壳类和小鱼为食。';
    expect(textsOf('蓝线裸顶鲷的体长约是多少公分？', fish, { least: 14 })[0]).toEqual([
      '体长可达80公分，体呈银灰色。',
    ]);
    expect(textsOf('本鱼以什么为食？', fish, { least: 10 })[0]).toEqual(['以甲壳类和小鱼为食。']);
  });

  it('begins with the clause that answers where the sentence is long', () => {
    const text = `${'他走过长街，看见灯火，'.repeat(8)}那封信藏在钟楼的砖缝里，${'他又走过长街，看见灯火，'.repeat(8)}天亮了。`;
    expect(textsOf('信藏在哪里？', text, { least: 10 })[0]?.join('')).toContain('那封信藏在钟楼');
  });

  it('joins neighbours and keeps others apart', () => {
    const text = '甲乙丙。丁戊己。庚辛壬。癸子丑。';
    const cuts = tellingCuts(
      text,
      new Map([
        ['丁戊', 2],
        ['癸子', 1],
      ]),
      { least: 1, growth: 1 },
    );
    const parts = cuts.map((cut) => cut.map((range) => indexText(text).slice(range)));
    expect(parts[0]).toEqual(['丁戊己。']);
    expect(parts).toContainEqual(
      expect.arrayContaining([expect.stringMatching(/^(甲乙丙。)?丁戊己。(庚辛壬。)?$/)]),
    );
    for (const cut of cuts)
      for (const [index, range] of cut.slice(1).entries())
        expect(range.start).toBeGreaterThan(cut[index]!.end);
  });

  it('gives a text that is one step as a whole or not at all', () => {
    expect(textsOf('信', '短句。')).toEqual([]);
    expect(textsOf('信', '')).toEqual([]);
  });

  it('holds every shorter cut in every longer one, each on code-point borders and shorter than the whole', () => {
    const piece = fc.constantFrom(
      '红楼',
      'a tower ',
      '，',
      '。',
      '！',
      '😀',
      '\n',
      '一百二十回',
      '. ',
      '成书',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
        fc.record({
          least: fc.integer({ min: 1, max: 40 }),
          growth: fc.double({ min: 1, max: 3, noNaN: true }),
        }),
        (text, sizes) => {
          const cuts = tellingCuts(text, focusQuery('红楼 tower 成书', statistics), sizes);
          const whole = indexText(text).length;
          cuts.forEach((cut, index) => {
            const longer = cuts[index + 1] ?? [{ start: 0, end: whole }];
            expect(sizeOf(cut)).toBeLessThan(sizeOf(longer));
            for (const range of cut) {
              expect(range.end).toBeGreaterThan(range.start);
              expect(longer.some(({ start, end }) => start <= range.start && range.end <= end)).toBe(true);
            }
          });
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });
});
