import type { Store } from '../../store/store.js';
import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

async function fill(store: Store, project: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await store.constraints.create(project, { kind: 'style', text: `rule ${index}` });
  }
}

export function constraintsContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('constraints', () => {
    it('creates, changes, counts and deletes [constraints.crud]', () =>
      onGround(newGround, async ({ store }) => {
        const { constraints } = store;
        const created = await constraints.create('p', { kind: 'plot', text: '主角在第五章之前不知道真相' });
        expect(created).toEqual({
          id: 'id-1',
          kind: 'plot',
          origin: 'user',
          priority: 0,
          pinned: false,
          text: '主角在第五章之前不知道真相',
          version: 1,
        });
        const changed = await constraints.update('p', 'id-1', {
          pinned: true,
          priority: -2,
          origin: 'knowledge',
        });
        expect(changed).toEqual({ ...created, pinned: true, priority: -2, origin: 'knowledge', version: 2 });
        expect(await constraints.get('p', 'id-1')).toEqual(changed);
        expect(await constraints.count('p')).toBe(1);
        await constraints.delete('p', 'id-1');
        expect(await constraints.count('p')).toBe(0);
        expect(await refusal(constraints.delete('p', 'id-1'))).toBe('NOT_FOUND');
        expect(await refusal(constraints.update('p', 'id-1', { text: 'x' }))).toBe('NOT_FOUND');
      }));

    it('lists by priority from high to low, then in order of creation', () =>
      onGround(newGround, async ({ store }) => {
        for (const [id, priority] of [
          ['z', 1],
          ['a', 1],
          ['m', 10],
          ['k', -1],
        ] as const) {
          await store.constraints.create('p', { id, priority, kind: 'world', text: id });
        }
        await store.constraints.update('p', 'z', { text: 'changed' });
        expect((await store.constraints.list('p')).map(({ id }) => id)).toEqual(['m', 'z', 'a', 'k']);
      }));

    it('refuses a taken id, an empty text and a broken priority', () =>
      onGround(newGround, async ({ store }) => {
        await store.constraints.create('p', { id: 'one', kind: 'style', text: 'x' });
        const create = (draft: { id?: string; text: string; priority?: number }) =>
          refusal(store.constraints.create('p', { kind: 'style', ...draft }));
        expect(await create({ id: 'one', text: 'y' })).toBe('ALREADY_EXISTS');
        expect(await create({ text: '' })).toBe('INVALID_ARGUMENT');
        expect(await create({ text: 'y', priority: 1.5 })).toBe('INVALID_ARGUMENT');
        expect(await store.constraints.count('p')).toBe(1);
      }));

    it('refuses the 501st and leaves the other projects alone [constraints.crud]', () =>
      onGround(newGround, async ({ store }) => {
        await fill(store, 'p', 500);
        expect(await refusal(store.constraints.create('p', { kind: 'style', text: 'one more' }))).toBe(
          'CONTEXT_LIMIT_EXCEEDED',
        );
        expect(await store.constraints.count('p')).toBe(500);
        await fill(store, 'q', 1);
        await store.constraints.delete('p', 'id-1');
        await fill(store, 'p', 1);
        expect(await store.constraints.count('p')).toBe(500);
      }));

    it('refuses the 501st under two handles at once [constraints.crud]', () =>
      onGround(newGround, async ({ store, another }) => {
        await fill(store, 'p', 496);
        const handles = [store, await another()];
        const calls = Array.from({ length: 12 }, (_, index) =>
          refusal(handles[index % 2]!.constraints.create('p', { kind: 'plot', text: `late ${index}` })),
        );
        const answers = await Promise.all(calls);
        expect(answers.filter((answer) => answer === 'accepted').length).toBe(4);
        expect(answers.filter((answer) => answer === 'CONTEXT_LIMIT_EXCEEDED').length).toBe(8);
        expect(await store.constraints.count('p')).toBe(500);
      }));
  });
}
