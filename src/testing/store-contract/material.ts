import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

export function materialContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('entities', () => {
    it('keeps everything known about an entity', () =>
      onGround(newGround, async ({ store }) => {
        const draft = {
          name: '林远',
          aliases: ['阿远', 'Lin'],
          kind: 'character',
          description: '冷静',
          inclusion: 'detected' as const,
          neverTrimmed: true,
          facts: [{ text: '受伤', from: 3, until: 5 }, { text: '左撇子' }],
          secrets: [{ text: '真凶', hiddenUntil: 9 }],
          relations: [{ to: '苏晚', label: '师妹' }],
        };
        const entity = await store.entities.put('p', draft);
        expect(entity).toEqual({ ...draft, id: 'id-1', version: 1, updatedAt: 1001 });
        expect(await store.entities.get('p', 'id-1')).toEqual(entity);
        expect(await store.entities.findByName('p', '林远')).toEqual(entity);
      }));

    it('replaces the entity of the same name and fills in defaults', () =>
      onGround(newGround, async ({ store }) => {
        await store.entities.put('p', { name: 'A', description: 'old', aliases: ['x'], inclusion: 'never' });
        const again = await store.entities.put('p', { name: 'A', description: 'new' });
        expect(again).toMatchObject({
          id: 'id-1',
          aliases: [],
          inclusion: 'always',
          neverTrimmed: false,
          version: 2,
        });
        expect((await store.entities.list('p')).length).toBe(1);
      }));

    it('renames by id and refuses a name that is taken', () =>
      onGround(newGround, async ({ store }) => {
        await store.entities.put('p', { id: 'a', name: 'A', description: '' });
        await store.entities.put('p', { id: 'b', name: 'B', description: '' });
        expect(await refusal(store.entities.put('p', { id: 'b', name: 'A', description: '' }))).toBe(
          'ALREADY_EXISTS',
        );
        await store.entities.put('p', { id: 'b', name: 'C', description: '' });
        expect((await store.entities.list('p')).map(({ name }) => name)).toEqual(['A', 'C']);
        expect(await store.entities.findByName('p', 'B')).toBeUndefined();
        await store.entities.delete('p', 'b');
        expect(await refusal(store.entities.get('p', 'b'))).toBe('NOT_FOUND');
      }));
  });

  describe('memory', () => {
    it('confirms what a caller puts and lets what was learned wait', () =>
      onGround(newGround, async ({ store }) => {
        const put = await store.memory.put('p', { kind: 'semantic', text: '动作场景偏好短句' });
        expect(put).toMatchObject({ confirmed: true, origin: 'caller', confidence: 1, createdAt: 1001 });
        const learned = await store.memory.learn('p', {
          kind: 'semantic',
          text: '少用感叹号',
          confidence: 0.7,
        });
        expect(learned).toMatchObject({ confirmed: false, origin: 'learned', confidence: 0.7 });
        expect(await store.memory.list('p', { confirmed: true })).toEqual([put]);
        await store.memory.confirm('p', learned.id);
        expect(await store.memory.list('p', { confirmed: true })).toEqual([
          put,
          { ...learned, confirmed: true },
        ]);
        expect(await store.memory.list('p', { origin: 'learned', kind: 'episodic' })).toEqual([]);
      }));

    it('replaces by id, but learning never overwrites', () =>
      onGround(newGround, async ({ store }) => {
        const first = await store.memory.put('p', { id: 'm', kind: 'working', text: 'a' });
        expect(await refusal(store.memory.learn('p', { id: 'm', kind: 'working', text: 'b' }))).toBe(
          'ALREADY_EXISTS',
        );
        const second = await store.memory.put('p', {
          id: 'm',
          kind: 'episodic',
          text: 'b',
          confidence: 0.25,
        });
        expect(second).toEqual({ ...first, kind: 'episodic', text: 'b', confidence: 0.25 });
        expect(await refusal(store.memory.put('p', { kind: 'working', text: 'x', confidence: 1.1 }))).toBe(
          'INVALID_ARGUMENT',
        );
        await store.memory.delete('p', 'm');
        expect(await refusal(store.memory.confirm('p', 'm'))).toBe('NOT_FOUND');
      }));
  });

  describe('settings and projects', () => {
    it('keeps named texts, sorted by code point', () =>
      onGround(newGround, async ({ store }) => {
        await store.settings.put('p', 'style-guide', 'a');
        await store.settings.put('p', 'Outline', 'b');
        await store.settings.put('p', 'style-guide', 'c');
        expect(await store.settings.get('p', 'style-guide')).toBe('c');
        expect(await store.settings.get('p', 'none')).toBeUndefined();
        expect((await store.settings.list('p')).map(({ key }) => key)).toEqual(['Outline', 'style-guide']);
        await store.settings.delete('p', 'Outline');
        expect(await refusal(store.settings.delete('p', 'Outline'))).toBe('NOT_FOUND');
      }));

    it('brings a project into being with its first write and changes only what is told', () =>
      onGround(newGround, async ({ store }) => {
        expect(await store.projects.get('p')).toEqual({ id: 'p', settings: {} });
        await store.settings.put('p', 'k', 'v');
        expect(await store.projects.list()).toEqual([{ id: 'p', settings: {} }]);
        await store.projects.put('p', { folder: 'books/one', settings: { person: 'first' } });
        expect(await store.projects.put('p', {})).toEqual({
          id: 'p',
          folder: 'books/one',
          settings: { person: 'first' },
        });
      }));

    it('refuses an absolute folder of any system [skill.refs]', () =>
      onGround(newGround, async ({ store }) => {
        for (const folder of ['/home/me', 'C:\\book', '\\\\server\\book']) {
          expect(await refusal(store.projects.put('p', { folder }))).toBe('INVALID_ARGUMENT');
        }
      }));
  });
}
