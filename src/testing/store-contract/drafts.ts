import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

export function draftsContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('drafts and snapshots', () => {
    it('keeps drafts in the order they came, whichever was changed last', () =>
      onGround(newGround, async ({ store, another }) => {
        for (const id of ['one', 'two']) await store.drafts.put('p', id, { id, text: '雨停了。' });
        await store.drafts.put('p', 'one', { id: 'one', text: 'changed' });
        expect(await (await another()).drafts.list('p')).toEqual([
          { id: 'one', text: 'changed' },
          { id: 'two', text: '雨停了。' },
        ]);
        expect(await store.drafts.list('q')).toEqual([]);
        expect(await refusal(store.drafts.put('p', '', 1))).toBe('INVALID_ARGUMENT');
      }));

    it('keeps a text once under its hash, and what happened in order', () =>
      onGround(newGround, async ({ store, another }) => {
        const hash = await store.snapshots.keep('p', '雨停了。\r\n');
        expect(await store.snapshots.keep('p', '雨停了。\r\n')).toBe(hash);
        expect(hash.length).toBe(64);
        expect(await (await another()).snapshots.get('p', hash)).toBe('雨停了。\r\n');
        expect(await refusal(store.snapshots.get('q', hash))).toBe('NOT_FOUND');
        for (const step of [{ n: 1 }, { n: 2 }]) await store.snapshots.addStep('p', step);
        expect(await store.snapshots.steps('p')).toEqual([{ n: 1 }, { n: 2 }]);
        expect(await store.snapshots.steps('q')).toEqual([]);
      }));

    it('replaces a document only where it is what it was', () =>
      onGround(newGround, async ({ store, another }) => {
        const { contentHash } = await store.documents.put('p', { id: 'd', text: 'one' });
        await (await another()).documents.put('p', { id: 'd', text: 'two', replaces: contentHash });
        const late = store.documents.put('p', { id: 'd', text: 'three', replaces: contentHash });
        expect(await refusal(late)).toBe('CHANGED_MEANWHILE');
        expect((await store.documents.get('p', 'd')).text).toBe('two');
        const nowhere = store.documents.put('p', { id: 'new', text: 'x', replaces: contentHash });
        expect(await refusal(nowhere)).toBe('CHANGED_MEANWHILE');
      }));
  });
}
