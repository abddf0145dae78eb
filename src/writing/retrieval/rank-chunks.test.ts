import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText } from '../../meters/content-hash.js';
import { termKey, weighQuery, weighScene } from './query.js';
import { rankChunks } from './rank-chunks.js';
import { termsOf } from './terms.js';

interface Given {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly ordinal?: number;
}

const statisticsOf = (given: readonly Given[]) => {
  const all = given.map(({ text }) => termsOf(text));
  return {
    documents: all.length,
    averageLength: all.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, all.length),
    frequencyOf: (term: string) => all.filter((terms) => terms.includes(term)).length,
  };
};

const rank = (question: string, given: readonly Given[], scene: readonly string[] = []) => {
  const statistics = statisticsOf(given);
  const candidates = given.map((chunk) => ({
    documentId: chunk.id,
    ordinal: 0,
    contentHash: hashText(chunk.text),
    ...chunk,
  }));
  const query = weighQuery(question, statistics);
  return rankChunks(candidates, {
    query,
    scene: weighScene(scene, query, statistics),
    averageLength: statistics.averageLength,
    matches: new Map(),
    titles: new Map(),
  });
};
const best = (...given: Parameters<typeof rank>) => rank(...given)[0]?.id;

const chunks = [
  { id: 'a', text: '林黛玉进了贾府，先见了贾母。众人皆笑。' },
  { id: 'b', text: '宝玉摔玉，贾母急得搂了他。' },
  { id: 'c', text: '刘姥姥一进荣国府，见了凤姐。' },
  { id: 'd', text: 'The storm broke at midnight and the boats were lost.' },
  { id: 'e', text: '又是一年春天，园子里的花都开了。' },
];

describe('the ranking of passages', () => {
  it('puts the chunk that answers first, in Chinese and in English', () => {
    expect(best('刘姥姥见了谁？', chunks)).toBe('c');
    expect(best('When did storms break?', chunks)).toBe('d');
  });

  it('gives ties by id, whatever the order of arrival', () => {
    const same = ['b', 'c', 'a'].map((id) => ({ id, text: '同样的话。' }));
    expect(rank('同样', same).map((chunk) => chunk.id)).toEqual(['a', 'b', 'c']);
    fc.assert(
      fc.property(fc.shuffledSubarray(chunks, { minLength: chunks.length }), (shuffled) => {
        expect(rank('贾母见了宝玉', shuffled)).toEqual(rank('贾母见了宝玉', chunks));
      }),
    );
  });

  const filling = '。其他的话没有关系'.repeat(12);

  it('prefers terms that stand together', () => {
    const far = { id: 'a', text: `白马${filling}。过河${filling}` };
    const near = { id: 'b', text: `${filling}。白马。他。过河${filling}` };
    expect(best('白马，过河', [far, near])).toBe('b');
  });

  it('prefers terms in the order of the question', () => {
    const turned = { id: 'a', text: '过河。白马。' };
    const ordered = { id: 'b', text: '白马。过河。' };
    expect(best('白马，过河', [turned, ordered])).toBe('b');
  });

  it('counts a match in the title', () => {
    const plain = { id: 'a', text: '他走了。' };
    const titled = { id: 'b', text: '他走了。', title: '风雪山神庙' };
    expect(best('风雪', [plain, titled, ...chunks])).toBe('b');
  });

  it('reads a chunk with its neighbours of the same document, and only with those', () => {
    const text = '他在桥上等了一夜。';
    const rest = '小红撑着船来了。';
    const lonely = { id: 'lonely', text, documentId: 'x', ordinal: 0 };
    const distant = { id: 'distant', text: rest, documentId: 'x', ordinal: 2 };
    const together = { id: 'together', text, documentId: 'y', ordinal: 0 };
    const next = { id: 'next', text: rest, documentId: 'y', ordinal: 1 };
    const scores = new Map(
      rank('谁撑船到桥上', [lonely, distant, together, next, ...chunks]).map(({ id, score }) => [id, score]),
    );
    expect(scores.get('together')).toBeGreaterThan(scores.get('lonely') ?? 0);
    expect(scores.get('next')).toBeGreaterThan(scores.get('distant') ?? 0);
  });

  it('lets the scene decide between equals, never against the question', () => {
    const one = { id: 'one', text: '雨夜里他点了灯。' };
    const other = { id: 'two', text: '雪地里他点了灯。' };
    expect(best('点灯', [one, other, ...chunks])).toBe('one');
    expect(best('点灯', [one, other, ...chunks], ['雪地'])).toBe('two');
    expect(best('雨夜点灯', [one, other, ...chunks], ['雪地'])).toBe('one');
  });

  it('scores nothing for nothing', () => {
    expect(rank('贾母', [])).toEqual([]);
    expect(rank('', chunks).every((chunk) => chunk.score === 0)).toBe(true);
    expect(rank('？', chunks).every((chunk) => chunk.score === 0)).toBe(true);
  });
});

describe('the key of a search term', () => {
  it('tells terms apart', () => {
    const terms = new Set<string>();
    for (const first of '红楼梦ab𠮷') for (const second of '玉钗黛01') terms.add(first + second).add(first);
    for (let index = 0; index < 20_000; index += 1) terms.add(`word${index}`).add(`${index}年`);
    expect(new Set([...terms].map(termKey)).size).toBe(terms.size);
  });
});
