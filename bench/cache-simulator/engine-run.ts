// Drives context:assemble through a scripted session, on a store of its own, and hands out what a provider would be sent.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/sqlite/open-store.js';
import { assembleContext } from '../../src/writing/context/assemble-context.js';
import { contextRequest } from '../../src/writing/context/context-request.js';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import { indexDocument } from '../../src/writing/context/follow-documents.js';
import type { EditingSession, SessionStep } from './editing-session.js';
import type { SimulatedRequest } from './request.js';

const project = 'cache';

export interface EngineRun {
  readonly requests: readonly SimulatedRequest[];
  readonly results: readonly ContextAssembleResult[];
}

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

export async function driveEngine(session: EditingSession, layout: 'steady' | 'exact'): Promise<EngineRun> {
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
