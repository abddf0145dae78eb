import type { Store } from '../../store/store.js';
import { onGround, refusal, type StoreGround, type TestTools } from './ground.js';

const foreignCalls: Readonly<Record<string, (store: Store, project: string) => Promise<unknown>>> = {
  'documents.get': (store, project) => store.documents.get(project, 'x'),
  'documents.delete': (store, project) => store.documents.delete(project, 'x'),
  'constraints.get': (store, project) => store.constraints.get(project, 'x'),
  'constraints.update': (store, project) => store.constraints.update(project, 'x', { text: 'y' }),
  'constraints.delete': (store, project) => store.constraints.delete(project, 'x'),
  'entities.get': (store, project) => store.entities.get(project, 'x'),
  'entities.delete': (store, project) => store.entities.delete(project, 'x'),
  'memory.get': (store, project) => store.memory.get(project, 'x'),
  'memory.confirm': (store, project) => store.memory.confirm(project, 'x'),
  'memory.delete': (store, project) => store.memory.delete(project, 'x'),
  'runs.get': (store, project) => store.runs.get(project, 'x'),
  'summaries.delete': (store, project) => store.summaries.delete(project, 'x'),
  'receipts.get': (store, project) => store.receipts.get(project, 'x'),
  'skills.get': (store, project) => store.skills.get('x', project),
  'skills.delete': (store, project) => store.skills.delete('x', project),
  'settings.delete': (store, project) => store.settings.delete(project, 'x'),
  'lanes.delete': (store, project) => store.lanes.delete(project, 'x'),
  'jobs.get': async (store, project) => store.jobs.get(project, await jobOf(store, 'theirs')),
  'jobs.cancel': async (store, project) => store.jobs.cancel(project, await jobOf(store, 'theirs')),
  'jobs.repeat': async (store, project) => store.jobs.repeat(project, await jobOf(store, 'theirs')),
};

const jobOf = async (store: Store, project: string) => (await store.jobs.list(project))[0]?.id ?? 'none';

async function fill(store: Store, project: string): Promise<void> {
  await store.documents.put(project, { id: 'x', text: project });
  await store.constraints.create(project, { id: 'x', kind: 'plot', text: project });
  await store.entities.put(project, { id: 'x', name: 'x', description: project });
  await store.memory.learn(project, { id: 'x', kind: 'working', text: project });
  await store.runs.put(project, { id: 'x', operation: 'o', status: 'running' });
  await store.summaries.add(project, { id: 'x', text: project });
  await store.receipts.put(project, { id: 'x', operation: 'o', value: project });
  await store.skills.put({
    id: 'x',
    name: project,
    description: '',
    source: '',
    contextRules: '{}',
    projectId: project,
  });
  await store.settings.put(project, 'x', project);
  await store.lanes.update(project, 'x', () => project);
  await store.budgets.update(project, 0, project);
  const { id } = await store.jobs.add(project, {
    operation: 'o',
    request: project,
    owner: project,
    key: 'x',
  });
  await store.jobAnswers.put(project, id, { digest: 'x', nth: 1 }, project);
  const chunk = { id: 'x', ordinal: 0, start: 0, end: 1, text: project, contentHash: 'h', terms: 'word' };
  await store.chunks.replaceChunks(project, { documentId: 'x', contentHash: 'h' }, [chunk]);
}

async function everything(store: Store, project: string): Promise<unknown> {
  return Promise.all([
    store.documents.list(project),
    store.documents.find(project, 'x'),
    store.constraints.list(project),
    store.entities.list(project),
    store.memory.list(project),
    store.runs.list(project),
    store.summaries.recent(project, 9),
    store.receipts.list(project),
    store.skills.list(project),
    store.settings.list(project),
    store.lanes.get(project, 'x'),
    store.budgets.get(project),
    store.jobs.list(project),
    store.jobs.get(project, await jobOf(store, project)).catch(({ code }) => code),
    store.jobAnswers.get(project, await jobOf(store, project), { digest: 'x', nth: 1 }),
    store.chunks.search(project, 'word', { limit: 9 }),
    store.chunks.indexedDocuments(project),
    store.chunks.chunksOf(project, 'x'),
    store.chunks.holding(project, ['h']),
    store.vectors.missing(project, 'm', 9),
    store.vectors.list(project, 'm'),
  ]);
}

