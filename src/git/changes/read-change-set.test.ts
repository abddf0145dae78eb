import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { streamPatches } from '../patch/stream-patches.js';
import { writePatch } from '../patch/write-patch.js';
import { defaultBase } from '../repository/branches.js';
import { openRepository, type Repository } from '../repository/open-repository.js';
import {
  inFolder,
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../testing/scratch-repository.js';
import { type ChangeRequest, readChangeSet } from './read-change-set.js';

const open: Repository[] = [];
const made: ScratchRepository[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  for (const each of made.splice(0)) each.dispose();
});

function scratch(options?: { objectFormat?: 'sha1' | 'sha256' }): ScratchRepository {
  const repository = scratchRepository(options);
  made.push(repository);
  return repository;
}

async function changes(repository: ScratchRepository, request: ChangeRequest) {
  const handle = await openRepository(repository.folder);
  open.push(handle);
  const set = await readChangeSet(handle, request);
  const seen = set.entries.map(({ status, path }) => `${status} ${path}`);
  const patch = async () => {
    const parts: Buffer[] = [];
    for await (const each of streamPatches(handle, set.entries)) parts.push(writePatch(each));
    return Buffer.concat(parts).toString('utf8');
  };
  return { handle, set, seen, patch };
}

const blobOf = (content: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');

describe('mode pr', () => {
  it('compares the head with the merge base, not with the tip of the base [diff.modes]', async () => {
    const repository = scratch();
    repository.write('shared.txt', 'one\n');
    const fork = repository.commit('start');
    repository.git('checkout', '-q', '-b', 'feature');
    repository.write('feature.txt', 'mine\n');
    const head = repository.commit('feature');
    repository.git('checkout', '-q', 'main');
    repository.write('base.txt', 'theirs\n');
    repository.commit('base moves on');
    const { set, seen } = await changes(repository, { mode: 'pr', base: 'main', head: 'feature' });
    expect(seen).toEqual(['added feature.txt']);
    expect(set).toMatchObject({
      baseCommit: fork,
      headCommit: head,
      committedAt: '2024-05-06T05:08:09.000Z',
      warnings: [],
    });
  });

  it('takes the first merge base by name of a criss-cross history and says so', async () => {
    const repository = scratch();
    repository.write('file', '0\n');
    repository.commit('start');
    repository.git('checkout', '-q', '-b', 'left');
    repository.write('left', '1\n');
    const left = repository.commit('left');
    repository.git('checkout', '-q', '-b', 'right', 'main');
    repository.write('right', '1\n');
    const right = repository.commit('right');
    repository.git('merge', '-q', '-m', 'cross', left);
    repository.git('checkout', '-q', 'left');
    repository.git('merge', '-q', '-m', 'cross', right);
    const { set } = await changes(repository, { mode: 'pr', base: 'left', head: 'right' });
    const [first] = [left, right].sort();
    expect(set.baseCommit).toBe(first);
    expect(set.warnings).toMatchObject([{ code: 'MERGE_BASE_AMBIGUOUS', details: { used: first } }]);
  });

  it('refuses unrelated histories and names that resolve to nothing', async () => {
    const repository = scratch();
    repository.commit('one');
    repository.git('checkout', '-q', '--orphan', 'other');
    repository.write('x', 'x\n');
    repository.commit('two');
    const refuse = (request: ChangeRequest) => expect(changes(repository, request)).rejects;
    await refuse({ mode: 'pr', base: 'main', head: 'other' }).toMatchObject({ code: 'NO_MERGE_BASE' });
    await refuse({ mode: 'pr', base: 'absent' }).toMatchObject({
      code: 'REVISION_NOT_FOUND',
      details: { revision: 'absent' },
    });
    await refuse({ mode: 'pr', base: '--output=/tmp/x' }).toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await refuse({ mode: 'commit', commit: 'a\nb' }).toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await refuse({ mode: 'commit', commit: 'HEAD:x' }).toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await refuse({ mode: 'pr', bass: 'main' } as never).toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'bass' },
    });
  });

  it('compares directly in a shallow clone without the merge base, with a warning', async () => {
    const origin = scratch();
    origin.write('a', 'a\n');
    origin.commit('1');
    origin.git('checkout', '-q', '-b', 'feature');
    origin.write('b', 'b\n');
    origin.commit('2');
    origin.git('checkout', '-q', 'main');
    origin.write('c', 'c\n');
    origin.commit('3');
    const folder = scratchFolder();
    const clone = inFolder(folder);
    made.push(clone);
    clone.git('clone', '-q', '--depth=1', '--no-single-branch', `file://${origin.folder}`, '.');
    const { set, seen } = await changes(clone, { mode: 'pr', base: 'origin/main', head: 'origin/feature' });
    expect(seen).toEqual(['added b', 'deleted c']);
    expect(set.warnings.map(({ code }) => code)).toEqual(['SHALLOW_NO_MERGE_BASE']);
    await expect(changes(clone, { mode: 'commit' })).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  it('finds the base branch by itself, or says that there is none', async () => {
    const origin = scratch();
    origin.write('a', 'a\n');
    origin.commit('1');
    const handle = await openRepository(origin.folder);
    open.push(handle);
    expect(await defaultBase(handle)).toBeUndefined();
    origin.git('checkout', '-q', '-b', 'feature');
    expect(await defaultBase(handle)).toBe('main');
    origin.git('update-ref', 'refs/remotes/origin/trunk', 'HEAD');
    origin.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    expect(await defaultBase(handle)).toBe('origin/trunk');
    origin.git('branch', 'develop');
    origin.git('branch', '--set-upstream-to=develop', 'feature');
    // Settings are read once, when the repository is opened.
    const later = await openRepository(origin.folder);
    open.push(later);
    expect(await defaultBase(later)).toBe('develop');
  });
});

