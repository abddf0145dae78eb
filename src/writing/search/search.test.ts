import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { openStore } from '../../store/sqlite/open-store.js';
import type { Store } from '../../store/store.js';
import { nastyText } from '../../testing/nasty-text.js';
import { findMatches, findNear } from './find-matches.js';
import { foldText } from './fold-text.js';
import { searchBook } from './search-book.js';

let store: Store;

beforeEach(async () => {
  store = await openStore({ path: ':memory:', now: () => 1 });
});

afterEach(() => store.close());

const put = (id: string, text: string) => store.documents.put('novel', { id, title: id, text });
const search = (query: string, options: object = {}) => searchBook(store, 'novel', { query, ...options });

/** The obvious scan: at every place, does it say one of the words here? */
function scan(text: string, words: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < text.length; ) {
    const here = words
      .filter((word) => word !== '' && text.startsWith(word, at))
      .sort((a, b) => b.length - a.length)[0];
    if (here === undefined) at += 1;
    else {
      found.push({ start: at, end: at + here.length });
      at += here.length;
    }
  }
  return found;
}

/** Every choice of one place for each word, shortest by where its first and its last word begin. */
function scanNear(text: string, words: readonly string[], reach: number): { start: number; end: number }[] {
  const places = [...new Set(words)].map((word) =>
    [...Array(text.length).keys()]
      .filter((at) => text.startsWith(word, at))
      .map((at) => ({ at, end: at + word.length })),
  );
  let choices: { at: number; end: number }[][] = [[]];
  for (const own of places) choices = choices.flatMap((choice) => own.map((place) => [...choice, place]));
  const stretches = choices.map((choice) => ({
    first: Math.min(...choice.map(({ at }) => at)),
    last: Math.max(...choice.map(({ at }) => at)),
    end: Math.max(...choice.map(({ end }) => end)),
  }));
  const shortest = stretches.filter(
    (one) =>
      !stretches.some(
        (other) =>
          (other.first > one.first && other.last <= one.last) ||
          (other.first >= one.first && other.last < one.last),
      ),
  );
  const found = new Map<number, { start: number; end: number }>();
  for (const { first, end } of shortest) {
    const known = found.get(first);
    if (end - first <= reach && (known === undefined || end > known.end))
      found.set(first, { start: first, end });
  }
  return [...found.values()].sort((left, right) => left.start - right.start);
}

