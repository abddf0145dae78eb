// Does a server under more load than it can take stay quick, honest and whole? Assemblies are offered at a fixed rate to a real
// process, latency counts from when a request was due; then it is told to end mid-load, and every write it acknowledged must be
// in its store. Options: --seconds <n> (10), --full (60 seconds), --rate <n> (500 a second).
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../src/store/sqlite/open-store.js';
import { assemblyOf, chapters, fillNovel } from './served/novel.js';
import { ask, hangUp, post, serve } from './served/served.js';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    full: { type: 'boolean', default: false },
    rate: { type: 'string', default: '500' },
  },
});
const seconds = options.full ? 60 : Number(options.seconds);
const rate = Number(options.rate);
const projectId = '回声站';

interface Tally {
  readonly accepted: number[];
  readonly codes: Map<string, number>;
  readonly memory: number[];
  /** What is in use; its lowest points are what a collection leaves. */
  readonly heap: number[];
  /** Processor time of the server, in seconds. */
  readonly processor: number[];
  sent: number;
}

/** Offers assemblies at the rate, whatever becomes of them. */
async function offer(address: string, tally: Tally, until: () => boolean): Promise<void> {
  const startedAt = performance.now();
  const open = new Set<Promise<void>>();
  let sent = 0;
  while (!until()) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent / rate) * 1000;
      const call = post(address, 'context:assemble', assemblyOf(projectId, sent))
        .then(({ status, text }) => {
          if (status === 200) tally.accepted.push(performance.now() - dueAt);
          count(tally, status === 200 ? 'OK' : (JSON.parse(text) as { error: { code: string } }).error.code);
        })
        .catch(() => count(tally, 'CONNECTION_LOST'))
        .finally(() => open.delete(call));
      open.add(call);
    }
    await sleep(4);
  }
  tally.sent += sent;
  await Promise.all(open);
}

function count(tally: Tally, code: string): void {
  tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
}

async function watch(address: string, tally: Tally, until: () => boolean): Promise<void> {
  while (!until()) {
    const { text } = await ask(address, '/metrics');
    const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    tally.memory.push(Math.round(gauge('process_resident_memory_bytes') / 1024 ** 2));
    tally.heap.push(Math.round(gauge('nodejs_heap_size_used_bytes') / 1024 ** 2));
    tally.processor.push(gauge('process_cpu_seconds'));
    await sleep(1000);
  }
}

/** Writes one after another and remembers what was acknowledged, until the server is gone. */
async function write(address: string, name: string, acknowledged: Map<string, string>): Promise<void> {
  for (let n = 0; ; n += 1) {
    const documentId = `${name}-${n}`;
    const text = `text of ${documentId}`;
    const answer = await post(address, 'documents:put', { projectId: 'written', documentId, text }).catch(
      () => undefined,
    );
    if (answer === undefined) return;
    if (answer.status === 200) acknowledged.set(documentId, text);
    else await sleep(5);
  }
}

async function endMidLoad(child: ChildProcess, address: string, folder: string) {
  const ended = once(child, 'close');
  const acknowledged = new Map<string, string>();
  let gone = false;
  const tally: Tally = { accepted: [], codes: new Map(), memory: [], heap: [], processor: [], sent: 0 };
  const load = offer(address, tally, () => gone);
  const writers = ['a', 'b', 'c', 'd'].map((name) => write(address, name, acknowledged));
  await sleep(3000);
  const before = acknowledged.size;
  const toldAt = performance.now();
  child.kill('SIGTERM');
  const [exit] = await ended;
  const closedInMs = Math.round(performance.now() - toldAt);
  gone = true;
  await Promise.all([load, ...writers]);
  const store = await openStore({ path: join(folder, '.galley', 'galley.db'), now: Date.now });
  let lost = 0;
  for (const [id, text] of acknowledged) {
    const stored = await store.documents.get('written', id).catch(() => undefined);
    if (stored?.text !== text) lost += 1;
  }
  await store.close();
  return {
    exit,
    closedInMs,
    acknowledged: acknowledged.size,
    acknowledgedWhileClosing: acknowledged.size - before,
    lost,
  };
}

const at = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'galley-serve-load-'));
  const { child, address } = await serve(folder);
  try {
    await fillNovel(address, { projectId });
    for (let n = 0; n < chapters * 2; n += 1)
      await post(address, 'context:assemble', assemblyOf(projectId, n));
    const tally: Tally = { accepted: [], codes: new Map(), memory: [], heap: [], processor: [], sent: 0 };
    const endsAt = performance.now() + seconds * 1000;
    const until = () => performance.now() > endsAt;
    await Promise.all([offer(address, tally, until), watch(address, tally, until)]);
    const sorted = tally.accepted.sort((a, b) => a - b);
    const third = Math.ceil(tally.memory.length / 3);
    const { OK: _, CONTEXT_BACKPRESSURE: refused = 0, ...errors } = Object.fromEntries(tally.codes);
    const closing = await endMidLoad(child, address, folder);
    const [first = 0] = tally.processor;
    // On a busy machine a server that gets a quarter of a processor answers a quarter as fast.
    const processorShare = Math.round((((tally.processor.at(-1) ?? 0) - first) / seconds) * 100) / 100;
    const memory = {
      mostMb: Math.max(...tally.memory),
      heapFloorStartMb: Math.min(...tally.heap.slice(0, third)),
      heapFloorEndMb: Math.min(...tally.heap.slice(-third)),
    };
    const isFlat = memory.heapFloorEndMb < memory.heapFloorStartMb * 1.5 + 16;
    const passed =
      isFlat &&
      Object.keys(errors).length === 0 &&
      at(sorted, 0.99) < 500 &&
      closing.lost === 0 &&
      closing.exit === 0;
    const result = {
      seconds,
      offeredPerSecond: Math.round(tally.sent / seconds),
      acceptedPerSecond: Math.round(sorted.length / seconds),
      refused,
      otherErrors: errors,
      p50Ms: at(sorted, 0.5),
      p95Ms: at(sorted, 0.95),
      p99Ms: at(sorted, 0.99),
      mostMs: at(sorted, 1),
      processorShare,
      loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      memory,
      ...closing,
      passed,
    };
    console.log(JSON.stringify(result));
    console.log('\n| measure | value |\n|---|---|');
    for (const [name, value] of Object.entries(result))
      console.log(`| ${name} | ${typeof value === 'object' ? JSON.stringify(value) : value} |`);
    if (!passed) process.exitCode = 1;
  } finally {
    hangUp();
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
