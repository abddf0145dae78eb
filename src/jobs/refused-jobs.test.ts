// Jobs that must not pass for done, or must not be begun: what a worker refuses before and after it runs one.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GalleyError } from '../core/model/error.js';
import { call } from '../operations/call.js';
import { openStore } from '../store/sqlite/open-store.js';
import type { Store } from '../store/store.js';
import { type ScriptedModel, scriptedModel } from '../testing/scripted-model.js';
import { type JobWorld, runJob } from './run-job.js';

let time = 1000;
let store: Store;
beforeEach(async () => {
  time = 1000;
  store = await openStore({ path: ':memory:', now: () => time });
});
afterEach(() => store.close());

const base = (model: ScriptedModel, signal = new AbortController().signal) => ({
  ...{ signal, folder: '.', debug: false, grants: new Set(['read', 'write'] as const), log: () => {} },
  now: () => time,
  store: async () => store,
  model: async () => model,
});

async function run(model: ScriptedModel): Promise<void> {
  const [job] = await store.jobs.claim({ limit: 1 }, 20_000);
  if (job === undefined) throw new TypeError('nothing to claim');
  const world: JobWorld = { store, leaseMs: 20_000, contextOf: async (_, signal) => base(model, signal) };
  await runJob(job, world).ended;
}

const project = { projectId: 'novel' };

async function book(): Promise<void> {
  const context = base(scriptedModel([]));
  for (const [order, documentId] of ['one', 'two'].entries()) {
    const chapter = { documentId, order, title: documentId, text: `Chapter ${documentId}. It rained.` };
    await call('documents:put', { ...project, ...chapter }, context);
  }
  await call(
    'constraints:create',
    { ...project, text: 'Every chapter names a colour', kind: 'style' },
    context,
  );
}

async function queued(mark: string): Promise<string> {
  const request = { ...project, model: 'test/scripted' };
  const owner = { mark, grants: ['read', 'run'] };
  return (await store.jobs.add('novel', { operation: 'book:check', request, owner })).id;
}

const atLimit = async () => {
  throw new GalleyError('COST_CEILING_REACHED', 'The limit of the token is reached.');
};

it('a check of a book fails when every chapter was refused for one reason', async () => {
  await book();
  const id = await queued('m');
  await run(scriptedModel([atLimit]));
  expect(await store.jobs.get('novel', id)).toMatchObject({
    ...{ status: 'failed', attempts: 1, refusal: { code: 'COST_CEILING_REACHED' } },
  });
});

it('a check of a book succeeds, and says what is missing, when some chapters were read', async () => {
  await book();
  const id = await queued('m');
  await run(scriptedModel(['{"findings": []}', atLimit]));
  expect(await store.jobs.get('novel', id)).toMatchObject({
    ...{ status: 'succeeded', answer: { complete: false, failed: [{ code: 'COST_CEILING_REACHED' }] } },
  });
});

const digest = 'a'.repeat(64);
const tokens = {
  revoked: async () => {
    const { id } = await store.tokens.create({ digest, value: {} });
    await store.tokens.revoke(id);
  },
  expired: async () => {
    await store.tokens.create({ digest, value: {}, lastsMs: 10 });
    time += 11;
  },
};

it.each(['revoked', 'expired'] as const)('a job of a token that is %s is not begun', async (state) => {
  await book();
  const id = await queued(digest.slice(0, 12));
  await tokens[state]();
  const model = scriptedModel(['{"findings": []}']);
  await run(model);
  expect(model.requests).toEqual([]);
  expect(await store.jobs.get('novel', id)).toMatchObject({
    ...{ status: 'failed', refusal: { code: 'UNAUTHENTICATED', details: { state } } },
  });
});

it('a job of a token that holds is run', async () => {
  await book();
  const id = await queued(digest.slice(0, 12));
  await store.tokens.create({ digest, value: {} });
  await run(scriptedModel(['{"findings": []}']));
  expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'succeeded' });
});
