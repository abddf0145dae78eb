// Promise: a project of 1 GB is copied from SQLite to PostgreSQL and proven equal in less than five minutes, a kill in the middle
// included. The gigabyte is what its rows hold, without any index: documents, snapshots, chunks, vectors, receipts. The copy is
// `galley store copy` of the built program, killed once when half of the rows are there, and begun again.
// Option: --megabytes <n> (1000).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { openRows } from '../src/store/sqlite/open-store.js';
import { seededRandom } from './peers/random.js';
import { report } from './peers/report.js';
import { wordyText } from './peers/wordy-text.js';
import { benchDatabase } from './served/database.js';

const { values: options } = parseArgs({ options: { megabytes: { type: 'string', default: '1000' } } });
const bytes = Number(options.megabytes) * 1e6;
const project = 'library';

interface Bulk {
  readonly table: string;
  readonly share: number;
  readonly atOnce: number;
  row(nth: number): Record<string, string | number | null>;
}

function bulks(): readonly Bulk[] {
  const text = wordyText(seededRandom(4));
  const pool = text(2_000_000);
  const piece = (nth: number, length: number) => {
    const at = (nth * 7919) % (pool.length - length);
    return pool.slice(at, at + length);
  };
  const hash = (nth: number) => nth.toString(16).padStart(64, '0');
  const at = 1_794_960_000_000;
  const document = (nth: number) => ({ title: `第${nth}章`, position: nth, version: 1, updated_at: at });
  const place = (nth: number) => ({ document: `c${nth % 9000}`, ordinal: nth, first: nth, past: nth + 1 });
  const json = (nth: number) => JSON.stringify({ fragments: piece(nth, 6000) });
  return [
    {
      ...{ table: 'documents', share: 0.3, atOnce: 50 },
      row: (nth) => ({ id: `c${nth}`, ...document(nth), text: piece(nth, 12_000), content_hash: hash(nth) }),
    },
    {
      ...{ table: 'snapshots', share: 0.25, atOnce: 50 },
      row: (nth) => ({ content_hash: hash(nth), text: piece(nth + 3, 12_000) }),
    },
    {
      ...{ table: 'chunks', share: 0.3, atOnce: 1000 },
      row: (nth) => ({ id: `k${nth}`, ...place(nth), text: piece(nth, 400), content_hash: hash(nth) }),
    },
    {
      ...{ table: 'vectors', share: 0.1, atOnce: 500 },
      row: (nth) => ({ model: 'm', content_hash: hash(nth), vector: hash(nth).repeat(64) }),
    },
    {
      ...{ table: 'receipts', share: 0.05, atOnce: 100 },
      row: (nth) => ({
        ...{ id: `r${nth}`, operation: 'context:assemble', created_at: at },
        ...{ summary: '{}', value: json(nth) },
      }),
    },
  ];
}

/** How many rows it has. */
async function fill(path: string): Promise<number> {
  const { store, write } = await openRows({ path, now: () => 0 });
  await store.settings.put(project, 'outline', '第一幕');
  let rows = 0;
  for (const { table, share, atOnce, row } of bulks()) {
    let [written, nth] = [0, 0];
    while (written < bytes * share) {
      const batch = Array.from({ length: atOnce }, () => ({ project, ...row(nth++) }));
      for (const each of batch)
        for (const value of Object.values(each)) written += Buffer.byteLength(String(value));
      await write(project, (db) =>
        (db as unknown as Kysely<Record<string, object>>).insertInto(table).values(batch).execute(),
      );
    }
    rows += nth;
  }
  await store.close();
  return rows;
}

interface Copied {
  readonly seconds: number;
  readonly out: string;
  readonly code: number | null;
  readonly rows: number;
}

/** Killed when it says that so many rows are there. */
async function copy(from: string, to: string, killAt = Number.POSITIVE_INFINITY): Promise<Copied> {
  const words = ['store', 'copy', '--from', from, '--project', project, '--to', to, '--json'];
  const begun = performance.now();
  const child = spawn(process.execPath, [join('bin', 'galley.js'), ...words], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  const tables = new Map<string, number>();
  let [out, rows] = ['', 0];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    for (const [, table = '', count] of chunk.toString('utf8').matchAll(/: (\w+), (\d+) rows\n/g))
      tables.set(table, Number(count));
    rows = [...tables.values()].reduce((sum, count) => sum + count, 0);
    if (rows > killAt) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { seconds: (performance.now() - begun) / 1000, out, code, rows };
}

const database = await benchDatabase('store-copy');
if (database !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'galley-copy-'));
  try {
    const path = join(folder, 'galley.db');
    const rows = await fill(path);
    const megabytes = statSync(path).size / 1e6;
    const to = await database.newDatabase();
    const first = await copy(path, to, rows / 2);
    const second = await copy(path, to);
    const whole = first.seconds + second.seconds;
    const isEqual = second.code === 0 && (JSON.parse(second.out) as { isEqual: boolean }).isEqual;
    report('store-copy', [
      {
        promise: `${options.megabytes} MB of rows (${rows} rows, file of ${megabytes.toFixed(0)} MB) copied, killed in the middle, gone on, proven equal`,
        bar: '< 300 s, equal',
        measured: `${whole.toFixed(0)} s (${first.seconds.toFixed(0)} to the kill at ${first.rows} rows, ${second.seconds.toFixed(0)} from there to the proof); ${isEqual ? 'equal' : `not equal, exit ${second.code}`}`,
        reached: whole < 300 && isEqual && first.code === null,
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(0);
