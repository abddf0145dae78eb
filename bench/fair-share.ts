// Promise: a token that sends fifty times its share does not make another one wait: its p99 stays within twice of what it is alone,
// and none of its calls is refused. Both assemble, each in its own project; one server on a SQLite file, then two on PostgreSQL.
// The flood has a process of its own and sends again at once, refused or not. Alone and beside it take turns, so that whatever else the
// machine does meets both. Options: --calls <n> (600), --loops <n> (50), --only sqlite | postgres, --servers <n> on PostgreSQL (2).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile, type Row, report } from './peers/report.js';
import { benchDatabase } from './served/database.js';
import { assemblyOf, chapters, fillNovel } from './served/novel.js';
import { hangUp, newToken, post, serve } from './served/served.js';

interface Flood {
  readonly addresses: readonly string[];
  readonly token: string;
  readonly loops: number;
}

/** Flows and ebbs as the parent says, until it hangs up; says when all it sent is answered. */
function flood({ addresses, token, loops }: Flood): void {
  const codes = new Map<number, number>();
  let sent = 0;
  let isFlowing = false;
  const loop = async () => {
    while (isFlowing) {
      const nth = sent++;
      const address = addresses[nth % addresses.length] as string;
      const answer = await post(address, 'context:assemble', assemblyOf('loud', nth), token).catch(
        () => undefined,
      );
      const code = answer?.status ?? 0;
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (code !== 200) await sleep(5);
    }
  };
  process.on('message', async (word) => {
    isFlowing = word === 'flow';
    if (!isFlowing) return;
    await Promise.all(Array.from({ length: loops }, loop));
    process.send?.(Object.fromEntries(codes));
  });
}

interface Calm {
  readonly latencies: number[];
  refused: number;
}

const calmed = (): Calm => ({ latencies: [], refused: 0 });

async function calm(
  addresses: readonly string[],
  token: string,
  { calls, into }: { readonly calls: number; readonly into: Calm },
) {
  for (let nth = 0; nth < calls; nth += 1) {
    const address = addresses[nth % addresses.length] as string;
    const begun = performance.now();
    const { status } = await post(address, 'context:assemble', assemblyOf('calm', nth), token);
    if (status === 200) into.latencies.push(performance.now() - begun);
    else into.refused += 1;
  }
}

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

const rounds = 6;

async function measure(name: string, store: string, servers: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'galley-fair-'));
  const [loud, quiet] = [newToken(store), newToken(store)];
  const served = await Promise.all(
    Array.from({ length: servers }, () => serve(folder, ['--store', store, '--tokens', 'store'])),
  );
  const addresses = served.map(({ address }) => address);
  try {
    await fillNovel(addresses[0] as string, { projectId: 'loud', token: loud });
    await fillNovel(addresses[0] as string, { projectId: 'calm', token: quiet });
    for (const address of addresses) {
      await calm([address], quiet, { calls: chapters * 2, into: calmed() });
      for (let nth = 0; nth < chapters; nth += 1)
        await post(address, 'context:assemble', assemblyOf('loud', nth), loud);
    }
    const words = ['--flood', JSON.stringify({ addresses, token: loud, loops } satisfies Flood)];
    const noise = fork(fileURLToPath(import.meta.url), words);
    const [alone, beside] = [calmed(), calmed()];
    let codes: Record<string, number> = {};
    let seconds = 0;
    for (let round = 0; round < rounds; round += 1) {
      await calm(addresses, quiet, { calls: calls / rounds, into: alone });
      const begun = performance.now();
      noise.send('flow');
      await sleep(2000);
      await calm(addresses, quiet, { calls: calls / rounds, into: beside });
      seconds += (performance.now() - begun) / 1000;
      noise.send('ebb');
      [codes] = (await once(noise, 'message')) as [Record<string, number>];
    }
    noise.kill('SIGKILL');
    const [before, after] = [alone, beside].map(({ latencies }) => ({
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    })) as [Quantiles, Quantiles];
    const ratio = after.p99 / before.p99;
    const sent = Object.values(codes).reduce((sum, count) => sum + count, 0);
    return {
      promise: `${name}: p99 of a token beside one with ${loops} calls at once`,
      bar: '≤ 2× of alone, 0 refused',
      measured: `${ratio.toFixed(2)}× (p99 ${before.p99.toFixed(0)} → ${after.p99.toFixed(0)} ms, p50 ${before.p50.toFixed(0)} → ${after.p50.toFixed(0)} ms), ${beside.refused} refused; the other sent ${(sent / seconds).toFixed(0)} a second: ${JSON.stringify(codes)}`,
      reached: ratio <= 2 && beside.refused === 0,
    };
  } finally {
    await Promise.all(served.map(({ end }) => end()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '600' },
    loops: { type: 'string', default: '50' },
    flood: { type: 'string' },
    only: { type: 'string' },
    servers: { type: 'string', default: '2' },
  },
});
const calls = Number(options.calls);
const loops = Number(options.loops);
const servers = Number(options.servers);

if (options.flood !== undefined) flood(JSON.parse(options.flood));
else {
  const folder = mkdtempSync(join(tmpdir(), 'galley-fair-store-'));
  const rows: Row[] = [];
  if (options.only !== 'postgres')
    rows.push(await measure('SQLite, one server', join(folder, 'galley.db'), 1));
  const database = options.only === 'sqlite' ? undefined : await benchDatabase('fair-share');
  if (database !== undefined)
    rows.push(await measure(`PostgreSQL, servers: ${servers}`, await database.newDatabase(), servers));
  hangUp();
  rmSync(folder, { recursive: true, force: true });
  report('fair-share', rows);
  process.exit(0);
}
