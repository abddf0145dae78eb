// Drives context:assemble, or runs of a skill, through a scripted session on a store of its own, and hands out what a provider
// would be sent.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receipt } from '../../src/core/model/receipt.js';
import { cachePointsOf } from '../../src/models/ask-model.js';
import { call } from '../../src/operations/call.js';
import type { Grant, OperationContext } from '../../src/operations/operation.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import { indexDocument } from '../../src/writing/retrieval/follow-documents.js';
import type { EditingSession, SessionStep } from './editing-session.js';
import type { SimulatedRequest } from './request.js';

const project = 'cache';
const tokens = 7_500;

/** One call, its system text in front of its prompt. */
export interface EngineCall extends Pick<ContextAssembleResult, 'receipt' | 'layers'> {
  readonly text: string;
  /** In bytes of that text. */
  readonly spans: readonly { readonly fragment: string; readonly start: number; readonly end: number }[];
}

export interface EngineRun {
  readonly requests: readonly SimulatedRequest[];
  readonly calls: readonly EngineCall[];
}

export interface EngineOptions {
  readonly layout: 'steady' | 'exact';
  /** A skill that is run; without one the context is assembled. */
  readonly skill?: string;
  /** Tokens a run may have; without it the skill's own figure holds. */
  readonly budget?: number;
}

function engineCall(
  system: string,
  prompt: string,
  { receipt, layers }: Pick<ContextAssembleResult, 'receipt' | 'layers'>,
): EngineCall {
  const before = Buffer.byteLength(system);
  const spans = (receipt.pages[0]?.parts ?? []).flatMap((part) => {
    const shift = part.channel === 'system' ? 0 : before;
    return part.spans.map(({ fragment, start, end }) => ({
      ...{ fragment, start: start + shift, end: end + shift },
    }));
  });
  return { text: system + prompt, spans, receipt, layers };
}

/** A content block for every passage and every paragraph, as a provider would be sent them. */
function requestOf({ text, spans }: EngineCall, markers: readonly number[], model: string): SimulatedRequest {
  const bytes = Buffer.from(text);
  const ends = new Set([...markers, bytes.length]);
  for (const { fragment, end } of spans) {
    const closes = fragment.startsWith('text:before:')
      ? bytes[end - 1] === 0x0a
      : fragment.startsWith('chunk:');
    if (closes) ends.add(end);
  }
  return { model, bytes, blockEnds: [...ends].sort((a, b) => a - b), markers };
}

/** Where providers may be told to keep what stands before, in bytes of both texts together. */
function markersOf(system: string, { pages }: Receipt): number[] {
  const points = cachePointsOf(pages[0]);
  const before = Buffer.byteLength(system);
  return [...(points.system ?? []), ...(points.prompt ?? []).map((offset) => offset + before)];
}

export async function driveEngine(session: EditingSession, options: EngineOptions): Promise<EngineRun> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-cache-'));
  const store = await openStore({ path: join(folder, 'galley.db'), now: () => 0 });
  const model = scriptedModel(['好。'], 'openai/gpt-4.1');
  const context: OperationContext = {
    signal: new AbortController().signal,
    folder,
    debug: false,
    grants: new Set<Grant>(['read', 'write', 'inspect', 'run']),
    log: () => undefined,
    now: () => 0,
    store: async () => store,
    model: async () => model,
  };
  try {
    for (const rule of session.rules)
      await store.constraints.create(project, { text: rule.replace(/^\d+\. /, ''), kind: 'world' });
    for (const [index, { id, title, text }] of session.library.entries())
      await store.documents.put(project, { id, title, text, order: index + 1 });
    for (const entry of await store.documents.list(project)) await indexDocument(store, project, entry);
    const room = (share: number, floor: number) => ({ share, floor });
    await store.budgets.update(project, 0, {
      window: 2_000 + tokens,
      outputReserve: 2_000,
      layers: {
        rules: room(0.4, 500),
        settings: room(0.2, 2_000),
        retrieved: room(0.25, 1_500),
        immediate: room(0.5, 1_500),
      },
    });
    const calls: EngineCall[] = [];
    const requests: SimulatedRequest[] = [];
    for (const step of session.steps) {
      await putSettings(store, step, session.steps[step.index - 1]);
      const { text, cursor } = step;
      const place = { projectId: project, documentId: 'live', text, cursorPosition: cursor };
      const asked = { ...place, layout: options.layout };
      const [operation, request]: [string, object] =
        options.skill === undefined
          ? ['context:assemble', { ...asked, skillId: '' }]
          : ['ai:skill:run', { ...asked, ...runOf(options), skillId: options.skill }];
      const result = (await call(operation, request, context)) as ContextAssembleResult;
      // A run hands out no texts: what its model received is what was sent.
      const { system = '', prompt } =
        options.skill === undefined ? result : (model.requests.at(-1) ?? result);
      const one = engineCall(system, prompt, result);
      calls.push(one);
      requests.push(requestOf(one, markersOf(system, result.receipt), session.model));
    }
    return { requests, calls };
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const runOf = ({ budget }: EngineOptions) => ({
  rewrites: 0,
  ...(budget === undefined ? {} : { budget: { tokens: budget } }),
});

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
