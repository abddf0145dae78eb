import type { ChunkDraft } from '../../store/tables/chunks.js';
import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

const chunk = (ordinal: number, terms: string, id = `c${ordinal}`): ChunkDraft => ({
  id,
  ordinal,
  start: ordinal * 10,
  end: ordinal * 10 + 10,
  text: `text of ${terms}`,
  contentHash: `hash ${ordinal}`,
  terms,
});

const one = { documentId: 'one', contentHash: 'h1' };
const two = { documentId: 'two', contentHash: 'h2' };

export function retrievalContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('retrieval index', () => {
    it('finds chunks by any term, the rarer and fuller match first', () =>
      onGround(newGround, async ({ store }) => {
        await store.chunks.replaceChunks('p', one, [
          chunk(0, '林远 远拔 拔剑'),
          chunk(1, '苏晚 晚不 不语'),
          chunk(2, '林远 远不 不语'),
          chunk(3, '天色 色将 将晚'),
          chunk(4, '风起 起了 了云'),
        ]);
        const hits = await store.chunks.search('p', '林远 不语', { limit: 9 });
        expect(hits.map(({ chunkId }) => chunkId)).toEqual(['c2', 'c0', 'c1']);
        const { score, ...best } = hits[0]!;
        expect(score).toBeGreaterThan(hits[1]!.score);
        expect(best).toEqual({
          chunkId: 'c2',
          documentId: 'one',
          ordinal: 2,
          start: 20,
          end: 30,
          text: 'text of 林远 远不 不语',
          contentHash: 'hash 2',
        });
      }));

    it('takes every sign of a term literally', () =>
      onGround(newGround, async ({ store }) => {
        const terms = ['c++', 'a_b', '😀', 'NOT', 'x*', '-y', '(z', 'é', 'p:q', '\\n', '^k', '𠮷野', '{'];
        await store.chunks.replaceChunks(
          'p',
          one,
          terms.map((term, ordinal) => chunk(ordinal, `${term} filler${ordinal}`)),
        );
        for (const [ordinal, term] of terms.entries()) {
          const hits = await store.chunks.search('p', [term], { limit: 5 });
          expect(hits.map((hit) => hit.ordinal)).toEqual([ordinal]);
        }
        expect(
          await store.chunks.search('p', ['c', 'a', 'b', 'x', 'e', '"', "'", ' '], { limit: 5 }),
        ).toEqual([]);
        expect((await store.chunks.search('p', 'not', { limit: 5 })).length).toBe(1);
      }));

    it('settles ties by document, then place, also across the limit', () =>
      onGround(newGround, async ({ store }) => {
        const same = [3, 0, 2, 1].map((ordinal) => chunk(ordinal, 'same words'));
        await store.chunks.replaceChunks('p', two, same);
        await store.chunks.replaceChunks('p', one, same);
        const place = async (limit: number) =>
          (await store.chunks.search('p', 'same', { limit })).map(
            (hit) => `${hit.documentId} ${hit.ordinal}`,
          );
        const all = ['one 0', 'one 1', 'one 2', 'one 3', 'two 0', 'two 1', 'two 2', 'two 3'];
        for (const limit of [0, 1, 2, 5, 8, 20]) expect(await place(limit)).toEqual(all.slice(0, limit));
      }));

    it('leaves a document out before it counts to the limit', () =>
      onGround(newGround, async ({ store }) => {
        await store.chunks.replaceChunks('p', one, [chunk(0, 'word'), chunk(1, 'word')]);
        await store.chunks.replaceChunks('p', two, [chunk(0, 'word other longer')]);
        const hits = await store.chunks.search('p', 'word', { limit: 1, excludeDocument: 'one' });
        expect(hits.map(({ documentId }) => documentId)).toEqual(['two']);
        const without = async (excludeDocument: readonly string[]) =>
          (await store.chunks.search('p', 'word', { limit: 9, excludeDocument })).length;
        expect(await without(['two'])).toBe(2);
        expect(await without(['one', 'two', 'unknown'])).toBe(0);
        expect(await without([])).toBe(3);
      }));

    it('replaces all chunks of a document, or none', () =>
      onGround(newGround, async ({ store }) => {
        await store.chunks.replaceChunks('p', one, [chunk(0, 'old'), chunk(1, 'old')]);
        const broken = store.chunks.replaceChunks('p', { ...one, contentHash: 'h9' }, [
          chunk(0, 'new'),
          chunk(0, 'new'),
        ]);
        expect(await refusal(broken)).toBe('INVALID_ARGUMENT');
        expect(
          (await store.chunks.search('p', 'old new', { limit: 9 })).map(({ ordinal }) => ordinal),
        ).toEqual([0, 1]);
        await store.chunks.replaceChunks('p', { ...one, contentHash: 'h3' }, [chunk(0, 'new')]);
        expect(await store.chunks.search('p', 'old', { limit: 9 })).toEqual([]);
        expect(await store.chunks.indexedDocuments('p')).toEqual([
          { documentId: 'one', contentHash: 'h3', chunks: 1 },
        ]);
        expect(
          (await store.chunks.chunksOf('p', 'one')).map(({ id, contentHash }) => [id, contentHash]),
        ).toEqual([['c0', 'hash 0']]);
        await store.chunks.replaceChunks('p', two, []);
        expect((await store.chunks.indexedDocuments('p')).map(({ documentId }) => documentId)).toEqual([
          'one',
          'two',
        ]);
        await store.chunks.forget('p', 'one');
        await store.chunks.forget('p', 'never seen');
        expect((await store.chunks.indexedDocuments('p')).map(({ documentId }) => documentId)).toEqual([
          'two',
        ]);
      }));

    it('counts terms of the project alone, also after a replacement', () =>
      onGround(newGround, async ({ store }) => {
        await store.chunks.replaceChunks('q', one, [chunk(0, 'a b'), chunk(1, 'a a a')]);
        await store.chunks.replaceChunks('p', one, [chunk(0, 'a b c'), chunk(1, 'a')]);
        const counted = await store.chunks.statistics('p', 'A b z a');
        expect(counted).toMatchObject({ chunks: 2, averageTerms: 2 });
        expect([...counted.frequencies]).toEqual([
          ['a', 2],
          ['b', 1],
          ['z', 0],
        ]);
        await store.chunks.replaceChunks('p', one, [chunk(0, 'b')]);
        expect([...(await store.chunks.statistics('p', 'a b')).frequencies]).toEqual([
          ['a', 0],
          ['b', 1],
        ]);
        expect(await store.chunks.statistics('none', 'a')).toMatchObject({ chunks: 0, averageTerms: 0 });
      }));

    it('finds chunks by their texts, in every document that holds them', () =>
      onGround(newGround, async ({ store }) => {
        await store.chunks.replaceChunks('p', two, [chunk(0, 'a'), chunk(1, 'b')]);
        await store.chunks.replaceChunks('p', one, [chunk(1, 'b'), chunk(2, 'c')]);
        await store.chunks.replaceChunks('q', one, [chunk(1, 'b')]);
        const found = await store.chunks.holding('p', ['hash 1', 'hash 2', 'nowhere']);
        expect(found.map(({ documentId, ordinal, text }) => [documentId, ordinal, text])).toEqual([
          ['one', 1, 'text of b'],
          ['one', 2, 'text of c'],
          ['two', 1, 'text of b'],
        ]);
        expect(await store.chunks.holding('p', [])).toEqual([]);
      }));

    it('indexes a long document while other calls go on', () =>
      onGround(newGround, async ({ store }) => {
        const long = Array.from({ length: 400 }, (_, ordinal) => chunk(ordinal, `w${ordinal} common`));
        const indexing = store.chunks.replaceChunks('p', one, long);
        await store.settings.put('p', 'k', 'v');
        expect(await store.settings.get('p', 'k')).toBe('v');
        await indexing;
        expect((await store.chunks.search('p', 'w399', { limit: 3 })).map(({ ordinal }) => ordinal)).toEqual([
          399,
        ]);
      }));
  });
}
