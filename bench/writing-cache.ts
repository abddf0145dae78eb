// How much of each request would a provider read from its cache? The engine itself, driven through an afternoon of writing,
// beside the reference layouts of the simulator. The budget makes something yield on every call.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/sqlite/open-store.js';
import { assembleContext } from '../src/writing/context/assemble-context.js';
import { contextRequest } from '../src/writing/context/context-request.js';
import type { ContextAssembleResult } from '../src/writing/context/context-result.js';
import { indexDocument } from '../src/writing/context/follow-documents.js';
import { createEditingSession, type SessionStep } from './cache-simulator/editing-session.js';
import { type CacheResult, replay } from './cache-simulator/prefix-cache.js';
import { providerRules } from './cache-simulator/provider-rules.js';
import { layOut, policies } from './cache-simulator/reference-policies.js';
import type { SimulatedRequest } from './cache-simulator/request.js';

const novelFile =
  process.env.GALLEY_BENCH_NOVEL ?? join(process.cwd(), '../shared/data/text/hongloumeng.txt');
const project = 'cache';
const targets = [90, 89, 87, 83];

/** A content block for every passage and every paragraph, as a provider would be sent them. */
function requestOf(result: ContextAssembleResult, model: string): SimulatedRequest {
  const bytes = Buffer.from(result.prompt);
  const spans = result.receipt.pages[0]?.parts[0]?.spans ?? [];
  const markers = result.cache.breakpoints.map(({ offset }) => offset);
  const ends = new Set([...markers, bytes.length]);
  for (const { fragment, end } of spans) {
    const closes = fragment.startsWith('text:before:')
      ? bytes[end - 1] === 0x0a
      : fragment.startsWith('chunk:');
    if (closes) ends.add(end);
  }
  return { model, bytes, blockEnds: [...ends].sort((a, b) => a - b), markers };
}

async function engineRequests(session: ReturnType<typeof createEditingSession>, layout: 'steady' | 'exact') {
  const folder = await mkdtemp(join(tmpdir(), 'galley-cache-'));
  const store = await openStore({ path: join(folder, 'galley.db'), now: () => 0 });
  try {
    for (const rule of session.rules)
      await store.constraints.create(project, { text: rule.replace(/^\d+\. /, ''), kind: 'world' });
    for (const [index, { id, title, text }] of session.library.entries())
      await store.documents.put(project, { id, title, text, order: index + 1 });
    for (const entry of await store.documents.list(project)) await indexDocument(store, project, entry);
    const room = (share: number, floor: number) => ({ share, floor });
    await store.budgets.update(project, 0, {
      window: 9_500,
      outputReserve: 2_000,
      layers: {
        rules: room(0.4, 500),
        settings: room(0.2, 2_000),
        retrieved: room(0.25, 1_500),
        immediate: room(0.5, 1_500),
      },
    });
    const requests: SimulatedRequest[] = [];
    const results: ContextAssembleResult[] = [];
    const signal = new AbortController().signal;
    for (const step of session.steps) {
      await putSettings(store, step, session.steps[step.index - 1]);
      const request = contextRequest.parse({
        projectId: project,
        documentId: 'live',
        text: step.text,
        cursorPosition: step.cursor,
        skillId: '',
        layout,
      });
      const result = await assembleContext(request, { store, signal, log: () => undefined });
      results.push(result);
      requests.push(requestOf(result, session.model));
    }
    return { requests, results };
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function putSettings(
  store: Awaited<ReturnType<typeof openStore>>,
  { settings }: SessionStep,
  before: SessionStep | undefined,
): Promise<void> {
  const old = new Map(before?.settings.map((setting) => [setting.id, setting]) ?? []);
  for (const setting of settings) {
    if (old.get(setting.id)?.text === setting.text) continue;
    const { id, text, confidence } = setting;
    await store.memory.put(project, { id, text, confidence, kind: 'semantic' });
  }
}

if (existsSync(novelFile)) {
  const session = createEditingSession(readFileSync(novelFile, 'utf8'));
  const rows: { layout: string; tokens: number; results: CacheResult[] }[] = [];
  const add = (layout: string, requests: readonly SimulatedRequest[]) => {
    const results = providerRules.map((rule) => replay(requests, rule));
    rows.push({ layout, tokens: Math.round((results[0]?.promptTokens ?? 0) / requests.length), results });
  };
  const steady = await engineRequests(session, 'steady');
  add('galley', steady.requests);
  const exact = await engineRequests(session, 'exact');
  add('galley, layout exact', exact.requests);
  for (const [name, policy] of Object.entries(policies))
    add(name, session.steps.map(layOut(session, policy)));
  console.log(`| layout | tokens a call | ${providerRules.map(({ id }) => id).join(' | ')} |`);
  console.log(`|---|---|${providerRules.map(() => '---|').join('')}`);
  console.log(`| _promised_ | | ${targets.map((target) => `≥ ${target}`).join(' | ')} |`);
  for (const { layout, tokens, results } of rows) {
    const cells = results.map(
      ({ hitRatio, billed }) => `${(hitRatio * 100).toFixed(1)} (${billed.toFixed(2)})`,
    );
    console.log(`| ${layout} | ${tokens} | ${cells.join(' | ')} |`);
  }
  const moves: Record<string, number> = {};
  for (const { receipt } of steady.results)
    moves[receipt.lane.window ?? 'none'] = (moves[receipt.lane.window ?? 'none'] ?? 0) + 1;
  const passages = (result: ContextAssembleResult | undefined) =>
    (result?.receipt.pages[0]?.parts[0]?.spans ?? [])
      .map(({ fragment }) => fragment)
      .filter((id) => id.startsWith('chunk:'))
      .join(' ');
  const changes = steady.results
    .slice(1)
    .filter((result, index) => passages(result) !== passages(steady.results[index]));
  const share = (results: readonly ContextAssembleResult[]) =>
    results.reduce((sum, { layers }) => sum + layers.immediate.tokens, 0) / results.length;
  console.log(
    `\nThe steady window sends ${(100 * (1 - share(steady.results) / share(exact.results))).toFixed(1)} % fewer tokens of text; window: ${JSON.stringify(moves)}; passages changed on ${changes.length} of ${steady.results.length} calls`,
  );
  console.log(`\n${JSON.stringify({ benchmark: 'writing-cache', rows })}`);
} else console.log('writing-cache: no novel found; name a text file in GALLEY_BENCH_NOVEL.');
