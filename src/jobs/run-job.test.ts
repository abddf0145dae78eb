// One job from its claim to its outcome, on a real store: what is remembered, what is tried again, what is given back.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GalleyError } from '../core/model/error.js';
import { openStore } from '../store/sqlite/open-store.js';
import type { Store } from '../store/store.js';
import type { ClaimedJob } from '../store/tables/job-claims.js';
import { type Line, type ScriptedModel, scriptedModel } from '../testing/scripted-model.js';
import { type JobWorld, runJob } from './run-job.js';

const leaseMs = 20_000;
let time = 1000;
let store: Store;
beforeEach(async () => {
  store = await openStore({ path: ':memory:', now: () => time });
});
afterEach(() => store.close());

const request = { projectId: 'novel', messages: [{ role: 'user', content: 'Does it rain?' }] };

async function queued(draft: object = {}): Promise<string> {
  const owner = { mark: 'm', grants: ['read', 'run'] };
  const { id } = await store.jobs.add('novel', { operation: 'chat:complete', request, owner, ...draft });
  return id;
}

async function claimed(): Promise<ClaimedJob> {
  const [job] = await store.jobs.claim({ limit: 1 }, leaseMs);
  if (job === undefined) throw new TypeError('nothing to claim');
  return job;
}

function worldWith(model: ScriptedModel): JobWorld {
  return {
    store,
    leaseMs,
    contextOf: async (_, signal) => ({
      ...{ signal, folder: '.', debug: false, grants: new Set(), log: () => {} },
      now: () => time,
      store: async () => store,
      model: async () => model,
    }),
  };
}

const run = async (...lines: Line[]) => {
  const model = scriptedModel(lines);
  const job = runJob(await claimed(), worldWith(model));
  return { model, job, ended: await job.ended };
};

const unavailable: Line = async () => {
  throw new GalleyError('MODEL_UNAVAILABLE', 'Not now.');
};

