import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { indexText } from '../documents/indexed-text.js';
import { chunkDocument } from './chunk-document.js';

describe('cutting a document into passages', () => {
  it('joins short paragraphs and keeps a heading with its text', () => {
    const text = '# 一\n\n短段。\n\n又一段。\n\n# 二\n\n第三段。';
    expect(chunkDocument(text, { target: 100 }).map((chunk) => [chunk.heading, chunk.text])).toEqual([
      ['一', '# 一\n\n短段。\n\n又一段。'],
      ['二', '# 二\n\n第三段。'],
    ]);
  });

  it('cuts a long paragraph at sentences into even parts', () => {
    const text = '他走过了那座长长的桥。'.repeat(30);
    const chunks = chunkDocument(text, { target: 100, most: 150 });
    expect(chunks.every((chunk) => chunk.text.endsWith('。'))).toBe(true);
    const sizes = chunks.map((chunk) => chunk.end - chunk.start);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(22);
  });

  it('knows chapter headings without Markdown', () => {
    const chunks = chunkDocument(
      '第一回  甄士隐梦幻识通灵\n\n    此开卷第一回也．\n\n第二回  贾夫人仙逝\n\n    却说封肃．',
    );
    expect(chunks.map((chunk) => chunk.heading)).toEqual(['第一回  甄士隐梦幻识通灵', '第二回  贾夫人仙逝']);
  });

  it('covers every visible character exactly once and keeps to the limit', () => {
    const unit = fc.constantFrom('红', '楼', '😀', '。', '，', ' ', 'a', '\n', '#', '.');
    const numRuns = sweepSize('documents cut into passages', { everyRun: 100, nightly: 10_000 });
    let several = 0;
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 40, maxLength: 300, size: 'max' }),
        fc.integer({ min: 4, max: 60 }),
        (text, target) => {
          const indexed = indexText(text);
          const chunks = chunkDocument(text, { target });
          let last = 0;
          let gaps = '';
          for (const chunk of chunks) {
            expect(chunk.start).toBeGreaterThanOrEqual(last);
            expect(indexed.slice(chunk)).toBe(chunk.text);
            expect(chunk.end - chunk.start).toBeLessThanOrEqual(Math.ceil(target * 1.5));
            gaps += indexed.slice({ start: last, end: chunk.start });
            last = chunk.end;
          }
          gaps += indexed.slice({ start: last, end: indexed.length });
          expect(gaps.trim()).toBe('');
          if (chunks.length > 2) several += 1;
        },
      ),
      { numRuns },
    );
    expect(several).toBeGreaterThan(numRuns / 4);
  });
});
