import type { Store } from '../../store/store.js';
import type { ChunkDraft } from '../../store/tables/chunks.js';
import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

const chunk = (ordinal: number, contentHash: string): ChunkDraft => ({
  id: `c${ordinal}`,
  ordinal,
  start: 0,
  end: 1,
  text: `text of ${contentHash}`,
  contentHash,
  terms: 'word',
});

const index = (store: Store, project: string, documentId: string, hashes: readonly string[]) =>
  store.chunks.replaceChunks(
    project,
    { documentId, contentHash: 'h' },
    hashes.map((hash, ordinal) => chunk(ordinal, hash)),
  );

const vector = (contentHash: string, ...values: number[]) => ({
  contentHash,
  vector: Float32Array.from(values),
});

export function vectorsContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('vectors', () => {
    const known = async (store: Store, project: string, model: string) =>
      (await store.vectors.list(project, model)).map(({ contentHash, vector: values }) => [
        contentHash,
        [...values],
      ]);
    const lacking = async (store: Store, project: string, model: string, limit = 9) =>
      (await store.vectors.missing(project, model, limit)).map(({ contentHash }) => contentHash);

    it('are asked for once for every text, and kept bit for bit', () =>
      onGround(newGround, async ({ store, another }) => {
        await index(store, 'p', 'one', ['b', 'a', 'b']);
        await index(store, 'p', 'two', ['a', 'c']);
        expect(await store.vectors.missing('p', 'm', 2)).toEqual([
          { contentHash: 'a', text: 'text of a' },
          { contentHash: 'b', text: 'text of b' },
        ]);
        const odd = [0.1, -0, 1e-40, 3.4e38, 1 / 3].map(Math.fround);
        await store.vectors.put('p', 'm', [vector('b', ...odd), vector('a', 1, 2)]);
        for (const handle of [store, await another()]) {
          expect(await known(handle, 'p', 'm')).toEqual([
            ['a', [1, 2]],
            ['b', odd],
          ]);
          expect(await lacking(handle, 'p', 'm')).toEqual(['c']);
        }
        await store.vectors.put('p', 'm', [vector('a', 9)]);
        expect((await known(store, 'p', 'm'))[0]).toEqual(['a', [9]]);
      }));

    it('belong to their project and their model', () =>
      onGround(newGround, async ({ store }) => {
        for (const project of ['p', 'q']) await index(store, project, 'one', ['a']);
        await store.vectors.put('p', 'm', [vector('a', 1)]);
        expect(await known(store, 'q', 'm')).toEqual([]);
        expect(await known(store, 'p', 'n')).toEqual([]);
        expect(await lacking(store, 'q', 'm')).toEqual(['a']);
        expect(await lacking(store, 'p', 'n')).toEqual(['a']);
        await store.vectors.put('q', 'm', [vector('a', 2)]);
        await store.vectors.put('q', 'n', [vector('a', 3)]);
        expect(await known(store, 'p', 'm')).toEqual([['a', [1]]]);
        await store.vectors.forget('q', 'm');
        await store.vectors.forget('q', 'never seen');
        expect(await known(store, 'q', 'm')).toEqual([]);
        expect(await known(store, 'q', 'n')).toEqual([['a', [3]]]);
        expect(await known(store, 'p', 'm')).toEqual([['a', [1]]]);
      }));

    it('leave with the last chunk that holds their text', () =>
      onGround(newGround, async ({ store }) => {
        await index(store, 'p', 'one', ['a', 'b']);
        await store.vectors.put('p', 'm', [vector('a', 1), vector('b', 2)]);
        await index(store, 'p', 'one', ['b', 'c']);
        expect(await known(store, 'p', 'm')).toEqual([['b', [2]]]);
        await store.vectors.put('p', 'm', [vector('c', 3)]);
        await index(store, 'p', 'one', ['a', 'c']);
        expect(await lacking(store, 'p', 'm')).toEqual(['a']);
        expect(await known(store, 'p', 'm')).toEqual([['c', [3]]]);
      }));

    it('refuse a model without a name', () =>
      onGround(newGround, async ({ store }) => {
        expect(await refusal(store.vectors.put('p', '', []))).toBe('INVALID_ARGUMENT');
      }));
  });
}