describe('a job', () => {
  it('ends with the answer of its operation, and remembers nothing longer than it needs', async () => {
    const id = await queued();
    const { model, ended } = await run('It rains.');
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(model.requests).toHaveLength(1);
    const job = await store.jobs.get('novel', id);
    expect(job).toMatchObject({ status: 'succeeded', attempts: 1, answer: { text: 'It rains.' } });
    expect(await store.jobAnswers.clear('novel', id)).toBe(0);
  });

  it('asks nothing again that was answered before whoever ran it was gone', async () => {
    const id = await queued();
    // It gets its answer, which is stored, and is gone before it can say how it ended.
    const mute = { ...store, jobs: { ...store.jobs, settle: async () => false } };
    const first = runJob(await claimed(), { ...worldWith(scriptedModel(['It snows.'])), store: mute });
    expect(await first.ended).toBeUndefined();
    time += leaseMs + 1;
    const { model, ended } = await run('something else');
    expect(ended).toMatchObject({ status: 'succeeded' });
    expect(model.requests).toEqual([]);
    expect(await store.jobs.get('novel', id)).toMatchObject({
      ...{ status: 'succeeded', attempts: 2, answer: { text: 'It snows.' } },
    });
  });

  it('waits for a call that whoever lost it is still making, and asks nothing itself', async () => {
    const id = await queued();
    let answer = (_: string) => {};
    const slow = scriptedModel([
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    ]);
    const first = runJob(await claimed(), worldWith(slow));
    await vi.waitFor(() => expect(slow.requests).toHaveLength(1));
    time += leaseMs + 1;
    let looks = 0;
    const watched = {
      ...store,
      presence: {
        ...store.presence,
        has: (name: string) => {
          looks += 1;
          return store.presence.has(name);
        },
      },
    };
    const model = scriptedModel(['never said']);
    const second = runJob(await claimed(), { ...worldWith(model), store: watched });
    await vi.waitFor(() => expect(looks).toBeGreaterThan(0));
    answer('It rains.');
    expect(await second.ended).toMatchObject({ status: 'succeeded' });
    expect([await first.ended, model.requests.length]).toEqual([undefined, 0]);
    expect(await store.jobs.get('novel', id)).toMatchObject({
      ...{ status: 'succeeded', attempts: 2, answer: { text: 'It rains.' } },
    });
  });

  it('asks again what was under way when whoever asked was gone', async () => {
    const id = await queued();
    const gone = scriptedModel([() => new Promise<string>(() => {})]);
    runJob(await claimed(), worldWith(gone));
    await vi.waitFor(() => expect(gone.requests).toHaveLength(1));
    time += leaseMs + 1;
    const empty = { ...store, presence: { ...store.presence, has: async () => false } };
    const model = scriptedModel(['It rains.']);
    const second = runJob(await claimed(), { ...worldWith(model), store: empty, rest: async () => {} });
    expect([(await second.ended)?.status, model.requests.length]).toEqual(['succeeded', 1]);
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  it('makes no call that another has taken over while nobody could see who noted it', async () => {
    await queued();
    let isSeen = false;
    let seenAgain = () => {};
    const back = new Promise<void>((resolve) => (seenAgain = resolve));
    const { presence } = store;
    const enters = vi.fn(() => back.then(() => presence.enter()));
    enters.mockImplementationOnce(() => presence.enter());
    const away = { ...store, presence: { enter: enters, has: async () => isSeen } };
    const late = scriptedModel(['never said']);
    const first = runJob(await claimed(), { ...worldWith(late), store: away });
    await vi.waitFor(() => expect(enters).toHaveBeenCalledTimes(2));
    time += leaseMs + 1;
    const model = scriptedModel(['It rains.']);
    const unseen = { ...store, presence: { ...presence, has: async () => false } };
    const second = runJob(await claimed(), { ...worldWith(model), store: unseen, rest: async () => {} });
    expect((await second.ended)?.status).toBe('succeeded');
    isSeen = true;
    seenAgain();
    expect([await first.ended, late.requests.length, model.requests.length]).toEqual([undefined, 0, 1]);
  });

  it('makes no call once it is lost', async () => {
    const id = await queued();
    const model = scriptedModel(['never said']);
    const lost = await claimed();
    time += leaseMs + 1;
    await claimed();
    expect(await runJob(lost, worldWith(model)).ended).toBeUndefined();
    expect(model.requests).toEqual([]);
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'running', attempts: 2 });
  });

  it('waits longer each time a provider is away, and is a dead letter after the last attempt', async () => {
    const id = await queued({ maxAttempts: 3 });
    const waits: number[] = [];
    for (const _ of [1, 2]) {
      await run(unavailable);
      const { status, dueAt } = await store.jobs.get('novel', id);
      expect(status).toBe('queued');
      waits.push(dueAt - time);
      time = dueAt;
    }
    expect(waits).toEqual([1000, 2000]);
    await run(unavailable);
    const dead = await store.jobs.get('novel', id);
    expect(dead).toMatchObject({ status: 'failed', attempts: 3, refusal: { code: 'MODEL_UNAVAILABLE' } });
    await store.jobs.repeat('novel', id);
    await run('It rains.');
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'succeeded' });
  });

  it('is not tried again for what will not pass', async () => {
    const id = await queued({ request: { ...request, messages: [] } });
    const { model } = await run('never said');
    expect(model.requests).toEqual([]);
    expect(await store.jobs.get('novel', id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      refusal: { code: 'INVALID_ARGUMENT' },
    });
  });

  it('is left for a while to others when this worker lacks what it needs, until its attempts are used up', async () => {
    const id = await queued({ maxAttempts: 2 });
    const poor: JobWorld = {
      ...worldWith(scriptedModel([])),
      contextOf: async () => {
        throw new GalleyError('CONFIG_INVALID', 'A folder given with --root does not exist.');
      },
    };
    await runJob(await claimed(), poor).ended;
    const left = await store.jobs.get('novel', id);
    expect(left).toMatchObject({ status: 'queued', refusal: { code: 'CONFIG_INVALID' } });
    expect(left.dueAt - time).toBe(10_000);
    time = left.dueAt;
    await runJob(await claimed(), poor).ended;
    expect(await store.jobs.get('novel', id)).toMatchObject({
      ...{ status: 'failed', attempts: 2, refusal: { code: 'CONFIG_INVALID' } },
    });
  });

  it('is left to a worker that has the key of its model, and fails at once where no worker can know the name', async () => {
    const id = await queued();
    const poor = (error: GalleyError): JobWorld => ({
      ...worldWith(scriptedModel([])),
      contextOf: async (job, signal) => ({
        ...(await worldWith(scriptedModel([])).contextOf(job, signal)),
        model: async () => {
          throw error;
        },
      }),
    });
    const refused = (reason: string) =>
      new GalleyError('MODEL_NOT_CONFIGURED', 'Not here.', { details: { reason } });
    await runJob(await claimed(), poor(refused('key-missing'))).ended;
    const left = await store.jobs.get('novel', id);
    expect([left.status, left.dueAt - time]).toEqual(['queued', 10_000]);
    time = left.dueAt;
    await runJob(await claimed(), poor(refused('unknown-model'))).ended;
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'failed', attempts: 2 });
  });

  it('of a pull request is left to a worker that has the login of its host', async () => {
    const pull = { operation: 'forge:review', request: { pull: 'o/r#1' } };
    const id = await queued(pull);
    const world = worldWith(scriptedModel([]));
    const poor: JobWorld = {
      ...world,
      contextOf: async (job, signal) => ({
        ...(await world.contextOf(job, signal)),
        forge: async () => {
          throw new GalleyError('FORGE_NOT_CONFIGURED', 'No token.');
        },
      }),
    };
    await runJob(await claimed(), poor).ended;
    expect(await store.jobs.get('novel', id)).toMatchObject({
      ...{ status: 'queued', refusal: { code: 'FORGE_NOT_CONFIGURED' } },
    });
    // Where no worker may have one, waiting is of no use.
    await queued(pull);
    const [, second] = await store.jobs.list('novel');
    await runJob(await claimed(), world).ended;
    expect(second?.id).toBe(id);
    expect(await store.jobs.list('novel', { status: 'failed' })).toMatchObject([
      { refusal: { code: 'FORGE_NOT_CONFIGURED' } },
    ]);
  });

  it('runs with the grants of whoever started it, not with those of the worker', async () => {
    const id = await queued({ owner: { mark: 'm', grants: ['read'] } });
    const { model } = await run('never said');
    expect(model.requests).toEqual([]);
    expect((await store.jobs.get('novel', id)).refusal).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('that is given back keeps the call under way and loses no attempt', async () => {
    const id = await queued();
    let answer = (_: string) => {};
    const slow = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const model = scriptedModel([() => slow]);
    const job = runJob(await claimed(), worldWith(model));
    await vi.waitFor(() => expect(model.requests).toHaveLength(1));
    const given = job.giveBack();
    answer('It rains.');
    await given;
    await job.ended;
    // It may have come to its end with that answer; else the next one does, and asks nothing.
    const { status } = await store.jobs.get('novel', id);
    if (status === 'queued') expect((await run('never said')).model.requests).toEqual([]);
    expect(await store.jobs.get('novel', id)).toMatchObject({
      ...{ status: 'succeeded', attempts: 1, answer: { text: 'It rains.' } },
    });
  });

  it('that an older worker does not know is left to a newer one', async () => {
    const id = await queued({ operation: 'book:translate' });
    const { model } = await run('never said');
    expect(model.requests).toEqual([]);
    const left = await store.jobs.get('novel', id);
    expect(left).toMatchObject({ status: 'queued', attempts: 0, refusal: { code: 'UNKNOWN_OPERATION' } });
    expect(left.dueAt).toBeGreaterThan(time);
  });

  it('keeps an answer that comes while the disk is full or the store read-only, and asks for it once', async () => {
    const id = await queued();
    let refusals = 3;
    const poor: Store = {
      ...store,
      jobAnswers: {
        ...store.jobAnswers,
        put: async (...given) => {
          refusals -= 1;
          if (refusals >= 0) throw new GalleyError('STORE_UNAVAILABLE', 'The disk is full.');
          return store.jobAnswers.put(...given);
        },
      },
    };
    const model = scriptedModel(['It rains.']);
    const job = runJob(await claimed(), { ...worldWith(model), store: poor });
    expect(await job.ended).toMatchObject({ status: 'succeeded' });
    expect([model.requests.length, refusals]).toEqual([1, -1]);
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });
});

