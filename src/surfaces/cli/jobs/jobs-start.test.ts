// Starting and following a job from a shell: of which repository it is, the command that goes on, and what one waits for.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ErrorCode } from '../../../core/model/error.js';
import { openStoreAt } from '../../../store/place/open-store.js';
import type { Store } from '../../../store/store.js';
import { followJob, startJob } from './jobs-command.js';
import { nextCommand } from './next-command.js';

let folder = '';
let said = '';
let store: Store;
let options: { readonly store: string; readonly project: string };

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'galley-jobs-start-')));
  options = { store: join(folder, 'galley.db'), project: 'novel' };
  store = await openStoreAt({ path: options.store, now: () => Date.UTC(2026, 10, 18) });
  said = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
});

afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await store.close();
  await rm(folder, { recursive: true });
});

const draft = { operation: 'book:check', request: {}, owner: { mark: 'm', grants: ['read', 'run'] } };
const review = { mode: 'commit', commit: 'HEAD' };
const start = (request: object) => startJob('review:run', { ...options, input: JSON.stringify(request) });

async function requests(): Promise<unknown[]> {
  const jobs = await store.jobs.list('novel');
  return Promise.all(jobs.map(async ({ id }) => (await store.jobs.get('novel', id)).request));
}

describe('galley jobs start', () => {
  it('prints the command that goes on with the project and store it was given', async () => {
    await startJob('documents:index', options);
    const [job] = await store.jobs.list('novel');
    expect(said).toContain(`galley jobs follow ${job?.id} --project novel --store ${options.store} `);
  });

  it('quotes what a shell would take apart, and repeats no password', () => {
    expect(nextCommand('follow a', {})).toBe('galley jobs follow a');
    const address = 'postgres://galley:secret@db/galley?a=1&b=2';
    expect(nextCommand('follow a', { project: 'my novel', store: address })).toBe(
      "galley jobs follow a --project 'my novel' --store 'postgres://galley:…@db/galley?a=1&b=2'",
    );
  });

  it('has a review say which repository it is of: the one of this folder, or the one that is named', async () => {
    await start(review);
    await start({ ...review, repo: 'services/pay' });
    expect(await requests()).toMatchObject([{ repo: 'services/pay' }, { repo: process.cwd() }]);
  });

  it('queues no review in a folder that is in no repository, unless one is named', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    await expect(start(review)).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
    expect(await requests()).toEqual([]);
    await start({ ...review, repo: 'pay' });
    expect(await requests()).toMatchObject([{ repo: 'pay' }]);
  });
});

describe('galley jobs follow', () => {
  it('says that a job waits for another of its lane while somebody is at that one', async () => {
    await store.jobs.add('novel', { ...draft, lane: 'book' });
    const { id } = await store.jobs.add('novel', { ...draft, lane: 'book' });
    // Somebody is heard of for as long as this test looks at it.
    await store.jobs.claim({ limit: 1 }, 7_200_000);
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 18, 1));
    const following = followJob(id, options);
    await vi.waitFor(() => expect(said).not.toBe(''));
    await store.jobs.cancel('novel', id);
    await following;
    expect(said).toContain('waits for another job of its lane');
    expect(said).not.toContain('no worker');
  });

  it('says that no worker is at it when none is at the job before it either', async () => {
    await store.jobs.add('novel', { ...draft, lane: 'book' });
    const { id } = await store.jobs.add('novel', { ...draft, lane: 'book' });
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 18, 1));
    const following = followJob(id, options);
    await vi.waitFor(() => expect(said).not.toBe(''));
    await store.jobs.cancel('novel', id);
    await following;
    expect(said).toContain('no worker is at it');
  });

  it.each<[ErrorCode, number]>([
    ['CONTEXT_BUDGET_INFEASIBLE', 6],
    ['COST_CEILING_REACHED', 6],
    ['MODEL_UNAVAILABLE', 4],
    ['INVALID_ARGUMENT', 2],
  ])('ends as the operation would have ended here: %s', async (code, exit) => {
    const { id } = await store.jobs.add('novel', draft);
    const [job] = await store.jobs.claim({ limit: 1 }, 1000);
    if (job !== undefined) await store.jobs.settle(job, { status: 'failed', refusal: { code, message: '' } });
    await followJob(id, options);
    expect(process.exitCode).toBe(exit);
  });

  it('ends as what was cancelled does', async () => {
    const { id } = await store.jobs.add('novel', draft);
    await store.jobs.cancel('novel', id);
    await followJob(id, options);
    expect(process.exitCode).toBe(130);
  });
});