describe('mode commit', () => {
  it('takes the first parent of a merge [diff.modes]', async () => {
    const repository = scratch();
    repository.commit('start');
    repository.git('checkout', '-q', '-b', 'side');
    repository.write('side', 's\n');
    repository.commit('side');
    repository.git('checkout', '-q', 'main');
    repository.write('main', 'm\n');
    repository.commit('main');
    repository.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    expect((await changes(repository, { mode: 'commit' })).seen).toEqual(['added side']);
  });

  it.each(['sha1', 'sha256'] as const)(
    'compares a root commit with the empty tree in %s [diff.modes]',
    async (objectFormat) => {
      const repository = scratch({ objectFormat });
      repository.write('root', 'r\n');
      repository.commit('root');
      const { set, seen, patch } = await changes(repository, { mode: 'commit', commit: 'HEAD' });
      expect(seen).toEqual(['added root']);
      expect(set.baseCommit).toBeUndefined();
      expect(await patch()).toContain('+r\n');
    },
  );
});

describe('modes staged and working', () => {
  it('see staged, unstaged and untracked changes on a branch without commits [diff.modes]', async () => {
    const repository = scratch();
    repository.write('staged', 's\n');
    repository.git('add', 'staged');
    repository.write('untracked', 'u\n');
    const staged = await changes(repository, { mode: 'staged' });
    expect(staged.seen).toEqual(['added staged']);
    expect(staged.set.committedAt).toBeUndefined();
    expect((await changes(repository, { mode: 'working' })).seen).toEqual([
      'added staged',
      'added untracked',
    ]);
  });

  it('work without an index file', async () => {
    const repository = scratch();
    repository.write('a', 'a\n');
    expect((await changes(repository, { mode: 'staged' })).seen).toEqual([]);
    expect((await changes(repository, { mode: 'working' })).seen).toEqual(['added a']);
  });

  it.each(['sha1', 'sha256'] as const)(
    'keep HEAD, index and working tree apart in %s [diff.modes]',
    async (objectFormat) => {
      const repository = scratch({ objectFormat });
      for (const name of ['kept', 'staged', 'unstaged', 'gone', 'moved', 'empty'])
        repository.write(name, name === 'empty' ? '' : `${name} ${name}\n`);
      repository.write('.gitignore', 'ignored\n');
      repository.commit('start');
      repository.write('staged', 'staged now\n');
      repository.git('add', 'staged');
      repository.write('unstaged', 'unstaged now\n');
      repository.remove('gone');
      repository.remove('empty');
      repository.git('mv', 'moved', 'place');
      repository.write('intended', 'intended\n');
      repository.git('add', '-N', 'intended');
      repository.write('untracked', 'untracked\n');
      repository.write('ignored', 'ignored\n');
      const before = readFileSync(join(repository.folder, '.git/index'));
      const staged = await changes(repository, { mode: 'staged' });
      expect(staged.seen).toEqual(['renamed place', 'modified staged']);
      const working = await changes(repository, { mode: 'working' });
      expect(working.seen).toEqual([
        'deleted empty',
        'deleted gone',
        'added intended',
        'renamed place',
        'modified staged',
        'modified unstaged',
        'added untracked',
      ]);
      expect(working.set.committedAt).toBe('2024-05-06T05:08:09.000Z');
      expect(readFileSync(join(repository.folder, '.git/index')).equals(before)).toBe(true);
    },
  );

  it('give every working file the blob id git would store, and can read it', async () => {
    const repository = scratch();
    repository.write('.gitattributes', '*.txt text eol=crlf\n');
    repository.commit('start');
    repository.write('plain', 'a\n');
    repository.write('ends.txt', 'a\r\nb\r\n');
    const objects = repository.git('count-objects');
    const { set, handle } = await changes(repository, { mode: 'working' });
    expect(set.entries.map(({ path, newBlob }) => [path, newBlob])).toEqual([
      ['ends.txt', blobOf('a\nb\n')],
      ['plain', blobOf('a\n')],
    ]);
    const [found] = await handle.objects.ask('contents', [set.entries[0]!.newBlob!]);
    expect(found?.bytes?.toString()).toBe('a\nb\n');
    expect(repository.git('count-objects')).toBe(objects);
  });

  it('see a change of equal size made in the same instant as the index', async () => {
    const repository = scratch();
    repository.write('racy', 'aaa\n');
    repository.commit('start');
    const time = new Date('2024-01-01T00:00:00Z');
    utimesSync(join(repository.folder, 'racy'), time, time);
    repository.git('update-index', '--refresh');
    utimesSync(join(repository.folder, '.git/index'), time, time);
    repository.write('racy', 'bbb\n');
    utimesSync(join(repository.folder, 'racy'), time, time);
    expect((await changes(repository, { mode: 'working' })).seen).toEqual(['modified racy']);
  });

  it('show a path in conflict once, with the markers in the working tree [diff.entries]', async () => {
    const repository = scratch();
    repository.write('file', 'base\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'other');
    repository.write('file', 'theirs\n');
    repository.write('both', 'their version\n');
    repository.commit('theirs');
    repository.git('checkout', '-q', 'main');
    repository.write('file', 'ours\n');
    repository.write('both', 'our own words\n');
    repository.commit('ours');
    expect(() => repository.git('merge', '-q', 'other')).toThrow();
    const staged = await changes(repository, { mode: 'staged' });
    expect(staged.seen).toEqual(['unmerged both', 'unmerged file']);
    expect(staged.set.warnings).toMatchObject([
      { code: 'PATHS_UNMERGED', details: { paths: ['both', 'file'] } },
    ]);
    expect(staged.set.entries[0]?.newBlob).toBeUndefined();
    expect(await staged.patch()).toBe('* Unmerged path both\n* Unmerged path file\n');
    const working = await changes(repository, { mode: 'working' });
    expect(working.seen).toEqual(['unmerged both', 'unmerged file']);
    expect(await working.patch()).toContain('+<<<<<<< HEAD\n ours\n+=======\n+theirs\n');
    expect(repository.git('ls-files', '-u').split('\n')).toHaveLength(5);
  });

  it('show a submodule whose commit moved and one that is only dirty', async () => {
    const library = scratch();
    library.write('lib', 'l\n');
    library.commit('lib');
    const repository = scratch();
    for (const name of ['moved', 'dirty'])
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, name);
    repository.commit('start');
    const moved = inFolder(join(repository.folder, 'moved'));
    moved.write('lib', 'changed\n');
    const tip = moved.commit('next');
    inFolder(join(repository.folder, 'dirty')).write('lib', 'changed\n');
    const { set, seen, patch } = await changes(repository, { mode: 'working' });
    expect(seen).toEqual(['modified dirty', 'modified moved']);
    expect(set.entries.map(({ kind, dirty }) => [kind, dirty])).toEqual([
      ['submodule', true],
      ['submodule', false],
    ]);
    expect(await patch()).toContain(`+Subproject commit ${tip}\n`);
  });

  it('store LFS files as pointers, whether or not LFS is installed', async () => {
    const repository = scratch();
    repository.git('config', 'filter.lfs.clean', 'no-such-program %f');
    repository.git('config', 'filter.lfs.required', 'true');
    repository.raw([
      '-c',
      'filter.lfs.required=false',
      '-c',
      'filter.lfs.clean=',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'start',
    ]);
    repository.write('.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n');
    repository.write('art.psd', 'large\n');
    const { set } = await changes(repository, { mode: 'working' });
    const entry = set.entries.find(({ path }) => path === 'art.psd');
    const oid = `sha256:${createHash('sha256').update('large\n').digest('hex')}`;
    expect(entry).toMatchObject({ status: 'added', kind: 'lfs-pointer', lfs: { new: { oid, size: 6 } } });
  });

  it('warn about what git cannot take in, and go on', async () => {
    const repository = scratch();
    repository.write('a', 'a\n');
    mkdirSync(join(repository.folder, 'nested'));
    inFolder(join(repository.folder, 'nested')).git('init', '-q', '.');
    const { set, seen } = await changes(repository, { mode: 'working' });
    expect(seen).toEqual(['added a']);
    expect(set.warnings).toMatchObject([
      { code: 'WORKING_PATHS_SKIPPED', details: { total: 1, paths: ['nested/'] } },
    ]);
  });

  it('are refused in a bare repository, where commits still work', async () => {
    const repository = scratch();
    repository.write('a', 'a\n');
    repository.commit('one');
    const bare = inFolder(scratchFolder());
    made.push(bare);
    bare.git('clone', '-q', '--bare', repository.folder, '.');
    await expect(changes(bare, { mode: 'working' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await changes(bare, { mode: 'commit' })).seen).toEqual(['added a']);
  });

  it('work in a linked worktree and in a sparse checkout', async () => {
    const repository = scratch();
    repository.write('in/a', 'a\n');
    repository.write('out/b', 'b\n');
    repository.commit('one');
    const folder = scratchFolder();
    rmSync(folder, { recursive: true });
    repository.git('worktree', 'add', '-q', '-b', 'linked', folder);
    const linked = inFolder(folder);
    made.push(linked);
    linked.git('sparse-checkout', 'set', '--sparse-index', 'in');
    linked.write('in/a', 'changed\n');
    linked.write('in/c', 'c\n');
    expect((await changes(linked, { mode: 'working' })).seen).toEqual(['modified in/a', 'added in/c']);
    expect((await changes(linked, { mode: 'staged' })).seen).toEqual([]);
  });
});

describe('taking in the working tree', () => {
  const changed = () => {
    const repository = scratch();
    for (let n = 0; n < 40; n += 1) repository.write(`src/${n}.txt`, `${n}\n`);
    repository.commit('one');
    for (let n = 0; n < 40; n += 1) repository.write(`src/${n}.txt`, `${n} changed\n`);
    return repository;
  };

  it('writes one pack, in place of a file for each that changed', async () => {
    const { handle, seen } = await changes(changed(), { mode: 'working' });
    expect(seen).toHaveLength(40);
    const files = readdirSync(handle.cleanRoom.objects, { recursive: true }).map(String);
    // Beside it the trees, which git writes one by one.
    expect(files.filter((name) => name.endsWith('.pack'))).toHaveLength(1);
    expect(files.filter((name) => /^\w{2}\/\w{38}$/.test(name))).toHaveLength(2);
  });

  it('reads a file at once where git gives up streaming it', async () => {
    const repository = changed();
    repository.write('src/new.txt', 'new\n');
    const folder = scratchFolder();
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const asked = join(folder, 'asked');
    const fails = `case "$*" in *bigFileThreshold=1*) echo once >> '${asked}'; exit 128;; esac`;
    writeFileSync(join(folder, 'git'), `#!/bin/sh\n${fails}\nexec '${real}' "$@"\n`, { mode: 0o755 });
    const path = process.env.PATH;
    process.env.PATH = `${folder}:${path}`;
    try {
      const { seen, set } = await changes(repository, { mode: 'working' });
      expect(seen).toHaveLength(41);
      expect(set.warnings).toEqual([]);
      expect(readFileSync(asked, 'utf8')).toBe('once\n');
    } finally {
      process.env.PATH = path;
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a partial clone', () => {
  it('says which contents are not here and never asks the network', async () => {
    const origin = scratch();
    origin.git('config', 'uploadpack.allowFilter', 'true');
    origin.write('a', 'one\n');
    origin.commit('1');
    origin.write('a', 'two\n');
    origin.write('b', 'b\n');
    origin.commit('2');
    const clone = inFolder(scratchFolder());
    made.push(clone);
    clone.git('clone', '-q', '--filter=blob:none', '--no-checkout', `file://${origin.folder}`, '.');
    origin.dispose();
    const { set, seen, patch } = await changes(clone, { mode: 'commit' });
    expect(seen).toEqual(['modified a', 'added b']);
    expect(set.entries.every(({ missing }) => missing)).toBe(true);
    expect(set.warnings).toMatchObject([{ code: 'CONTENT_NOT_IN_CLONE', details: { total: 2 } }]);
    expect(await patch()).not.toContain('@@');
  });
});
