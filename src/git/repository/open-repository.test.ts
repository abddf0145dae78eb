import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readChangeSet } from '../changes/read-change-set.js';
import { streamPatches } from '../patch/stream-patches.js';
import { scratchFolder, scratchRepository } from '../testing/scratch-repository.js';
import { openRepository } from './open-repository.js';

const scratch = scratchRepository();
scratch.write('folder/a', 'a\n');
scratch.commit('one');
for (let index = 0; index < 300; index += 1) scratch.write(`folder/${index}`, `${index}\n`.repeat(500));
scratch.commit('two');

afterAll(() => scratch.dispose());

describe('an opened repository', () => {
  it('knows top level, git directory and object format from any folder', async () => {
    const repository = await openRepository(join(scratch.folder, 'folder'));
    expect(repository).toMatchObject({
      topLevel: scratch.folder,
      gitDirectory: join(scratch.folder, '.git'),
      objectFormat: 'sha1',
      shallow: false,
    });
    await repository.close();
  });

  it('refuses what is not a repository without naming the machine', async () => {
    const empty = scratchFolder();
    for (const path of [empty, join(empty, 'absent'), 'a\0b']) {
      const error = await openRepository(path).catch((caught) => caught);
      expect(error.code).toBe('NOT_A_REPOSITORY');
      expect(JSON.stringify(error)).not.toContain(empty);
    }
    rmSync(empty, { recursive: true });
  });

  it('leaves nothing behind after closing', async () => {
    const repository = await openRepository(scratch.folder);
    const name = repository.cleanRoom.folder.split('/').at(-1)!;
    expect(readdirSync(tmpdir())).toContain(name);
    await readChangeSet(repository, { mode: 'working' });
    await repository.close();
    expect(readdirSync(tmpdir())).not.toContain(name);
  });

  it.each(['a "quoted" \\ näme: here', 'two\nlines'])(
    'works for a repository whose path needs quoting: %j',
    async (name) => {
      const folder = join(scratchFolder(), name);
      const odd = scratchRepository({ folder });
      odd.write('a', 'a\n');
      odd.commit('one');
      const repository = await openRepository(folder);
      expect(repository.topLevel).toBe(folder);
      expect((await readChangeSet(repository, { mode: 'commit' })).entries).toHaveLength(1);
      await repository.close();
      rmSync(join(folder, '..'), { recursive: true });
    },
  );
});

describe('a call in progress', () => {
  it('stops when its signal is aborted, and tells cancel from timeout', async () => {
    const repository = await openRepository(scratch.folder);
    const { entries } = await readChangeSet(repository, { mode: 'commit' });
    const controller = new AbortController();
    const read = async (signal: AbortSignal) => {
      for await (const _ of streamPatches(repository, entries, { signal })) controller.abort();
    };
    await expect(read(controller.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    await expect(read(late)).rejects.toMatchObject({ code: 'TIMEOUT' });
    await repository.close();
  });

  it('is streamed, and ends its process when the reader walks away [diff.stream]', async () => {
    const repository = await openRepository(scratch.folder);
    const { entries } = await readChangeSet(repository, { mode: 'commit' });
    const seen: string[] = [];
    for await (const { entry } of streamPatches(repository, entries)) {
      seen.push(entry.path);
      break;
    }
    expect(seen).toEqual([entries[0]?.path]);
    await repository.close();
    const children = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap');
    await vi.waitFor(() => expect(children()).toEqual([]));
  });

  it('turns a damaged object into a refusal that names no path', async () => {
    const damaged = scratchRepository();
    damaged.write('a', 'one\n');
    damaged.commit('one');
    damaged.write('a', 'two\n');
    damaged.commit('two');
    const blob = damaged.git('rev-parse', 'HEAD:a');
    const file = join(damaged.folder, '.git/objects', blob.slice(0, 2), blob.slice(2));
    rmSync(file);
    writeFileSync(file, 'rubbish');
    const repository = await openRepository(damaged.folder);
    const read = async () => {
      const { entries } = await readChangeSet(repository, { mode: 'commit' });
      let missing = entries.some((entry) => entry.missing);
      for await (const patch of streamPatches(repository, entries)) missing ||= patch.entry.missing;
      return missing;
    };
    const outcome = await read().catch((error) => error);
    if (outcome !== true) expect(outcome).toMatchObject({ code: 'GIT_FAILED' });
    expect(JSON.stringify(outcome)).not.toContain(damaged.folder);
    await repository.close();
    damaged.dispose();
  });
});
