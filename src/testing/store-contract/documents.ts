import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

export function documentsContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('documents', () => {
    it('gives back what was put, with a hash and a version', () =>
      onGround(newGround, async ({ store }) => {
        const text = '第一章\n林远醒来。👩‍🚀 e\u0301';
        const entry = await store.documents.put('p', { id: 'one', title: '一', order: 3, text });
        expect(entry).toMatchObject({ id: 'one', title: '一', order: 3, version: 1, updatedAt: 1001 });
        expect(entry.contentHash.length).toBe(64);
        expect(await store.documents.get('p', 'one')).toEqual({ ...entry, text });
      }));

    it('keeps title and order when only the text is put again', () =>
      onGround(newGround, async ({ store }) => {
        await store.documents.put('p', { id: 'one', title: '一', order: 3, text: 'a' });
        const entry = await store.documents.put('p', { id: 'one', text: 'b' });
        expect(entry).toMatchObject({ title: '一', order: 3, version: 2 });
        expect((await store.documents.get('p', 'one')).text).toBe('b');
      }));

    it('moves the version only when something changed', () =>
      onGround(newGround, async ({ store }) => {
        const first = await store.documents.put('p', { id: 'one', text: 'a' });
        expect(await store.documents.put('p', { id: 'one', text: 'a' })).toEqual(first);
      }));

    it('stands a new document behind the last one', () =>
      onGround(newGround, async ({ store }) => {
        await store.documents.put('p', { id: 'z', text: 'a', order: 7 });
        expect((await store.documents.put('p', { id: 'a', text: 'a' })).order).toBe(8);
        expect((await store.documents.put('q', { id: 'a', text: 'a' })).order).toBe(1);
      }));

    it('lists by order, then by code point of the id, without text', () =>
      onGround(newGround, async ({ store }) => {
        for (const id of ['b', '\u{1f600}', '\uff5e', 'B'])
          await store.documents.put('p', { id, order: 1, text: 'x' });
        await store.documents.put('p', { id: 'first', order: 0.5, text: 'x' });
        const list = await store.documents.list('p');
        expect(list.map(({ id }) => id)).toEqual(['first', 'B', 'b', '\uff5e', '\u{1f600}']);
        expect(list.some((entry) => 'text' in entry)).toBe(false);
      }));

    it('knows an unknown project as an empty one [layers.empty]', () =>
      onGround(newGround, async ({ store }) => {
        expect(await store.documents.list('nowhere')).toEqual([]);
        expect(await store.documents.find('nowhere', 'one')).toBeUndefined();
        expect(await store.projects.list()).toEqual([]);
      }));

    it('refuses text that no engine keeps faithfully, by field name', () =>
      onGround(newGround, async ({ store }) => {
        expect(await refusal(store.documents.put('p', { id: 'one', text: 'a\0b' }))).toBe('INVALID_ARGUMENT');
        expect(await refusal(store.documents.put('p', { id: 'one', text: 'a\ud83d' }))).toBe(
          'INVALID_ARGUMENT',
        );
        expect(await refusal(store.documents.put('p', { id: '', text: 'a' }))).toBe('INVALID_ARGUMENT');
        expect(await refusal(store.documents.put('', { id: 'one', text: 'a' }))).toBe('INVALID_ARGUMENT');
        expect(await store.documents.list('p')).toEqual([]);
      }));

    it('deletes a document together with its chunks', () =>
      onGround(newGround, async ({ store }) => {
        await store.documents.put('p', { id: 'one', text: 'ab' });
        const chunk = { id: 'c', ordinal: 0, start: 0, end: 2, text: 'ab', contentHash: 'h', terms: 'ab' };
        await store.chunks.replaceChunks('p', { documentId: 'one', contentHash: 'h' }, [chunk]);
        await store.documents.delete('p', 'one');
        expect(await refusal(store.documents.get('p', 'one'))).toBe('NOT_FOUND');
        expect(await refusal(store.documents.delete('p', 'one'))).toBe('NOT_FOUND');
        expect(await store.chunks.search('p', 'ab', { limit: 5 })).toEqual([]);
        expect(await store.chunks.indexedDocuments('p')).toEqual([]);
      }));
  });
}
