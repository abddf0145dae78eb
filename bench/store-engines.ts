// Promise: one server on PostgreSQL assembles at least 0.8 times as many contexts a second as one on a SQLite file. Both serve the
// same novel, asked in blocks by turns, eight calls at once. A third server has a database that does not wait for the disk at each
// commit, as SQLite in its usual mode does not. On a machine that others use, too, the processor time a call takes says more than
// the clock: of the server, which is what one server can do, and of the database beside it. Options: --blocks <n> (6), --calls <n> (150 in a block).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quantile, report } from './peers/report.js';
import { benchDatabase } from './served/database.js';
import { assemblyOf, chapters, fillNovel } from './served/novel.js';
import { processorSeconds } from './served/processor-time.js';
import { hangUp, post, type Served, serve } from './served/served.js';

const { values: options } = parseArgs({
  options: { blocks: { type: 'string', default: '6' }, calls: { type: 'string', default: '150' } },
});
const calls = Number(options.calls);
const atOnce = 8;
const projectId = '回声站';

interface Engine {
  readonly name: string;
  readonly server: Served;
  readonly perSecond: number[];
  readonly latencies: number[];
  /** Seconds of the processor, of the server and of the database. */
  readonly spent: { server: number; database: number };
}

async function start(name: string, folder: string, store: string): Promise<Engine> {
  const server = await serve(folder, ['--store', store]);
  await fillNovel(server.address, { projectId });
  const engine = { name, server, perSecond: [], latencies: [], spent: { server: 0, database: 0 } };
  await block(engine, 0, chapters * 2);
  return { ...engine, perSecond: [], latencies: [], spent: { server: 0, database: 0 } };
}

const processorTimes = ({ child }: Served) => ({
  server: processorSeconds(child.pid as number),
  database: database === undefined ? 0 : processorSeconds(database.pid(), true),
});

async function block(
  { server, perSecond, latencies, spent }: Engine,
  from: number,
  count: number,
): Promise<void> {
  let next = from;
  const before = processorTimes(server);
  const begun = performance.now();
  const loop = async () => {
    while (next < from + count) {
      const due = performance.now();
      const { status, text } = await post(server.address, 'context:assemble', assemblyOf(projectId, next++));
      if (status !== 200) throw new Error(text);
      latencies.push(performance.now() - due);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  perSecond.push(count / ((performance.now() - begun) / 1000));
  const after = processorTimes(server);
  spent.server += after.server - before.server;
  spent.database += after.database - before.database;
}

const folder = mkdtempSync(join(tmpdir(), 'galley-engines-'));
const database = await benchDatabase('store-engines');
if (database !== undefined) {
  const [safe, quick] = [await database.newDatabase(), await database.newDatabase()];
  await database.run(
    'postgres',
    `alter database ${new URL(quick).pathname.slice(1)} set synchronous_commit = off`,
  );
  const engines = [
    await start('SQLite', folder, join(folder, 'galley.db')),
    await start('PostgreSQL', folder, safe),
    await start('PostgreSQL, commits not waited for', folder, quick),
  ];
  try {
    for (let nth = 0; nth < Number(options.blocks); nth += 1)
      for (const engine of engines) await block(engine, nth * calls, calls);
  } finally {
    await Promise.all(engines.map(({ server }) => server.end()));
    hangUp();
    rmSync(folder, { recursive: true, force: true });
  }
  const asked = calls * Number(options.blocks);
  const [sqlite, ...others] = engines.map(({ name, perSecond, latencies, spent }) => ({
    name,
    serverMs: (spent.server / asked) * 1000,
    databaseMs: (spent.database / asked) * 1000,
    perSecond: quantile(perSecond, 0.5),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
  }));
  report(
    'store-engines',
    others.flatMap(({ name, perSecond, p50, p95, serverMs, databaseMs }) => {
      const ratio = perSecond / (sqlite?.perSecond ?? 0);
      const byProcessor = (sqlite?.serverMs ?? 0) / serverMs;
      const clock = {
        promise: `assemblies a second, ${name}, over SQLite`,
        bar: '≥ 0.8×',
        measured: `${ratio.toFixed(2)}× (${perSecond.toFixed(1)} against ${sqlite?.perSecond.toFixed(1)}; p50 ${p50.toFixed(0)} against ${sqlite?.p50.toFixed(0)}, p95 ${p95.toFixed(0)} against ${sqlite?.p95.toFixed(0)} ms, ${atOnce} at once)`,
        reached: ratio >= 0.8,
      };
      const processor = {
        promise: `the same by processor time of the server, ${name}`,
        bar: '≥ 0.8×',
        measured: `${byProcessor.toFixed(2)}× (${serverMs.toFixed(1)} against ${sqlite?.serverMs.toFixed(1)} ms a call; the database ${databaseMs.toFixed(1)} ms beside it)`,
        reached: byProcessor >= 0.8,
      };
      return [clock, processor];
    }),
    { engines: engines.map(({ name, perSecond }) => ({ name, perSecond })) },
  );
}
process.exit(process.exitCode ?? 0);