describe('search', () => {
  it('finds what a naive scan finds, in any text', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'b', '雨', '夜', ' ', '\n', '😀'), { maxLength: 60 })
      .map((all) => all.join(''));
    const word = fc
      .array(fc.constantFrom('a', 'b', '雨', '夜', '😀'), { minLength: 1, maxLength: 3 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(
        fc.oneof(letters, nastyText(40)),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        (text, words) => {
          expect(findMatches(text, words)).toEqual(scan(text, words));
        },
      ),
      { numRuns: sweepSize('search against a scan', { everyRun: 500, nightly: 50_000 }) },
    );
  });

  it('finds the shortest stretches that hold all words, as a naive scan does', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '雨', '夜', '.'), { maxLength: 24 })
      .map((all) => all.join(''));
    // Words of one length: of two that begin together only one could be meant.
    const word = fc.constantFrom('a', 'b', '雨', '夜');
    fc.assert(
      fc.property(
        text,
        fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 12 }),
        (all, words, reach) => {
          expect(findNear(all, words, { reach })).toEqual(scanNear(all, words, reach));
        },
      ),
      { numRuns: sweepSize('near against a scan', { everyRun: 500, nightly: 50_000 }) },
    );
  });

  it('folds a text into one of the same length', () => {
    fc.assert(
      fc.property(nastyText(40), (text) => {
        expect(foldText(text)).toHaveLength(text.length);
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { numRuns: sweepSize('folded texts', { everyRun: 500, nightly: 20_000 }) },
    );
    expect(foldText('ＡＢＣ　“Don’t” İX')).toBe('abc "don\'t" İx');
  });

  it('says chapter, paragraph, line and the sentence around, in reading order', async () => {
    await put('b.md', '# 第二章\n\n雨停了。林远回家。\n');
    await put('a.md', 'x');
    await store.documents.put('novel', {
      id: 'a.md',
      title: '第一章',
      order: 0,
      text: '# 第一章\n\n夜里下雨。😀他没带伞，林远笑了。\n\n天亮了。\n',
    });
    const { hits, total, kind } = await search('林远');
    expect({ total, kind }).toEqual({ total: 2, kind: 'words' });
    expect(
      hits.map(({ title, paragraph, line, sentence, from, to }) => [
        title,
        paragraph,
        line,
        sentence,
        from,
        to,
      ]),
    ).toEqual([
      ['第一章', 2, 3, '😀他没带伞，林远笑了。', 6, 8],
      ['b.md', 2, 3, '林远回家。', 0, 2],
    ]);
    const [first] = hits;
    expect([...'# 第一章\n\n夜里下雨。😀他没带伞，林远笑了。'].slice(first?.start, first?.end).join('')).toBe(
      '林远',
    );
  });

  it('does not mind capitals, widths and quotes unless told', async () => {
    await put('a', 'The Old Door. ＯＬＤ door, “don’t”. old\ndoor.');
    expect((await search('old door')).total).toBe(3);
    expect((await search('Old Door', { exact: true })).total).toBe(1);
    expect((await search(`"don't"`)).total).toBe(1);
  });

  it('keeps to whole words where asked, in scripts that have them', async () => {
    await put('a', 'Ann met Anna and Joann; 安娜见了安。');
    expect((await search('ann', { wholeWord: true })).total).toBe(1);
    expect((await search('ann')).total).toBe(3);
    expect((await search('安', { wholeWord: true })).total).toBe(2);
  });

  it('finds someone by every name', async () => {
    await store.entities.put('novel', { name: '林远', aliases: ['阿远', 'Lin'], description: '守夜人' });
    await put('a', '林远来了。阿远坐下。Lin sat. Linda stood.');
    const found = await search('阿远');
    expect(found).toMatchObject({ kind: 'name', words: ['林远', '阿远', 'Lin'], total: 3 });
  });

  it('looks for words near each other when they stand nowhere as asked', async () => {
    await put('a', '林远把断剑放在桌上。很久以后，剑还在。');
    expect(await search('断剑 林远')).toMatchObject({ kind: 'near', total: 1, hits: [{ from: 0, to: 5 }] });
    expect(await search('断剑 林远', { near: 3 })).toMatchObject({ kind: 'near', total: 0 });
  });

  it('counts what it does not show, by chapter', async () => {
    await put('a', '雨雨雨');
    await put('b', '雨雨');
    const { hits, rest, total } = await search('雨', { limit: 2 });
    expect({ shown: hits.length, total, rest }).toEqual({
      shown: 2,
      total: 5,
      rest: [
        { documentId: 'a', title: 'a', count: 1 },
        { documentId: 'b', title: 'b', count: 2 },
      ],
    });
  });

  it('keeps to one chapter, and refuses one that is not there', async () => {
    await put('a', '雨');
    await put('b', '雨');
    expect((await search('雨', { documentId: 'b' })).hits.map(({ documentId }) => documentId)).toEqual(['b']);
    await expect(search('雨', { documentId: 'c' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reads a chapter anew once it changed', async () => {
    await put('a', '雨');
    expect((await search('雪')).total).toBe(0);
    await put('a', '雪');
    expect((await search('雪')).total).toBe(1);
  });

  it('stays quick in one paragraph of five megabytes', async () => {
    await put('a', '雨夜长谈，'.repeat(1_000_000));
    const { total, hits } = await search('长谈', { limit: 20 });
    expect(total).toBe(1_000_000);
    expect(Math.max(...hits.map(({ sentence }) => sentence.length))).toBeLessThanOrEqual(240);
  });
});
