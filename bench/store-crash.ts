// Does the store keep its word while its users are killed? Four processes write and read one file, kills come at random,
// every acknowledged write must be there afterwards, every stale budget refused, the file whole.
// Options: --seconds <n> (10), --full (60 seconds), --seed <n>.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { isGalleyError } from '../src/core/model/error.js';
import { bestDriver } from '../src/store/sqlite/drivers.js';
import { openStore } from '../src/store/sqlite/open-store.js';
import type { Store } from '../src/store/store.js';

const project = 'crash';
const writerCount = 4;

/** What a child says on its standard output, one JSON line each, after the store has answered. */
type Word =
  | { kind: 'setting'; key: string; text: string }
  | { kind: 'chunks'; document: string; hash: string }
  | { kind: 'lane' }
  | { kind: 'budget'; version: number }
  | { kind: 'stale'; code: string }
  | { kind: 'refused'; code: string };

const { values: options } = parseArgs({
  options: {
    child: { type: 'string' },
    path: { type: 'string', default: '' },
    seconds: { type: 'string', default: '10' },
    full: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const codeOf = (error: unknown): string => (isGalleyError(error) ? error.code : String(error));

async function writeOnce(store: Store, name: string, turn: number): Promise<Word[]> {
  const key = `${name}-${turn}`;
  const words: Word[] = [];
  await store.settings.put(project, key, `text of ${key}`);
  words.push({ kind: 'setting', key, text: `text of ${key}` });
  await store.lanes.update(project, 'shared', (previous) => Number(previous ?? 0) + 1);
  words.push({ kind: 'lane' });
  const chunks = Array.from({ length: 8 }, (_, ordinal) => ({
    id: `${key}-${ordinal}`,
    ordinal,
    start: ordinal,
    end: ordinal + 1,
    text: key,
    contentHash: key,
    terms: `${name} t${turn} o${ordinal}`,
  }));
  await store.chunks.replaceChunks(project, { documentId: name, contentHash: key }, chunks);
  words.push({ kind: 'chunks', document: name, hash: key });
  const { version } = await store.budgets.get(project);
  try {
    words.push({ kind: 'budget', version: (await store.budgets.update(project, version, { name })).version });
  } catch (error) {
    words.push({ kind: 'refused', code: codeOf(error) });
  }
  const stale = await store.budgets.update(project, version, { stale: name }).then(() => 'accepted', codeOf);
  words.push({ kind: 'stale', code: stale });
  return words;
}

async function runChild(name: string, path: string): Promise<never> {
  const store = await openStore({ path, now: Date.now });
  for (let turn = 0; ; turn += 1) {
    const words = await writeOnce(store, name, turn);
    process.stdout.write(words.map((word) => `${JSON.stringify(word)}\n`).join(''));
    const hits = await store.chunks.search(project, name, { limit: 20 });
    if (hits.length !== 8)
      process.stdout.write(`${JSON.stringify({ kind: 'refused', code: 'TORN_READ' })}\n`);
  }
}

interface Tally {
  readonly settings: Map<string, string>;
  readonly hashes: Map<string, string>;
  readonly refusals: Map<string, number>;
  lanes: number;
  budgets: number;
  stale: number;
  staleAccepted: number;
  kills: number;
  failures: number;
}

function listen(child: ChildProcess, tally: Tally): void {
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (!line.endsWith('}')) return;
    const word = JSON.parse(line) as Word;
    if (word.kind === 'setting') tally.settings.set(word.key, word.text);
    if (word.kind === 'chunks') tally.hashes.set(word.document, word.hash);
    if (word.kind === 'lane') tally.lanes += 1;
    if (word.kind === 'budget') tally.budgets += 1;
    if (word.kind === 'refused') tally.refusals.set(word.code, (tally.refusals.get(word.code) ?? 0) + 1);
    if (word.kind === 'stale') {
      tally.stale += 1;
      if (word.code !== 'CONTEXT_BUDGET_CONFLICT') tally.staleAccepted += 1;
    }
  });
}

async function rampage(
  path: string,
  tally: Tally,
  { endsAt, seed }: { endsAt: number; seed: number },
): Promise<void> {
  const random = randomFrom(seed);
  let generation = 0;
  await Promise.all(
    Array.from({ length: writerCount }, async () => {
      while (Date.now() < endsAt) {
        generation += 1;
        const words = [process.argv[1]!, '--child', `w${generation}`, '--path', path];
        const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
        listen(child, tally);
        const closed = once(child, 'close');
        const life = Math.min(500 + random() * 2500, Math.max(0, endsAt - Date.now()));
        const kill = setTimeout(() => child.kill('SIGKILL'), life);
        const [, signal] = await closed;
        clearTimeout(kill);
        if (signal === 'SIGKILL') tally.kills += 1;
        else tally.failures += 1;
      }
    }),
  );
}

async function inspect(path: string, tally: Tally): Promise<Record<string, unknown>> {
  const store = await openStore({ path, now: Date.now });
  let lost = 0;
  for (const [key, text] of tally.settings) if ((await store.settings.get(project, key)) !== text) lost += 1;
  let torn = 0;
  const indexed = new Map(
    (await store.chunks.indexedDocuments(project)).map((entry) => [entry.documentId, entry]),
  );
  const turnOf = (hash: string): number => Number(hash.split('-')[1]);
  for (const [document, hash] of tally.hashes) {
    const found = indexed.get(document);
    const ahead = found === undefined ? -1 : turnOf(found.contentHash) - turnOf(hash);
    if (ahead < 0) lost += 1;
    const texts = new Set((await store.chunks.chunksOf(project, document)).map((chunk) => chunk.contentHash));
    if (texts.size !== 1 || !texts.has(found?.contentHash ?? '')) torn += 1;
  }
  const lane = Number((await store.lanes.get(project, 'shared')) ?? 0);
  const budget = (await store.budgets.get(project)).version;
  // A killed process may have written without living to say so: never less than said, at most one more a kill.
  if (lane < tally.lanes || budget < tally.budgets) lost += 1;
  await store.close();
  const connection = (await bestDriver()).connect(path);
  const [check] = connection.all('pragma integrity_check', []);
  connection.close();
  return { lost, torn, integrity: check?.integrity_check, lane, budget };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'galley-store-crash-'));
  const path = join(folder, 'galley.db');
  const seconds = options.full ? 60 : Number(options.seconds);
  const tally: Tally = {
    settings: new Map(),
    hashes: new Map(),
    refusals: new Map(),
    lanes: 0,
    budgets: 0,
    stale: 0,
    staleAccepted: 0,
    kills: 0,
    failures: 0,
  };
  try {
    await rampage(path, tally, { endsAt: Date.now() + seconds * 1000, seed: Number(options.seed) });
    const found = await inspect(path, tally);
    const acknowledged = tally.settings.size + tally.lanes + tally.budgets;
    const refusals = Object.fromEntries(tally.refusals);
    const { kills, failures, stale, staleAccepted } = tally;
    const passed =
      found.lost === 0 &&
      found.torn === 0 &&
      found.integrity === 'ok' &&
      staleAccepted === 0 &&
      failures === 0 &&
      kills > 0 &&
      Object.keys(refusals).every((code) => code === 'CONTEXT_BUDGET_CONFLICT');
    const result = {
      seconds,
      writers: writerCount,
      kills,
      failures,
      acknowledged,
      stale,
      staleAccepted,
      refusals,
      ...found,
      passed,
    };
    console.log(JSON.stringify(result));
    console.log('\n| measure | value |\n|---|---|');
    for (const [name, value] of Object.entries(result)) {
      console.log(`| ${name} | ${typeof value === 'object' ? JSON.stringify(value) : value} |`);
    }
    if (!passed) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (options.child === undefined) await main();
else await runChild(options.child, options.path);
