import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

export function roomsContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  const say = (words: string, id?: string) => () => ({ messages: [{ id, value: { words } }] });

  describe('rooms', () => {
    it('keeps rooms in the order they came, each under its own id', () =>
      onGround(newGround, async ({ store, another }) => {
        for (const id of ['登录', 'two']) await store.rooms.create('p', id, { id });
        expect(await refusal(store.rooms.create('p', 'two', {}))).toBe('ALREADY_EXISTS');
        expect(await refusal(store.rooms.create('p', '', {}))).toBe('INVALID_ARGUMENT');
        await store.rooms.create('q', 'two', {});
        const rooms = await (await another()).rooms.list('p');
        expect(rooms.map(({ value }) => value)).toEqual([{ id: '登录' }, { id: 'two' }]);
        expect((await store.rooms.get('p', 'two')).messages).toBe(0);
        expect(await refusal(store.rooms.get('p', 'nowhere'))).toBe('NOT_FOUND');
        expect(await refusal(store.rooms.get('r', 'two'))).toBe('NOT_FOUND');
      }));

    it('numbers messages from 1 without a gap, whoever adds them', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        for (const id of ['r', 's']) await store.rooms.create('p', id, {});
        await Promise.all(
          Array.from({ length: 20 }, (_, nth) =>
            (nth % 2 === 0 ? store : other).rooms.change('p', 'r', say(`said ${nth}`)),
          ),
        );
        const messages = await store.rooms.messages('p', 'r');
        expect(messages.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
        expect(new Set(messages.map(({ value }) => (value as { words: string }).words)).size).toBe(20);
        expect(await other.rooms.messages('p', 's')).toEqual([]);
        const some = await other.rooms.messages('p', 'r', { after: 17, limit: 2 });
        expect(some.map(({ number }) => number)).toEqual([18, 19]);
        expect((await other.rooms.get('p', 'r')).messages).toBe(20);
      }));

    it('changes a room whole or not at all', () =>
      onGround(newGround, async ({ store }) => {
        await store.rooms.create('p', 'r', { claim: 'none' });
        const { room, added } = await store.rooms.change('p', 'r', ({ value, messages }) => ({
          value: { was: value },
          messages: [{ id: 'a', value: messages }, { value: '雨' }],
        }));
        expect(room.value).toEqual({ was: { claim: 'none' } });
        expect(added.map(({ number, value }) => [number, value])).toEqual([
          [1, 0],
          [2, '雨'],
        ]);
        const twice = store.rooms.change('p', 'r', () => ({
          value: {},
          messages: [{ value: 'new' }, { id: 'a', value: 'again' }],
        }));
        expect(await refusal(twice)).toBe('ALREADY_EXISTS');
        const thrown = store.rooms.change('p', 'r', () => {
          throw Object.assign(new Error('no'), { code: 'REFUSED' });
        });
        expect(await refusal(thrown)).toBe('REFUSED');
        expect(await store.rooms.get('p', 'r')).toEqual(room);
        expect((await store.rooms.messages('p', 'r')).length).toBe(2);
        expect(await refusal(store.rooms.change('p', 'nowhere', say('x')))).toBe('NOT_FOUND');
      }));
  });
}