export function sharingContract(
  { describe, it, expect }: TestTools,
  newGround: () => Promise<StoreGround>,
): void {
  describe('projects beside each other', () => {
    it('never answers with a word of another project [scope.isolate]', () =>
      onGround(newGround, async ({ store }) => {
        await fill(store, 'mine');
        const alone = await everything(store, 'empty');
        for (const foreign of ['theirs', 'mine2', 'MINE']) {
          await fill(store, foreign);
          expect(JSON.stringify(await everything(store, 'mine')).includes(foreign)).toBe(false);
        }
        expect(await everything(store, 'empty')).toEqual(alone);
      }));

    it('answers NOT_FOUND to every foreign id and leaves it as it was [scope.isolate]', () =>
      onGround(newGround, async ({ store }) => {
        await fill(store, 'theirs');
        const before = await everything(store, 'theirs');
        for (const [name, call] of Object.entries(foreignCalls)) {
          expect([name, await refusal(call(store, 'mine'))]).toEqual([name, 'NOT_FOUND']);
        }
        expect(await everything(store, 'theirs')).toEqual(before);
      }));
  });

  describe('handles beside each other', () => {
    it('lets one of many budget updates with the same version win [budget.versioned]', () =>
      onGround(newGround, async ({ store, another }) => {
        const handles = [store, await another(), await another()];
        for (let version = 0; version < 5; version += 1) {
          const answers = await Promise.all(
            handles.map((handle, index) => refusal(handle.budgets.update('p', version, { version, index }))),
          );
          expect(answers.toSorted()).toEqual([
            'CONTEXT_BUDGET_CONFLICT',
            'CONTEXT_BUDGET_CONFLICT',
            'accepted',
          ]);
        }
        expect((await store.budgets.get('p')).version).toBe(5);
      }));

    it('keeps projects apart although the first write of one failed [scope.isolate]', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        const document = { documentId: 'x', contentHash: 'h' };
        const chunk = { id: 'x', ordinal: 0, start: 0, end: 1, text: 't', contentHash: 'h', terms: 'mine' };
        const broken = { ...chunk, terms: undefined as unknown as string };
        expect((await refusal(store.chunks.replaceChunks('mine', document, [broken]))) === 'accepted').toBe(
          false,
        );
        await other.chunks.replaceChunks('theirs', document, [{ ...chunk, terms: 'theirs' }]);
        await store.chunks.replaceChunks('mine', document, [chunk]);
        for (const handle of [store, other]) {
          const { frequencies } = await handle.chunks.statistics('mine', 'mine theirs');
          expect([...frequencies.values()]).toEqual([1, 0]);
          expect((await handle.chunks.search('mine', 'mine', { limit: 9 })).length).toBe(1);
        }
        await store.settings.put('mine', 'k', 'v');
        expect(await other.settings.get('mine', 'k')).toBe('v');
      }));

    it('loses no step of a lane', () =>
      onGround(newGround, async ({ store, another }) => {
        const handles = [store, await another()];
        const step = (previous: unknown) => (typeof previous === 'number' ? previous : 0) + 1;
        await Promise.all(
          Array.from({ length: 40 }, (_, index) => handles[index % 2]!.lanes.update('p', 'l', step)),
        );
        expect(await store.lanes.get('p', 'l')).toBe(40);
      }));

    it('shows one handle what the other has written', () =>
      onGround(newGround, async ({ store, another }) => {
        const other = await another();
        await fill(store, 'p');
        expect(await everything(other, 'p')).toEqual(await everything(store, 'p'));
      }));

    it('refuses every call after close, and closes twice', () =>
      onGround(newGround, async ({ another }) => {
        const store = await another();
        const written = store.settings.put('p', 'k', 'written before close');
        const read = Promise.all(Array.from({ length: 5 }, () => store.projects.get('p')));
        await store.close();
        await store.close();
        await written;
        expect((await read).length).toBe(5);
        expect(await refusal(store.settings.get('p', 'k'))).toBe('STORE_UNAVAILABLE');
        expect(await refusal(store.settings.put('p', 'k', 'x'))).toBe('STORE_UNAVAILABLE');
        expect(await (await another()).settings.get('p', 'k')).toBe('written before close');
      }));
  });
}
