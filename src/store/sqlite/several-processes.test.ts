import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { bestDriver } from './drivers.js';
import { openStore } from './open-store.js';

/** Runs beside the bundled store; its words are the work of one process. */
const child = `
import { openStore } from './open-store.js';
const [task, path, name, count] = process.argv.slice(2);
if (task === 'read-only' && process.geteuid() === 0) process.seteuid(65534);
const store = await openStore({ path, now: Date.now });
const say = (line) => process.stdout.write(line + '\\n');
const tasks = {
  async endless() {
    for (let n = 0; ; n += 1) {
      await store.documents.put('p', { id: 'd' + (n % 7), text: name + ' ' + n });
      await store.settings.put('p', 'k' + n, 'v' + n);
      const chunks = [0, 1, 2].map((ordinal) => (
        { id: 'c' + ordinal, ordinal, start: 0, end: 1, text: 'n' + n, contentHash: 'h' + n, terms: 'word n' + n }
      ));
      await store.chunks.replaceChunks('p', { documentId: 'd', contentHash: 'h' + n }, chunks);
      say(String(n));
    }
  },
  async count() {
    for (let n = 0; n < Number(count); n += 1) {
      await store.lanes.update('p', 'shared', (previous) => (previous ?? 0) + 1);
      await store.constraints.create('p', { kind: 'plot', text: name + n }).catch((error) => say(error.code));
      for (let won = false; !won; ) {
        const { version, value } = await store.budgets.get('p');
        won = await store.budgets.update('p', version, (value ?? 0) + 1).then(() => true, (error) => {
          if (error.code !== 'CONTEXT_BUDGET_CONFLICT') throw error;
          return false;
        });
      }
    }
  },
  async 'read-only'() {
    say(await store.settings.get('p', 'k'));
    say(await store.settings.put('p', 'k', 'x').then(() => 'accepted', (error) => error.code));
    say(await store.settings.get('p', 'k'));
  },
};
await tasks[task]();
await store.close();
`;

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-processes-'));
  const entry = { 'open-store': resolve('src/store/sqlite/open-store.ts') };
  await build({
    entry,
    outDir: folder,
    format: 'esm',
    outExtension: () => ({ js: '.js' }),
    config: false,
    silent: true,
  });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'child.js'), child);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true }));

function start(...words: string[]): {
  process: ChildProcess;
  lines: string[];
  hasSaid(count: number): Promise<void>;
  ended: Promise<unknown>;
} {
  const process_ = spawn(process.execPath, [join(folder, 'child.js'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const said = createInterface({ input: process_.stdout }).on('line', (line) => lines.push(line));
  const hasSaid = async (count: number) => {
    while (lines.length < count) await once(said, 'line');
  };
  return { process: process_, lines, hasSaid, ended: once(process_, 'close').then(([code]) => code) };
}

const integrity = async (path: string): Promise<unknown> => {
  const connection = (await bestDriver()).connect(path);
  const rows = connection.all('pragma integrity_check', []);
  connection.close();
  return rows;
};

describe('several processes on one store', () => {
  it('loses nothing that was acknowledged when a process is killed in the middle of its writes', async () => {
    const path = join(folder, 'killed.db');
    const rounds = sweepSize('kills in the middle of writes', { everyRun: 2, nightly: 200 });
    for (let round = 0; round < rounds; round += 1) {
      const writer = start('endless', path, `round ${round}`);
      await writer.hasSaid(5 + ((round * 37) % 61));
      writer.process.kill('SIGKILL');
      await writer.ended;
      const last = Number(writer.lines.at(-1));
      const store = await openStore({ path, now: () => 1 });
      for (let n = 0; n <= last; n += 1) expect(await store.settings.get('p', `k${n}`)).toBe(`v${n}`);
      // The write after the last acknowledged one may have come through, but only whole.
      const [indexed] = await store.chunks.indexedDocuments('p');
      const reached = Number(indexed?.contentHash.slice(1));
      expect([last, last + 1]).toContain(reached);
      expect((await store.chunks.chunksOf('p', 'd')).map(({ text }) => text)).toEqual(
        Array(3).fill(`n${reached}`),
      );
      expect((await store.chunks.search('p', 'word', { limit: 9 })).map(({ text }) => text)).toEqual(
        Array(3).fill(`n${reached}`),
      );
      expect([`round ${round} ${last}`, `round ${round} ${last + 7}`]).toContain(
        (await store.documents.get('p', `d${last % 7}`)).text,
      );
      await store.close();
      expect(await integrity(path)).toEqual([{ integrity_check: 'ok' }]);
    }
  });

  it('loses no update of several writers, and counts constraints across them [constraints.crud] [budget.versioned]', async () => {
    const path = join(folder, 'counted.db');
    const store = await openStore({ path, now: () => 1 });
    for (let n = 0; n < 450; n += 1) await store.constraints.create('p', { kind: 'plot', text: `${n}` });
    const each = sweepSize('updates by each of three processes', { everyRun: 20, nightly: 400 });
    const writers = ['a', 'b', 'c'].map((name) => start('count', path, name, String(each)));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    expect(await store.lanes.get('p', 'shared')).toBe(3 * each);
    expect(await store.budgets.get('p')).toEqual({ version: 3 * each, value: 3 * each });
    expect(await store.constraints.count('p')).toBe(500);
    const refused = writers.flatMap(({ lines }) => lines);
    expect(refused).toEqual(Array(450 + 3 * each - 500).fill('CONTEXT_LIMIT_EXCEEDED'));
    await store.close();
  });

  it('reads a store whose file and folder it may not write', async () => {
    const place = join(folder, 'sealed');
    await mkdir(place);
    const path = join(place, 'galley.db');
    const store = await openStore({ path, now: () => 1 });
    await store.settings.put('p', 'k', 'v');
    await store.close();
    for (const leftover of ['-wal', '-shm']) await rm(`${path}${leftover}`, { force: true });
    await chmod(folder, 0o755);
    await chmod(path, 0o444);
    await chmod(place, 0o555);
    const reader = start('read-only', path);
    expect(await reader.ended).toBe(0);
    expect(reader.lines).toEqual(['v', 'STORE_UNAVAILABLE', 'v']);
    await chmod(place, 0o755);
  });
});
