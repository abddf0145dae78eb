import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryIndex } from './memory-index.js';
import { rankChunks } from './rank-chunks.js';

const chunks = [
  { id: 'a', text: '林黛玉进了贾府，先见了贾母。众人皆笑。' },
  { id: 'b', text: '宝玉摔玉，贾母急得搂了他。' },
  { id: 'c', text: '刘姥姥一进荣国府，见了凤姐。' },
  { id: 'd', text: 'The storm broke at midnight and the boats were lost.' },
  { id: 'e', text: '又是一年春天，园子里的花都开了。' },
];

describe('rankChunks', () => {
  it('puts the chunk that answers first, in Chinese and in English', () => {
    expect(rankChunks('刘姥姥见了谁？', chunks)[0]?.id).toBe('c');
    expect(rankChunks('When did storms break?', chunks)[0]?.id).toBe('d');
  });

  it('gives ties by id, whatever the order of arrival', () => {
    const same = ['b', 'c', 'a'].map((id) => ({ id, text: '同样的话。' }));
    expect(rankChunks('同样', same).map((chunk) => chunk.id)).toEqual(['a', 'b', 'c']);
    fc.assert(
      fc.property(fc.shuffledSubarray(chunks, { minLength: chunks.length }), (shuffled) => {
        expect(rankChunks('贾母见了宝玉', shuffled)).toEqual(rankChunks('贾母见了宝玉', chunks));
      }),
    );
  });

  it('prefers terms that stand together and in order', () => {
    const far = { id: 'a', text: `白马${'。其他的话没有关系'.repeat(12)}。过河` };
    const near = { id: 'b', text: `白马过河${'。其他的话没有关系'.repeat(12)}。` };
    expect(rankChunks('白马过河', [far, near])[0]?.id).toBe('b');
  });

  it('counts a match in the title', () => {
    const plain = { id: 'a', text: '他走了。' };
    const titled = { id: 'b', text: '他走了。', title: '风雪山神庙' };
    expect(rankChunks('风雪', [plain, titled, ...chunks])[0]?.id).toBe('b');
  });

  it('scores a memory search exactly like a rescoring of its candidates', () => {
    const index = createMemoryIndex(chunks);
    const found = index.search('贾母见了谁', { limit: 3 });
    const rescored = rankChunks('贾母见了谁', chunks, index.statistics).filter((chunk) => chunk.score > 0);
    expect(found).toEqual(rescored.slice(0, 3));
  });

  it('answers nothing for nothing', () => {
    expect(createMemoryIndex([]).search('贾母')).toEqual([]);
    expect(createMemoryIndex(chunks).search('？')).toEqual([]);
    expect(rankChunks('', chunks).every((chunk) => chunk.score === 0)).toBe(true);
  });
});
