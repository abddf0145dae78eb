// How fast is an assembly, and does it stay within its budget [perf.layers]? A novel of 300 chapters, an input of about 60k tokens, one
// edit since the last call; then 500 at once over 125 documents; then the parts alone; with a peer beside us.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashText } from '../src/meters/content-hash.js';
import { loadMeter } from '../src/meters/load-meter.js';
import { findModel } from '../src/models/find-model.js';
import { call } from '../src/operations/call.js';
import type { Grant, OperationContext } from '../src/operations/operation.js';
import { openStore } from '../src/store/sqlite/open-store.js';
import { assembleContext, createAssemblyQueue } from '../src/writing/context/assemble-context.js';
import type { ContextAssembleResult } from '../src/writing/context/context-result.js';
import { pressLayers } from '../src/writing/context/press-layers.js';
import { stablePrefix } from '../src/writing/context/prompt-history.js';
import { setContext } from '../src/writing/context/set-context.js';
import { contextRequest } from '../src/writing/layers/context-request.js';
import { layeredRecipe } from '../src/writing/layers/layered-recipe.js';
import { indexDocument } from '../src/writing/retrieval/follow-documents.js';
import { chineseWords } from './peers/chinese-words.js';

const novelFile =
  process.env.GALLEY_BENCH_NOVEL ?? join(process.cwd(), '../shared/data/text/hongloumeng.txt');
const chapters = 300;
const charactersEach = 5_000;
const project = 'bench';

function source(): string {
  const raw = existsSync(novelFile) ? readFileSync(novelFile, 'utf8').replace(/\r\n?/g, '\n') : generated();
  let text = raw;
  while (text.length < chapters * charactersEach) text += raw;
  return text;
}

function generated(): string {
  let text = '';
  for (let index = 0; index < 40_000; index += 1) {
    const at = (index * 7_919) % 97;
    text += `${chineseWords[at % chineseWords.length]}${chineseWords[(at * 3 + index) % chineseWords.length]}，第${index % 1_000}日${chineseWords[(index * 5) % chineseWords.length]}。`;
    if (index % 5 === 4) text += '\n';
  }
  return text;
}

const percentile = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
const round = (value: number) => Math.round(value * 100) / 100;
const spread = (values: readonly number[]) => ({
  p50: round(percentile(values, 0.5)),
  p95: round(percentile(values, 0.95)),
  p99: round(percentile(values, 0.99)),
});

/** On a busy machine the processor's time tells more than the clock. */
async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; cpu: number; value: T }> {
  const before = process.cpuUsage();
  const start = performance.now();
  const value = await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu: (user + system) / 1_000, value };
}

