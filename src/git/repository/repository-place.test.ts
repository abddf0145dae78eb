import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repositoryPlace } from './repository-place.js';

it('is asked of git once, and again as soon as a folder leads elsewhere', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-place-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [here, other] = [join(root, 'here'), join(root, 'other')];
  for (const folder of [here, other]) execFileSync('git', ['init', '-q', folder]);
  const inner = join(here, 'inner');
  mkdirSync(inner);
  // Long after the folders were made.
  const later = () => Date.now() + 60_000;

  const first = await repositoryPlace(inner, later);
  expect(first).toEqual({ topLevel: here, gitDirectory: join(here, '.git') });
  expect(await repositoryPlace(inner, later)).toBe(first);

  writeFileSync(join(inner, '.git'), `gitdir: ${join(other, '.git')}\n`);
  expect(await repositoryPlace(inner, later)).toMatchObject({ gitDirectory: join(other, '.git') });
  rmSync(join(inner, '.git'));
  expect(await repositoryPlace(inner, later)).toEqual(first);
  execFileSync('git', ['-C', here, 'config', 'core.worktree', other]);
  expect((await repositoryPlace(here, later)).topLevel).not.toBe(here);
  renameSync(join(here, '.git'), join(root, 'gone'));
  await expect(repositoryPlace(here, later)).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
});

it('is not remembered while it may still be changing', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'galley-place-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', folder]);
  const first = await repositoryPlace(folder);
  expect(await repositoryPlace(folder)).not.toBe(first);
});
