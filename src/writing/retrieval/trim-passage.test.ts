import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexText } from '../documents/indexed-text.js';
import { termsOf } from './terms.js';
import { trimPassage } from './trim-passage.js';

const text =
  '蓝线裸顶鲷，又称龙尖，为鲈形目龙占鱼科的一个种。本鱼分布于印度太平洋区，包括东非、日本、台湾等海域。体长可达80公分，体呈银灰色。栖息在沿岸的礁区。以甲壳类和小鱼为食。';
const collection = [text, '红鳍笛鲷的体长。', '他喜欢吃鱼。', '这里没有答案。'].map(termsOf);
const statistics = {
  documents: collection.length,
  averageLength: 40,
  frequencyOf: (term: string) => collection.filter((terms) => terms.includes(term)).length,
};
const show = (query: string, budget: number) =>
  trimPassage(query, text, { budget, statistics }).map((range) => indexText(text).slice(range));

describe('trimPassage', () => {
  it('chooses by what is asked, not by the name that stands in the first sentence', () => {
    expect(show('蓝线裸顶鲷的体长约是多少公分？', 20)).toEqual(['体长可达80公分，体呈银灰色。']);
    expect(show('本鱼以什么为食？', 14)).toEqual(['以甲壳类和小鱼为食。']);
  });

  it('gives the whole chunk when it fits', () => {
    expect(show('体长', 500)).toEqual([text]);
  });

  it('cuts a sentence that is too long at clauses', () => {
    expect(show('分布于哪个海区', 18)).toEqual(['本鱼分布于印度太平洋区，包括东非、']);
  });

  it('keeps within its budget, in order, without overlap, and never gives nothing', () => {
    const unit = fc.constantFrom('红', '楼', '😀', '。', '，', ' ', 'a', '\n');
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 1, maxLength: 80, size: 'max' }),
        fc.integer({ min: 1, max: 90 }),
        (chunk, budget) => {
          const ranges = trimPassage('红楼a', chunk, { budget, statistics });
          let last = -1;
          let total = 0;
          for (const { start, end } of ranges) {
            expect(start).toBeGreaterThan(last);
            expect(end).toBeGreaterThan(start);
            last = end;
            total += end - start;
          }
          expect(total).toBeLessThanOrEqual(budget);
          expect(total).toBeGreaterThan(0);
          expect(last).toBeLessThanOrEqual(indexText(chunk).length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
