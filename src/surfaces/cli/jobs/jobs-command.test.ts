// Dead letters as a person meets them: what failed and why, how it is repeated, and no word of what was asked.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStoreAt } from '../../../store/place/open-store.js';
import type { Store } from '../../../store/store.js';
import { followJob, listJobs, repeatJob, showJob } from './jobs-command.js';

const marker = 'M4RK';
let folder = '';
let said = '';
let later = 0;
let store: Store;
let options: { readonly store: string; readonly project: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-jobs-command-'));
  options = { store: join(folder, 'galley.db'), project: 'novel' };
  store = await openStoreAt({ path: options.store, now: () => Date.UTC(2026, 10, 18) + later });
  said = '';
  later = 0;
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

async function deadLetter(): Promise<string> {
  const { id } = await store.jobs.add('novel', {
    ...{ operation: 'book:check', request: { text: marker }, owner: { mark: 'm', grants: ['read', 'run'] } },
    ...{ key: 'nightly', lane: 'book', maxAttempts: 1 },
  });
  const [job] = await store.jobs.claim({ limit: 1 }, 1000);
  const refusal = { code: 'MODEL_UNAVAILABLE', message: 'The model is away.' };
  if (job !== undefined) await store.jobs.settle(job, { status: 'failed', refusal });
  return id;
}

describe('galley jobs', () => {
  it('lists a dead letter with its reason, shows it, and repeats it by the beginning of its id', async () => {
    const id = await deadLetter();
    await listJobs({ ...options, status: 'failed' });
    expect(said).toMatch(new RegExp(`^${id.slice(0, 8)} +book:check +failed +1 .*MODEL_UNAVAILABLE$`, 'm'));
    said = '';
    await showJob(id.slice(0, 8), options);
    for (const fact of [id, '1/1', 'nightly', 'MODEL_UNAVAILABLE: The model is away.', 'galley jobs repeat'])
      expect(said).toContain(fact);
    expect(said).toContain(`--project novel --store ${options.store} `);
    // The store is named as it was given, so that the command works; nothing else is told of this machine.
    const facts = said.replaceAll(options.store, '');
    for (const secret of [marker, folder]) expect(facts).not.toContain(secret);
    await repeatJob(id.slice(0, 8), options);
    expect(await store.jobs.get('novel', id)).toMatchObject({ status: 'queued', attempts: 0 });
  });

  it('follows one that failed to its end, which is an exit code', async () => {
    await followJob(await deadLetter(), options);
    expect(said).toContain('MODEL_UNAVAILABLE');
    expect(process.exitCode).toBe(4);
    expect(said).not.toContain(marker);
  });

  it('says that nobody is at a job whose worker died, or that none has taken, and what to do', async () => {
    const draft = { operation: 'book:check', request: {}, owner: { mark: 'm', grants: ['read', 'run'] } };
    const { id } = await store.jobs.add('novel', draft);
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 18, 1));
    const ends = async () => {
      await vi.waitFor(() => expect(said).toContain('galley worker'));
      await store.jobs.cancel('novel', id);
      const [job] = await store.jobs.claim({ limit: 1 }, 1);
      if (job !== undefined) await store.jobs.settle(job, { status: 'cancelled' });
    };
    await Promise.all([followJob(id, options), ends()]);
    expect(said).toContain('no worker is at it');
  });

  it('tells while it follows that a job is held up, and that it is begun again', async () => {
    const draft = { operation: 'book:check', request: {}, owner: { mark: 'm', grants: ['read', 'run'] } };
    const { id } = await store.jobs.add('novel', draft);
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 18));
    const taken = async () => {
      const [job] = await store.jobs.claim({ limit: 1 }, 1000);
      if (job === undefined) throw new TypeError('nothing to claim');
      return job;
    };
    const refusal = { code: 'MODEL_UNAVAILABLE', message: 'The model is away.' };
    await store.jobs.settle(await taken(), { status: 'queued', afterMs: 60_000, refusal });
    const goesOn = async () => {
      await vi.waitFor(() => expect(said).toMatch(/tried again later; galley jobs show .*attempt 1\/8/));
      later = 60_000;
      const job = await taken();
      await vi.waitFor(() => expect(said).toMatch(/begun again.*attempt 2\/8\nrunning$/m));
      await store.jobs.settle(job, { status: 'cancelled' });
    };
    await Promise.all([followJob(id, options), goesOn()]);
    expect(said).toMatch(/cancelled$/m);
  });

  it('prints the report of a review that ended in the format that is asked for', async () => {
    const draft = { operation: 'review:run', request: {}, owner: { mark: 'm', grants: ['read', 'run'] } };
    const { id } = await store.jobs.add('novel', draft);
    const [job] = await store.jobs.claim({ limit: 1 }, 1000);
    const answer = {
      ...{ dryRun: false, report: '# Found', format: 'markdown', findings: [], complete: true },
      ...{ coverage: 'all of it', warnings: [] },
    };
    if (job !== undefined) await store.jobs.settle(job, { status: 'succeeded', answer });
    await showJob(id, options);
    expect(said).toContain('--format markdown');
    said = '';
    await showJob(id, { ...options, format: 'markdown' });
    expect(said).toBe('# Found\n');
    said = '';
    await showJob(id, { ...options, format: 'sarif' });
    expect(JSON.parse(said)).toMatchObject({ version: '2.1.0' });
    await expect(showJob(await deadLetter(), { ...options, format: 'json' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});