/** The most processor time spent between two turns of the event loop. */
function watchStalls(): () => number {
  let longest = 0;
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    longest = Math.max(longest, (user + system) / 1_000);
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

const folder = await mkdtemp(join(tmpdir(), 'galley-bench-'));
const store = await openStore({ path: join(folder, 'galley.db'), now: () => Date.now() });
const context: OperationContext = {
  signal: new AbortController().signal,
  folder,
  debug: true,
  grants: new Set<Grant>(['read', 'write', 'inspect', 'run']),
  log: () => undefined,
  now: () => Date.now(),
  store: async () => store,
  model: (name) => findModel(name, { folder, environment: {} }),
};
const ask = async <T>(id: string, request: object): Promise<T> =>
  (await call(id, { projectId: project, ...request }, context)) as T;

try {
  const novel = source();
  const names = ['宝玉', '黛玉', '宝钗', '凤姐', '贾母', '袭人', '王夫人', '探春', '湘云', '平儿'];
  for (let index = 0; index < 20; index += 1) {
    await ask('constraints:create', {
      text: `约束${index}：${novel.slice(index * 400, index * 400 + 60).replace(/\s/g, '')}`,
      kind: 'plot',
    });
  }
  for (const [index, name] of names.entries()) {
    await ask('entities:put', {
      name,
      description: novel.slice(20_000 + index * 300, 20_000 + index * 300 + 160).replace(/\s/g, ''),
    });
  }
  for (let index = 0; index < 24; index += 1) {
    await ask('memory:put', {
      kind: 'semantic',
      text: `偏好${index}：${novel.slice(50_000 + index * 90, 50_000 + index * 90 + 50).replace(/\s/g, '')}`,
      confidence: (index % 10) / 10,
    });
  }
  for (let index = 0; index < 300; index += 1) {
    await store.documents.put(project, {
      id: `第${index + 1}章`,
      text: novel.slice(index * charactersEach, (index + 1) * charactersEach),
      order: index + 1,
    });
  }

  const entries = await store.documents.list(project);
  const stalls = watchStalls();
  const cold = await timed(async () => {
    for (const entry of entries) await indexDocument(store, project, entry);
  });
  const stall = stalls();
  const changedText = `${novel.slice(charactersEach, 2 * charactersEach)}新的一句。`;
  const changed = await timed(() => ask('documents:put', { documentId: '第2章', text: changedText }));

  // A chapter long enough that the text around the cursor, with what is found, makes about 60k tokens.
  let live = novel.slice(700_000, 740_000);
  const request = () => ({
    documentId: '第301章',
    text: live,
    cursorPosition: live.length,
    skillId: '',
    additionalInput: '写宝玉与黛玉在园中说话',
  });
  const warm: number[] = [];
  const warmCpu: number[] = [];
  let last: ContextAssembleResult | undefined;
  for (let turn = 0; turn < 130; turn += 1) {
    live += novel.slice(740_000 + turn * 12, 740_012 + turn * 12);
    const { ms, cpu, value } = await timed(() => ask<ContextAssembleResult>('context:assemble', request()));
    if (turn >= 30) {
      warm.push(ms);
      warmCpu.push(cpu);
    }
    last = value;
  }
  const input = last?.receipt.ledger.reduce((sum, { amount = 0 }) => sum + amount, 0) ?? 0;

  const inspect: number[] = [];
  for (let turn = 0; turn < 40; turn += 1)
    inspect.push((await timed(() => ask('context:inspect', request()))).ms);

  const set = await setContext(contextRequest.parse({ projectId: project, ...request() }), {
    store,
    signal: context.signal,
  });
  const recipe = layeredRecipe(set.budget.profile, { total: set.total, refill: true });
  const budget: number[] = [];
  const hashing: number[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    const press = { recipe, dialect: set.dialect, meter: set.meter, hash: hashText, project, total: 30_000 };
    budget.push((await timed(() => pressLayers(set.fragments, press).layout.set(0))).ms);
    const how = { dialect: set.dialect.id, hash: hashText };
    hashing.push((await timed(() => stablePrefix(set.page, set.fragments, how))).ms);
  }

  // 500 offered at once: time counts from leaving the queue.
  const inner = createAssemblyQueue();
  const running: number[] = [];
  const queue = {
    run: <T>(document: string, signal: AbortSignal, work: () => Promise<T>) =>
      inner.run(document, signal, async () => {
        const { ms, value } = await timed(work);
        running.push(ms);
        return value;
      }),
  };
  const burst = await timed(() =>
    Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        const text = novel.slice((index % 125) * 9_000, (index % 125) * 9_000 + 8_000 + index);
        const parsed = contextRequest.parse({
          projectId: project,
          documentId: `文${index % 125}`,
          text,
          cursorPosition: text.length,
          skillId: '',
        });
        return assembleContext(parsed, { store, signal: context.signal, log: () => undefined, queue });
      }),
    ),
  );
  const over = burst.value.filter(({ tokenCount, budget: { total } }) => tokenCount > total).length;
  const meter = await loadMeter('o200k_base');
  const measured = Math.max(
    ...burst.value.slice(0, 20).map(({ prompt, tokenCount }) => meter.weigh(prompt) - tokenCount),
  );

  const result = {
    benchmark: 'writing-assemble',
    input,
    assemble: { ...spread(warm), cpu: spread(warmCpu) },
    inspect: spread(inspect),
    budget: spread(budget),
    prefixHash: spread(hashing),
    index: { coldMs: Math.round(cold.ms), changedMs: round(changed.ms), longestStallMs: round(stall) },
    burst: {
      cpuEach: round(burst.cpu / 500),
      ...spread(running),
      perSecond: Math.round(500_000 / burst.ms),
      overBudget: over,
      measuredAboveCount: measured,
    },
  };
  const rows: [string, string, string][] = [
    [
      'assemble, one edit since, p50 / p95',
      `${result.assemble.p50} / ${result.assemble.p95} ms (processor ${result.assemble.cpu.p50} / ${result.assemble.cpu.p95})`,
      '12 / 25',
    ],
    ['inspect p95', `${result.inspect.p95} ms`, '18'],
    ['budget calculation p95', `${result.budget.p95} ms`, '8'],
    ['prefix hash p95', `${result.prefixHash.p95} ms`, '2'],
    [
      '500 at once, p95 from leaving the queue',
      `${result.burst.p95} ms, ${result.burst.perSecond} a second (processor ${result.burst.cpuEach} each)`,
      '250',
    ],
    ['500 at once, over budget', `${over}`, '0'],
    ['index 300 chapters, cold', `${result.index.coldMs} ms`, '20000'],
    ['index one changed chapter', `${result.index.changedMs} ms`, '200'],
    ['longest stall while indexing', `${result.index.longestStallMs} ms of processor time`, '50'],
  ];
  console.log(`input before trimming: ${input} tokens\n\n| what | measured | promised |\n|---|---|---|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  // What was promised to begin with, ten times as much as today's bars; beyond it the run has failed.
  const allowed: [string, number, number][] = [
    ['assemble p50', result.assemble.p50, 120],
    ['assemble p95', result.assemble.p95, 250],
    ['assemble p99', result.assemble.p99, 500],
    ['budget p50', result.budget.p50, 30],
    ['budget p95', result.budget.p95, 80],
    ['budget p99', result.budget.p99, 150],
    ['prefix hash p95', result.prefixHash.p95, 20],
    ['inspect p95', result.inspect.p95, 180],
    ['results above their budget', over + Math.max(0, measured), 0],
  ];
  for (const [what, found, most] of allowed.filter(([, found, most]) => found > most)) {
    console.error(`writing-assemble: ${what} is ${found}, at most ${most} is allowed.`);
    process.exitCode = 1;
  }
  console.log(`\n${JSON.stringify(result)}`);
} finally {
  await store.close();
  await rm(folder, { recursive: true, force: true });
}
