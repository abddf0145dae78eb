// The same request by HTTP and by call(): the same bytes, for every operation of the table and for nonsense.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { errorTable, GalleyError, toGalleyError } from '../../core/model/error.js';
import { scratchFolder, scratchRepository } from '../../git/testing/scratch-repository.js';
import { call } from '../../operations/call.js';
import type { OperationContext } from '../../operations/operation.js';
import { operationIds } from '../../operations/table.js';
import { installFakeAgent } from '../../testing/fake-agent/install-fake-agent.js';
import { defaultBudgetProfile } from '../../writing/layers/layered-recipe.js';
import { localUser } from './access/access-tokens.js';
import { operationPath } from './pages/open-api.js';
import { serveForTest, steadyStore, type TestServer } from './testing/serve-for-test.js';

const now = () => 1_700_000_000_000;
const model = () => Promise.reject(new GalleyError('MODEL_NOT_CONFIGURED', 'No model is configured.'));
const folder = scratchFolder();
let server: TestServer;
let context: OperationContext;

beforeAll(async () => {
  const repository = scratchRepository({ folder });
  repository.write('main.ts', 'export const one = 1;\n');
  repository.commit('one');
  repository.write('main.ts', 'export const one = 2;\nexport const 二 = "二";\n');
  repository.commit('two');
  const agents = join(folder, '.galley', 'agents');
  mkdirSync(agents, { recursive: true });
  vi.stubEnv('GALLEY_CLAUDE', installFakeAgent(agents, 'claude', 'answer').command);
  server = await serveForTest({ roots: [folder], now, model, limits: { perSecond: 1_000_000 } });
  const store = await steadyStore();
  context = {
    signal: new AbortController().signal,
    folder,
    debug: false,
    grants: localUser.grants,
    log: () => undefined,
    now,
    store: async () => store,
    model,
  };
});

afterAll(async () => {
  await server.close();
  await (await context.store()).close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const projectId = '小说';
const documentId = 'ch1';
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello 你好' };
const change = { mode: 'commit', commit: 'HEAD' };
const place = { projectId, documentId, cursorPosition: 5, skillId: 'continue' };
const skill = '---\nname: echo\ndescription: Says it again.\n---\nSay it again.\n';

/** In an order in which each finds what it needs. */
const requests: readonly (readonly [string, object])[] = [
  ['documents:put', { projectId, documentId, title: '第一章', text: '林远走进回声站。\n他没有说话。' }],
  ['documents:get', { projectId, documentId }],
  ['documents:list', { projectId }],
  ['entities:put', { projectId, name: '林远', description: '站长', aliases: ['远'] }],
  ['entities:list', { projectId }],
  ['entities:get', { projectId, id: 'nobody' }],
  ['constraints:create', { projectId, id: 'c', text: '不用“突然”', kind: 'style', pinned: true }],
  ['constraints:update', { projectId, id: 'c', priority: 3 }],
  ['constraints:list', { projectId }],
  ['constraints:judge', { projectId, text: '他突然笑了。' }],
  ['memory:put', { projectId, id: 'm', kind: 'semantic', text: '他怕水。', origin: 'learned' }],
  ['memory:confirm', { projectId, id: 'm' }],
  ['memory:list', { projectId }],
  ['context:budget:get', { projectId }],
  ['context:budget:update', { projectId, version: 0, ...defaultBudgetProfile }],
  ['context:assemble', place],
  ['context:assemble', { ...place, cursorPosition: 9 }],
  ['context:inspect', place],
  ['receipts:list', { projectId }],
  ['receipts:get', { projectId, id: 'nothing' }],
  ['receipts:diff', { projectId, from: 'nothing', to: 'neither' }],
  ['skills:lint', { source: skill }],
  ['skills:put', { projectId, source: skill }],
  ['skills:list', { projectId }],
  ['skills:get', { projectId, skillId: 'continue' }],
  ['ai:skill:run', { projectId, documentId, skillId: 'continue', cursorPosition: 5, dryRun: true }],
  ['review:changes', change],
  ['review:chunks', change],
  ['review:plan', change],
  ['review:bundles', change],
  ['review:related', { paths: ['main.ts'] }],
  ['review:report', { ...change, answers: ['{"findings":[]}'] }],
  ['agents:assemble', turn],
  ['agents:run', turn],
  ['ai:skill:accept', { projectId, runId: 'none', text: '他笑了。' }],
  ['constraints:delete', { projectId, id: 'c' }],
  ['entities:delete', { projectId, id: 'nobody' }],
  ['memory:delete', { projectId, id: 'm' }],
  ['documents:delete', { projectId, documentId }],
];

async function called(id: string, request: unknown): Promise<{ status: number; text: string }> {
  try {
    return { status: 200, text: JSON.stringify(await call(id, request, context)) };
  } catch (thrown) {
    const error = toGalleyError(thrown);
    return { status: errorTable[error.code].http, text: JSON.stringify({ error }) };
  }
}

/** What the first call of a model taught is foreseen by the second. */
const unforeseen = (text: string) => text.replace(/"foreseen":\{[^}]*\}/g, '"foreseen":{}');

describe('the operation table over HTTP', () => {
  it('answers each with the bytes that call() answers [assemble.api]', async () => {
    const asked = new Set(requests.map(([id]) => id));
    // What has no request of its own here is asked with nothing.
    const bare = operationIds.filter((id) => !asked.has(id)).map((id) => [id, {}] as const);
    let fine = 0;
    for (const [id, request] of [...requests, ...bare]) {
      const { status, text } = await server.post(operationPath(id), request);
      const again = await called(id, request);
      expect({ id, status, text: unforeseen(text) }).toEqual({ id, ...again, text: unforeseen(again.text) });
      if (status === 200) fine += 1;
    }
    // Seven ask for what is not there or not allowed.
    expect(fine).toBeGreaterThanOrEqual(requests.length - 7);
  });

  it('refuses nonsense with the bytes that call() refuses with', async () => {
    const names = ['projectId', 'documentId', 'id', 'text', 'mode', '__proto__', 'constructor'];
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operationIds), value, async (id, request) => {
        const sent = JSON.stringify(request);
        const { status, text } = await server.post(operationPath(id), sent);
        expect({ status, text }).toEqual(await called(id, JSON.parse(sent)));
      }),
      { numRuns: sweepSize('nonsense over HTTP', { everyRun: 50, nightly: 3000 }) },
    );
  });
});
