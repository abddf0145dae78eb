import { afterEach, describe, expect, it } from 'vitest';
import { hasPostgres, privateServer } from '../../../test/postgres/private-server.js';
import { openRowsAt } from '../place/open-store.js';
import type { Store } from '../store.js';
import type { StoreRows } from '../store-rows.js';
import { compareProject, copyProject } from './copy-project.js';
import { ownedTables } from './read-rows.js';

const opened: StoreRows[] = [];

async function open(path = ':memory:'): Promise<StoreRows> {
  const rows = await openRowsAt({ path, now: () => 1 });
  opened.push(rows);
  return rows;
}

afterEach(async () => {
  for (const { store } of opened.splice(0)) await store.close();
});

const chunk = (ordinal: number) => ({
  ...{ id: `c${ordinal}`, ordinal, start: 0, end: 2, text: `雨停 ${ordinal}`, contentHash: `h${ordinal}` },
  terms: '雨停',
});

/** Every table, with what is easily lost: order, empty texts, signs, fractions, null. */
async function fill(store: Store, project: string): Promise<void> {
  for (const [index, id] of ['z', '林', '😀', 'a'].entries()) {
    await store.documents.put(project, { id, text: `${id}\r\n\t“${project}” \\u0000`, order: index + 0.1 });
    await store.constraints.create(project, { id, kind: 'plot', text: id, priority: -index });
    await store.memory.learn(project, { id, kind: 'working', text: id, confidence: 1 / 3 });
    await store.summaries.add(project, { id, text: id });
    await store.runs.put(project, { id, operation: 'o', status: 'running', metadata: { nul: '\0' } });
    await store.receipts.put(project, { id, operation: 'o', value: { id } });
    await store.drafts.put(project, id, { id });
    await store.rooms.create(project, id, { id });
    await store.rooms.change(project, id, () => ({ messages: [{ value: 1 }, { value: '二' }] }));
    await store.snapshots.keep(project, `${id} kept`);
    await store.snapshots.addStep(project, { id });
    await store.entities.put(project, { id, name: id, description: '' });
  }
  for (let index = 0; index < 450; index += 1) await store.settings.put(project, `k${index}`, `v${index}`);
  const skill = { id: 's', name: 's', description: '', source: '', contextRules: '{}' };
  await store.skills.put({ ...skill, projectId: project });
  await store.skills.put(skill);
  await store.lanes.update(project, 'x', () => ({ project }));
  await store.budgets.update(project, 0, { total: 1 });
  await store.projects.put(project, { folder: 'book', settings: { claim: project } });
  await store.chunks.replaceChunks(project, { documentId: 'z', contentHash: 'h' }, [chunk(0), chunk(1)]);
  await store.vectors.put(project, 'm', [{ contentHash: 'h1', vector: Float32Array.from([1 / 3]) }]);
}

describe.skipIf(!hasPostgres)('a project that moves between engines', () => {
  it('is the same after a journey there and back, and leaves others alone', async () => {
    const source = await open();
    await fill(source.store, 'p');
    const database = await open(await (await privateServer()).newDatabase());
    await fill(database.store, 'other');
    const back = await open();
    const there = await copyProject({ from: source, to: database }, 'p');
    expect(there.tables.filter(({ isEqual, rows }) => !isEqual || rows === 0)).toEqual([]);
    expect(there.tables.length).toBe(ownedTables.length + 1);
    expect((await copyProject({ from: database, to: back }, 'p')).isEqual).toBe(true);
    expect(await compareProject({ from: source, to: back }, 'p')).toEqual(there);
    for (const { store } of [source, database, back]) {
      expect(await store.documents.list('p')).toEqual(await source.store.documents.list('p'));
      expect(await store.vectors.list('p', 'm')).toEqual(await source.store.vectors.list('p', 'm'));
    }
    expect((await copyProject({ from: database, to: back }, '')).isEqual).toBe(true);
    expect((await back.store.skills.get('s')).projectId).toBeUndefined();
    // The index is built anew over what was copied.
    expect(await back.store.chunks.search('p', '雨停', { limit: 9 })).toEqual([]);
    await back.store.chunks.replaceChunks('p', { documentId: 'z', contentHash: 'h' }, [chunk(0), chunk(1)]);
    expect((await back.store.chunks.search('p', '雨停', { limit: 9 })).length).toBe(2);
    expect((await compareProject({ from: source, to: back }, 'p')).isEqual).toBe(true);
    await back.store.settings.put('p', 'k1', 'changed');
    const changed = await compareProject({ from: source, to: back }, 'p');
    expect(changed.tables.filter(({ isEqual }) => !isEqual).map(({ table }) => table)).toEqual(['settings']);
  });

  it('goes on where it was cut off, whichever batch that was', async () => {
    const source = await open();
    await fill(source.store, 'p');
    const url = await (await privateServer()).newDatabase();
    const database = await open(url);
    let writes = 0;
    const cut: StoreRows = {
      ...database,
      write: (project, change) => {
        writes += 1;
        if (writes > 2) throw Object.assign(new Error('cut'), { code: 'CUT' });
        return database.write(project, change);
      },
    };
    const outcomes: unknown[] = [];
    while (outcomes.at(-1) !== true) {
      writes = 0;
      const outcome = await copyProject({ from: source, to: cut }, 'p').then(
        ({ isEqual }) => isEqual,
        (error) => error.code,
      );
      outcomes.push(outcome);
      expect(['CUT', true]).toContain(outcome);
    }
    expect(outcomes.length).toBeGreaterThan(8);
  });

  it('is not copied over another one', async () => {
    const source = await open();
    await fill(source.store, 'p');
    const target = await open();
    await target.store.settings.put('p', 'k', 'mine');
    await expect(copyProject({ from: source, to: target }, 'p')).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
    expect(await target.store.settings.list('p')).toHaveLength(1);
  });
});
