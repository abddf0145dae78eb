import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../store/sqlite/open-store.js';
import type { Store } from '../../store/store.js';
import { claimFolder, projectOfFolder } from './project-folder.js';

let root = '';
let store: Store;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'galley-project-'));
  await mkdir(join(root, 'first'));
  store = await openStore({ path: ':memory:', now: () => 1 });
});
afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const inside = { isInside: true };
const elsewhere = { isInside: false };

it('is named after its folder until a project claims it', async () => {
  expect(await projectOfFolder(store, join(root, 'first'), inside)).toBe('first');
  await claimFolder(store, 'novel', join(root, 'first'));
  expect(await projectOfFolder(store, join(root, 'first'), elsewhere)).toBe('novel');
  await claimFolder(store, 'first', join(root, 'first'));
  expect(await projectOfFolder(store, join(root, 'first'), inside)).toBe('first');
});

it('goes with the store in its folder, and with no other', async () => {
  await claimFolder(store, 'novel', join(root, 'first'));
  await rename(join(root, 'first'), join(root, 'second'));
  expect(await projectOfFolder(store, join(root, 'second'), inside)).toBe('novel');
  expect(await projectOfFolder(store, join(root, 'second'), elsewhere)).toBe('second');
  await claimFolder(store, 'another', root);
  expect(await projectOfFolder(store, join(root, 'second'), inside)).toBe('second');
});
