// A worker that could only spoil jobs does not start.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openStoreAt } from '../../../store/place/open-store.js';
import { workerCommand } from './worker-command.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-worker-command-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

it('a worker whose folder is not there is refused before it takes anything', async () => {
  vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const asked = { atOnce: 1, lease: 20, root: [join(folder, 'gone')], untilIdle: true };
  const refused = workerCommand({ ...asked, store: join(folder, 'galley.db') });
  await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await expect(refused).rejects.not.toThrow(folder);
});

it('a worker leaves a review of a repository in none of its folders to others', async () => {
  vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const path = join(folder, 'galley.db');
  const store = await openStoreAt({ path, now: () => 1000 });
  const { id } = await store.jobs.add('novel', {
    ...{ operation: 'review:run', owner: { mark: 'local', grants: ['read', 'run'] } },
    request: { mode: 'commit', commit: 'HEAD', repo: process.cwd() },
  });
  await workerCommand({ atOnce: 1, lease: 20, root: [folder], untilIdle: true, store: path });
  const left = await store.jobs.get('novel', id);
  await store.close();
  const lines = said.mock.calls
    .map(([text]) => String(text))
    .filter((text) => text.startsWith(id.slice(0, 8)));
  expect(lines).toEqual([
    `${id.slice(0, 8)}  review:run  begun, attempt 1 of 8\n`,
    expect.stringMatching(/^\w{8} {2}review:run {2}given back, again in 10 s or later {2}FORBIDDEN: /),
  ]);
  expect(lines.join('')).not.toContain(process.cwd());
  expect(left).toMatchObject({
    status: 'queued',
    refusal: { code: 'FORBIDDEN', details: { field: 'repo' } },
  });
});
