import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import type { Grant, OperationContext } from '../../src/operations/operation.js';
import type { Statement } from '../../src/store/postgres/connect.js';
import { openStore } from '../../src/store/postgres/open-store.js';
import type { Store } from '../../src/store/store.js';
import { indexDocument } from '../../src/writing/retrieval/follow-documents.js';
import { hasPostgres, privateServer } from './private-server.js';

const chapter = (number: number) =>
  `第${number}章\n\n${`林远拔剑，雨停了。苏晚不语，第${number}日天色将晚。远处传来钟声。\n\n`.repeat(30)}`;
const live = '林远拔剑，雨停了。苏晚看着远处的钟声。';

describe.skipIf(!hasPostgres)('round trips of one assembly over PostgreSQL', () => {
  let url = '';
  let folder = '';
  let store: Store;
  const trips: (readonly Statement[])[] = [];

  const open = () => openStore({ url, now: () => 1, onRoundTrip: (statements) => trips.push(statements) });

  beforeAll(async () => {
    url = await (await privateServer()).newDatabase();
    folder = await mkdtemp(join(tmpdir(), 'galley-trips-'));
    store = await open();
    for (let number = 1; number <= 12; number += 1) {
      const entry = await store.documents.put('p', { id: `第${number}章`, text: chapter(number) });
      await indexDocument(store, 'p', entry);
    }
    await store.entities.put('p', { name: '林远', description: '剑客' });
    await store.constraints.create('p', { text: '不可杀人', kind: 'plot' });
    await store.close();
    store = await open();
  });

  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  /** How often the database was asked, for reading and for writing. */
  const asked = async (request: object): Promise<{ reads: number; writes: number }> => {
    const context: OperationContext = {
      ...{ folder, debug: false, signal: new AbortController().signal, now: () => 1 },
      grants: new Set<Grant>(['read', 'write', 'run']),
      log: () => undefined,
      store: async () => store,
      model: async () => {
        throw new Error('nobody asks a model');
      },
    };
    trips.length = 0;
    const request_ = { projectId: 'p', documentId: '第12章', skillId: '', ...request };
    const answer = (await call('context:assemble', request_, context)) as {
      warnings: string[];
      prompt: string;
    };
    expect(answer.warnings.filter((warning) => warning.includes('UNAVAILABLE'))).toEqual([]);
    expect(answer.prompt).toContain('林远');
    const reads = trips.filter(([first]) => first?.text.includes('read only')).length;
    return { reads, writes: trips.length - reads };
  };

  it('are at most four for all it reads, whatever is remembered', async () => {
    const typed = (more: string) => ({ text: live + more, cursorPosition: live.length + more.length });
    // Nothing is remembered yet: lists, terms, and two searches.
    expect((await asked(typed(''))).reads).toBeLessThanOrEqual(4);
    // The same again asks only whether something changed.
    expect(await asked(typed(''))).toEqual({ reads: 1, writes: 2 });
    expect((await asked(typed('天色将晚'))).reads).toBeLessThanOrEqual(4);
    await store.settings.put('p', 'outline', '第一幕');
    expect((await asked(typed('天色将晚了'))).reads).toBeLessThanOrEqual(4);
    expect((await asked({ skillId: 'continue', cursorPosition: 100 })).reads).toBeLessThanOrEqual(4);
  });
});
