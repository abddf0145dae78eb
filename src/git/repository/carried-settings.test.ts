import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type ChangeRequest, readChangeSet } from '../changes/read-change-set.js';
import { listTree } from '../objects/tree-files.js';
import {
  inFolder,
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../testing/scratch-repository.js';
import { defaultBase } from './branches.js';
import { openRepository, type Repository } from './open-repository.js';
import { resolveCommit, resolveHead } from './resolve-commit.js';

const made: string[] = [];
const open: Repository[] = [];
afterEach(async () => {
  for (const handle of open.splice(0)) await handle.close();
});
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function scratch(): ScratchRepository {
  const repository = scratchRepository();
  made.push(repository.folder);
  repository.write('a.txt', 'a\n');
  repository.commit('start');
  return repository;
}

async function handleOn(folder: string): Promise<Repository> {
  const handle = await openRepository(folder);
  open.push(handle);
  return handle;
}

async function seen({ folder }: ScratchRepository, request: ChangeRequest = { mode: 'working' }) {
  const set = await readChangeSet(await handleOn(folder), request);
  return { ...set, seen: set.entries.map(({ status, path }) => `${status} ${path}`) };
}

describe('settings that say how files and names are read', () => {
  it('count: line ends, excluded files, modes [R2]', async () => {
    const repository = scratch();
    repository.git('config', 'core.autocrlf', 'input');
    repository.git('config', 'core.filemode', 'false');
    const excludes = join(scratchFolder(), 'excludes "x"');
    made.push(join(excludes, '..'));
    writeFileSync(excludes, '*.mine\n');
    repository.git('config', 'core.excludesFile', excludes);
    mkdirSync(join(repository.folder, '.git/info'), { recursive: true });
    writeFileSync(join(repository.folder, '.git/info/exclude'), '*.log\n');
    for (const name of ['x.mine', 'x.log', 'x.new']) repository.write(name, 'x\n');
    repository.write('a.txt', 'a\r\n');
    repository.executable('a.txt', true);
    expect((await seen(repository)).seen).toEqual(['added x.new']);
  });

  it('count in a linked work tree: its own HEAD, its index, the shared names [R2]', async () => {
    const repository = scratch();
    repository.git('branch', 'odd"na=me.x');
    const linked = inFolder(join(scratchFolder(), 'linked'));
    made.push(join(linked.folder, '..'));
    repository.git('worktree', 'add', '-q', '-b', 'side', linked.folder, 'main');
    linked.git('branch', '--set-upstream-to=odd"na=me.x', 'side');
    linked.write('b.txt', 'b\n');
    const tip = linked.commit('side');
    linked.write('c.txt', 'c\n');
    linked.git('add', 'c.txt');
    const handle = await handleOn(linked.folder);
    expect((await resolveHead(handle))?.id).toBe(tip);
    expect(await defaultBase(handle)).toBe('odd"na=me.x');
    for (const name of ['side', '@{u}', 'HEAD@{1}', 'side@{1}'])
      expect((await resolveCommit(handle, name)).id).toBe(linked.git('rev-parse', name));
    expect((await seen(linked, { mode: 'staged' })).seen).toEqual(['added c.txt']);
  });

  it('count for a split index and a sparse one [R2]', async () => {
    const repository = scratch();
    repository.write('deep/b.txt', 'b\n');
    repository.commit('deep');
    repository.git('update-index', '--split-index');
    repository.write('a.txt', 'changed\n');
    repository.git('add', 'a.txt');
    expect((await seen(repository, { mode: 'staged' })).seen).toEqual(['modified a.txt']);
    repository.git('update-index', '--no-split-index');
    repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'nowhere');
    repository.write('new.txt', 'n\n');
    expect((await seen(repository)).seen).toEqual(['modified a.txt', 'added new.txt']);
  });
});

describe('a filter of the config', () => {
  it('is not run, and the review says so where one would have been [R2]', async () => {
    const repository = scratch();
    repository.write('.gitattributes', '*.txt filter=x\n*.md filter=nobody\n');
    repository.commit('attributes');
    repository.git('config', 'filter.x.clean', 'sed s/b/Z/');
    repository.git('config', 'filter.x.required', 'true');
    expect((await seen(repository)).warnings).toEqual([]);
    repository.write('a.txt', 'a\nb\n');
    repository.write('n.md', 'n\n');
    const { warnings, newTree } = await seen(repository);
    expect(warnings).toMatchObject([{ code: 'FILTERS_NOT_RUN', details: { total: 1, paths: ['a.txt'] } }]);
    const handle = open.at(-1);
    const blob = (await listTree(handle!, newTree)).find(({ path }) => path === 'a.txt')?.blob ?? '';
    const [found] = (await handle?.objects.ask('contents', [blob])) ?? [];
    expect(found?.bytes?.toString()).toBe('a\nb\n');
    expect(handle?.filters).toEqual(new Set(['x']));
  });
});

describe('submodules', () => {
  it('are looked at one by one: moved, dirty inside, gone, absent [R2]', async () => {
    const library = scratch();
    const middle = scratch();
    const add = (to: ScratchRepository, from: ScratchRepository, name: string) =>
      to.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from.folder, name);
    add(middle, library, 'inner');
    middle.commit('inner');
    const repository = scratch();
    for (const name of ['calm', 'deep', 'gone', 'moved', 'untracked']) add(repository, middle, name);
    repository.commit('modules');
    const inside = (path: string) => inFolder(join(repository.folder, path));
    inside('deep').git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    inside('deep/inner').write('a.txt', 'changed\n');
    const tip = inside('moved').commit('next');
    inside('untracked').write('new', 'n\n');
    rmSync(join(repository.folder, 'gone'), { recursive: true });
    const { entries } = await seen(repository);
    expect(entries.map(({ path, status, dirty }) => [path, status, dirty])).toEqual([
      ['deep', 'modified', true],
      ['gone', 'deleted', false],
      ['moved', 'modified', false],
      ['untracked', 'modified', true],
    ]);
    expect(entries.find(({ path }) => path === 'moved')?.newBlob).toBe(tip);
  });

  it('that cannot be read are named as unread [R2]', async () => {
    const library = scratch();
    const repository = scratch();
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'lib');
    repository.commit('module');
    writeFileSync(join(repository.folder, '.git/modules/lib/HEAD'), 'rubbish\n');
    expect((await seen(repository)).unread).toEqual(['lib/']);
  });
});
