import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

export function recordsContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('runs and summaries', () => {
    it('records a run, ends it, and lists the newest first [skill.run]', () =>
      onGround(newGround, async ({ store }) => {
        const { id } = await store.runs.put('p', {
          operation: 'ai:skill:run',
          status: 'running',
          skillId: 'polish',
        });
        const metadata = { hashes: ['a'], tokens: 12 };
        await store.runs.put('p', { id, operation: 'ai:skill:run', status: 'timeout', endedAt: 9, metadata });
        expect(await store.runs.get('p', id)).toEqual({
          id,
          operation: 'ai:skill:run',
          status: 'timeout',
          startedAt: 1001,
          endedAt: 9,
          metadata,
        });
        await store.runs.put('p', { operation: 'ai:skill:run', status: 'succeeded', documentId: 'd' });
        expect((await store.runs.list('p')).map((run) => run.status)).toEqual(['succeeded', 'timeout']);
        expect((await store.runs.list('p', { limit: 5, documentId: 'd' })).length).toBe(1);
      }));

    it('keeps summaries apart from runs, newest first', () =>
      onGround(newGround, async ({ store }) => {
        expect(await store.summaries.recent('p', 2)).toEqual([]);
        for (const text of ['一', '二', '三']) await store.summaries.add('p', { text, documentId: text });
        expect((await store.summaries.recent('p', 2)).map(({ text }) => text)).toEqual(['三', '二']);
        expect((await store.summaries.recent('p', 2, '一')).map(({ text }) => text)).toEqual(['一']);
        expect(await store.runs.list('p')).toEqual([]);
        expect((await store.summaries.recent('p', 9)).length).toBe(3);
        await store.summaries.delete('p', 'id-3');
        expect((await store.summaries.recent('p', 9)).length).toBe(2);
        expect(await refusal(store.summaries.add('p', { id: 'id-1', text: 'x' }))).toBe('ALREADY_EXISTS');
        expect(await refusal(store.summaries.recent('p', -1))).toBe('INVALID_ARGUMENT');
      }));
  });

  describe('skills', () => {
    const skill = { name: '润色', description: 'd', source: '---\n---', contextRules: '{"surrounding":500}' };

    it("keeps the canonical rules with the skill and prefers the project's own [skill.store]", () =>
      onGround(newGround, async ({ store }) => {
        await store.skills.put({ ...skill, id: 'polish' });
        await store.skills.put({ ...skill, id: 'a' });
        await store.skills.put({ ...skill, id: 'polish', name: 'mine', projectId: 'p' });
        expect(await store.skills.get('polish')).toEqual({ ...skill, id: 'polish', updatedAt: 1001 });
        expect((await store.skills.get('polish', 'p')).name).toBe('mine');
        expect((await store.skills.get('polish', 'q')).name).toBe('润色');
        expect((await store.skills.list('p')).map(({ name }) => name)).toEqual(['润色', 'mine']);
        expect((await store.skills.list()).map(({ id }) => id)).toEqual(['a', 'polish']);
        await store.skills.delete('polish', 'p');
        expect((await store.skills.get('polish', 'p')).name).toBe('润色');
        expect(await refusal(store.skills.delete('polish', 'p'))).toBe('NOT_FOUND');
        expect(await store.skills.find('none', 'p')).toBeUndefined();
      }));
  });

  describe('budgets', () => {
    it('starts at version 0 and refuses a stale version without a change [budget.versioned]', () =>
      onGround(newGround, async ({ store }) => {
        expect(await store.budgets.get('p')).toEqual({ version: 0, value: undefined });
        expect(await store.budgets.update('p', 0, { window: 8000 })).toEqual({
          version: 1,
          value: { window: 8000 },
        });
        for (const stale of [0, 2]) {
          expect(await refusal(store.budgets.update('p', stale, { window: 1 }))).toBe(
            'CONTEXT_BUDGET_CONFLICT',
          );
        }
        expect(await store.budgets.get('p')).toEqual({ version: 1, value: { window: 8000 } });
        expect(await refusal(store.budgets.update('p', 1, undefined))).toBe('INVALID_ARGUMENT');
      }));
  });

  describe('lanes', () => {
    it('reads and writes a lane as one step', () =>
      onGround(newGround, async ({ store }) => {
        expect(await store.lanes.get('p', 'skill|model')).toBeUndefined();
        const seen: unknown[] = [];
        for (const hash of ['a', 'b']) {
          await store.lanes.update('p', 'skill|model', (previous) => {
            seen.push(previous);
            return { hash };
          });
        }
        expect(seen).toEqual([undefined, { hash: 'a' }]);
        expect(await store.lanes.get('p', 'skill|model')).toEqual({ hash: 'b' });
        await store.lanes.delete('p', 'skill|model');
        expect(await refusal(store.lanes.delete('p', 'skill|model'))).toBe('NOT_FOUND');
      }));

    it('changes nothing when the change throws, and goes on afterwards', () =>
      onGround(newGround, async ({ store }) => {
        await store.lanes.update('p', 'l', () => 1);
        const failing = store.lanes.update('p', 'l', () => {
          throw new RangeError('no');
        });
        expect(await refusal(failing)).toMatchObject({ name: 'RangeError' });
        expect(await store.lanes.update('p', 'l', (previous) => previous)).toBe(1);
      }));
  });

  describe('receipts', () => {
    it('lists the newest first and keeps only the newest', () =>
      onGround(
        newGround,
        async ({ store }) => {
          await store.receipts.put('q', { id: 'other', operation: 'o', value: 1 });
          for (let n = 1; n <= 5; n += 1) {
            await store.receipts.put('p', {
              id: `r${n}`,
              operation: n % 2 ? 'odd' : 'even',
              summary: { n },
              value: { n },
            });
          }
          expect((await store.receipts.list('p')).map(({ id }) => id)).toEqual(['r5', 'r4', 'r3']);
          expect((await store.receipts.list('p', { limit: 1 })).map(({ id }) => id)).toEqual(['r5']);
          expect((await store.receipts.list('p', { operation: 'even' })).map(({ id }) => id)).toEqual(['r4']);
          expect(await store.receipts.get('p', 'r3')).toEqual({
            id: 'r3',
            project: 'p',
            operation: 'odd',
            createdAt: 1004,
            summary: { n: 3 },
            value: { n: 3 },
          });
          expect(await refusal(store.receipts.get('p', 'r2'))).toBe('NOT_FOUND');
          expect(await refusal(store.receipts.put('p', { id: 'r5', operation: 'o', value: 1 }))).toBe(
            'ALREADY_EXISTS',
          );
          expect((await store.receipts.list('q')).length).toBe(1);
        },
        { receiptsKept: 3 },
      ));
  });
}