describe('a job that is cancelled', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('while it waits is never begun', async () => {
    const id = await queued();
    expect(await store.jobs.cancel('novel', id)).toMatchObject({ status: 'cancelled' });
    expect(await store.jobs.claim({ limit: 1 }, leaseMs)).toEqual([]);
  });

  it('while a model is asked ends with the next beat, and begins no other call', async () => {
    const id = await queued();
    const model = scriptedModel([
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new GalleyError('CANCELLED', 'Cancelled.')));
        }),
    ]);
    let beats = 0;
    const counted = {
      ...store.jobs,
      renew: (...given: Parameters<typeof store.jobs.renew>) => {
        beats += 1;
        return store.jobs.renew(...given);
      },
    };
    const job = runJob(await claimed(), { ...worldWith(model), store: { ...store, jobs: counted } });
    await vi.waitFor(() => expect(model.requests).toHaveLength(1));
    await store.jobs.cancel('novel', id);
    expect(beats).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(await job.ended).toEqual({ status: 'cancelled' });
    expect([beats, model.requests.length]).toEqual([1, 1]);
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'cancelled', attempts: 1 });
  });

  it('after whoever ran it was gone ends at the next claim, without a call', async () => {
    const id = await queued();
    await claimed();
    await store.jobs.cancel('novel', id);
    time += leaseMs + 1;
    const { model, ended } = await run('never said');
    expect([ended, model.requests.length]).toEqual([{ status: 'cancelled' }, 0]);
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'cancelled' });
  });
});
