import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import { checkRoom } from './check-room.js';
import { openStore } from './open-store.js';

describe('whether a file can be written', () => {
  const withFile = async (work: (file: string) => Promise<void>) => {
    const folder = scratchFolder();
    const file = join(folder, 'galley.db');
    await writeFile(file, '');
    await work(file);
    await rm(folder, { recursive: true });
  };
  const disk = (bavail: number) => async () => ({ blocks: 1000, bavail, bsize: 4096 }) as never;

  it('depends on the room that is left', () =>
    withFile(async (file) => {
      await checkRoom(file, disk(900));
      await expect(checkRoom(file, disk(1))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('disk'),
      });
    }));

  it('is not refused where nobody knows the room', () =>
    withFile(async (file) => {
      await checkRoom(file, async () => ({ blocks: 0, bavail: 0, bsize: 4096 }) as never);
      await checkRoom(file, async () => Promise.reject(new TypeError('unknown')));
    }));

  it('is refused by a store whose file is gone or that is closed', () =>
    withFile(async (file) => {
      const store = await openStore({ path: file, now: () => 0 });
      await store.checkWritable();
      await rm(file);
      await expect(store.checkWritable()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await store.close();
      await expect(store.checkWritable()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }));
});
