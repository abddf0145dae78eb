// What a turn did to a folder is taken back, and nothing else is touched.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { scratchFolder, scratchRepository } from '../../git/testing/scratch-repository.js';
import { openKeptFolder } from './kept-folder.js';
import { loggedTurns, logStep } from './turn-log.js';
import { keepTurn, undoTurn } from './undo-turn.js';

const now = () => 1_700_000_000_000;

function plainFolder(): string {
  const folder = scratchFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function put(folder: string, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Everything in the folder but what git and Galley keep there. */
function shown(folder: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name } of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? name : `${below}/${name}`;
    if (name === '.git' || path === '.galley') continue;
    const stat = lstatSync(join(folder, path));
    if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(folder, path))}`;
    else if (stat.isDirectory()) Object.assign(found, shown(folder, path));
    else found[path] = `${stat.mode & 0o777} ${readFileSync(join(folder, path), 'latin1')}`;
  }
  return found;
}

/** Everything Galley keeps of a folder without git stands apart from it. */
function apart(): string {
  const state = scratchFolder();
  vi.stubEnv('XDG_STATE_HOME', state);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(state, { recursive: true, force: true });
  });
  return state;
}

const turn = async (folder: string, work: () => void, named?: readonly string[]) => {
  const watched = await keepTurn(folder, { by: 'claude', now });
  work();
  await watched.end(named);
};
const undo = (folder: string, more: { dryRun?: boolean; allSince?: boolean; turn?: string } = {}) =>
  undoTurn({ folder, now, dryRun: false, allSince: false, ...more });

describe('a folder without git', () => {
  it('holds nothing of what is kept to undo its turns', async () => {
    const state = apart();
    const folder = plainFolder();
    put(folder, 'a.md', 'before');
    await turn(folder, () => put(folder, 'a.md', 'after'));
    expect(readdirSync(folder)).toEqual(['a.md']);
    expect(readdirSync(join(state, 'galley', 'undo'))).toHaveLength(1);
    await undo(folder);
    expect(shown(folder)).toEqual({ 'a.md': '420 before' });
  });

  it('can be undone as an earlier version kept it, which is then kept apart', async () => {
    const state = apart();
    const folder = plainFolder();
    put(folder, 'a.md', 'before');
    await turn(folder, () => put(folder, 'a.md', 'after'));
    const [name = ''] = readdirSync(join(state, 'galley', 'undo'));
    cpSync(join(state, 'galley', 'undo', name), join(folder, '.galley', 'agent'), { recursive: true });
    rmSync(join(state, 'galley'), { recursive: true });
    await undo(folder);
    expect(shown(folder)).toEqual({ 'a.md': '420 before' });
    expect(readdirSync(join(folder, '.galley'))).toEqual([]);
  });

  it('is kept inside where nothing can be written outside', async () => {
    const folder = plainFolder();
    put(folder, 'a.md', 'before');
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'a.md'));
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await turn(folder, () => put(folder, 'a.md', 'after'));
    expect((await openKeptFolder(folder)).home).toBe(join(folder, '.galley', 'agent'));
    await undo(folder);
    expect(shown(folder)).toEqual({ 'a.md': '420 before' });
  });
});

describe('undoing a turn', () => {
  it('says whose changes may be among it, and is no turn where it does nothing', async () => {
    const { folder, git } = scratchRepository();
    put(folder, 'a.md', 'before');
    git('add', 'a.md');
    await turn(folder, () => git('mv', 'a.md', 'b.md'));
    const { turn: id } = await undo(folder, { dryRun: true });
    expect(await undo(folder)).toMatchObject({ othersToo: true, restored: ['a.md'] });
    await turn(folder, () => put(folder, 'c.md', 'c'), ['c.md']);
    expect(await undo(folder)).toMatchObject({ othersToo: false, removed: ['c.md'] });
    await turn(folder, () => undefined);
    const { home } = await openKeptFolder(folder);
    const before = await loggedTurns(home);
    expect(await undo(folder)).toMatchObject({ turn: before.at(-1)?.id, restored: [], removed: [] });
    expect(await undo(folder)).toMatchObject({ turn: before.at(-1)?.id });
    expect(await loggedTurns(home)).toEqual(before);
    expect(before.map((one) => one.id)).toContain(id);
  });

  it('takes out of the index what the turn staged, and nothing that a person staged since', async () => {
    const repository = scratchRepository();
    onTestFinished(() => repository.dispose());
    const { folder, git } = repository;
    const index = () => git('ls-files', '--stage');
    for (const name of ['moved.md', 'part.md', '文 x.md']) repository.write(name, 'committed\n');
    repository.commit('first');
    put(folder, 'part.md', 'staged\n');
    git('add', 'part.md');
    put(folder, 'part.md', 'not staged\n');
    const before = index();
    await turn(folder, () => {
      git('mv', 'moved.md', 'away.md');
      git('rm', '-q', '文 x.md');
      put(folder, 'new/one.md', 'agent\n');
      put(folder, 'mine.md', 'agent\n');
      git('add', '-A');
    });
    const left = index();
    const dry = await undo(folder, { dryRun: true });
    expect(index()).toBe(left);
    expect(dry.unstaged).toHaveLength(6);
    put(folder, 'mine.md', 'mine\n');
    git('add', 'mine.md');
    const told = await undo(folder);
    expect(told).toMatchObject({ indexChanged: true, left: [{ path: 'mine.md' }] });
    expect(told.unstaged).toEqual(['away.md', 'moved.md', 'new/one.md', 'part.md', '文 x.md']);
    git('rm', '-q', '--cached', 'mine.md');
    expect(index()).toBe(before);
    // The undo is a turn like any other; where git is at work itself, the index is left to it.
    await undo(folder, { turn: told.undo ?? '' });
    git('add', 'mine.md');
    expect(git('ls-files').split('\n')).toContain('new/one.md');
    writeFileSync(join(folder, '.git', 'index.lock'), '');
    expect(await undo(folder)).toMatchObject({
      restored: ['moved.md', '文 x.md'],
      unstaged: [],
      indexChanged: true,
    });
  });

  it('leaves an index that somebody committed since, or staged beside an agent that names its files', async () => {
    const repository = scratchRepository();
    onTestFinished(() => repository.dispose());
    const { folder, git } = repository;
    repository.write('a.md', 'a\n');
    repository.commit('first');
    const stage = (text: string) => () => {
      put(folder, 'a.md', text);
      git('add', 'a.md');
    };
    await turn(folder, stage('one\n'));
    git('commit', '-qm', 'kept');
    expect(await undo(folder)).toMatchObject({ restored: ['a.md'], unstaged: [], indexChanged: false });
    await turn(folder, stage('two\n'), ['a.md']);
    expect(await undo(folder)).toMatchObject({ restored: ['a.md'], unstaged: [], indexChanged: false });
    expect(git('diff', '--cached', '--name-only').trim()).toBe('a.md');
  });

  it('brings back tracked, untracked and ignored files, links, modes and line ends, byte for byte', async () => {
    const repository = scratchRepository();
    const { folder } = repository;
    onTestFinished(() => repository.dispose());
    repository.write('.gitattributes', '* text eol=lf\n*.bin filter=lost\n');
    repository.write('.gitignore', 'build/\n.env\n');
    repository.write('tracked.txt', 'one\r\ntwo\r\n');
    repository.commit('first');
    put(folder, 'untracked.md', 'mine\n');
    put(folder, '.env', 'KEY=1\n');
    put(folder, 'build/out.bin', Buffer.from([0, 255, 13, 10, 128]));
    put(folder, 'run.sh', '#!/bin/sh\n');
    chmodSync(join(folder, 'run.sh'), 0o700);
    symlinkSync('untracked.md', join(folder, 'link'));
    put(folder, 'deep/only/file.txt', 'deep\n');
    const before = shown(folder);
    await turn(folder, () => {
      put(folder, 'tracked.txt', 'changed\n');
      put(folder, '.env', 'KEY=2\n');
      rmSync(join(folder, 'build'), { recursive: true });
      rmSync(join(folder, 'untracked.md'));
      chmodSync(join(folder, 'run.sh'), 0o600);
      rmSync(join(folder, 'link'));
      put(folder, 'link', 'no link any more\n');
      rmSync(join(folder, 'deep'), { recursive: true });
      put(folder, 'deep', 'a file now\n');
      put(folder, 'new/folder/file.txt', 'new\n');
    });
    const told = await undo(folder);
    expect(shown(folder)).toEqual(before);
    expect(existsSync(join(folder, 'new'))).toBe(false);
    expect(told).toMatchObject({ by: 'claude', removed: ['deep', 'new/folder/file.txt'], left: [] });
    expect(repository.git('status', '--porcelain').split('\n').filter(Boolean)).toEqual([
      '?? deep/',
      '?? link',
      '?? run.sh',
      '?? untracked.md',
    ]);
  });

  it('leaves what a person changed since, and says so', async () => {
    const folder = plainFolder();
    put(folder, 'a.txt', 'a\n');
    put(folder, 'b.txt', 'b\n');
    await turn(folder, () => {
      put(folder, 'a.txt', 'agent\n');
      put(folder, 'b.txt', 'agent\n');
      put(folder, 'c.txt', 'agent\n');
    });
    put(folder, 'a.txt', 'agent and I\n');
    put(folder, 'mine.txt', 'mine\n');
    const told = await undo(folder);
    expect(told.left).toEqual([{ path: 'a.txt', why: 'changed-since' }]);
    expect([told.restored, told.removed]).toEqual([['b.txt'], ['c.txt']]);
    expect(shown(folder)).toEqual({
      'a.txt': '420 agent and I\n',
      'b.txt': '420 b\n',
      'mine.txt': '420 mine\n',
    });
    // Once it is as the turn left it, the rest can be taken back by name.
    put(folder, 'a.txt', 'agent\n');
    expect(await undo(folder, { turn: told.turn })).toMatchObject({ restored: ['a.txt'], left: [] });
  });

  it('never touches our own store, which others have open', async () => {
    const folder = plainFolder();
    put(folder, '.galley/galley.db', 'before');
    put(folder, '.galley/draft.md', 'before');
    await turn(folder, () => {
      put(folder, '.galley/draft.md', 'agent');
      put(folder, '.galley/galley.db-wal', 'a room');
    });
    put(folder, '.galley/galley.db', 'a receipt');
    const told = await undo(folder, { allSince: true });
    expect([told.restored, told.removed]).toEqual([['.galley/draft.md'], []]);
    expect(readFileSync(join(folder, '.galley/galley.db'), 'utf8')).toBe('a receipt');
  });

  it('stays open when everything was changed since, and can be done later', async () => {
    const folder = plainFolder();
    put(folder, 'a.txt', 'a');
    await turn(folder, () => put(folder, 'a.txt', 'b'));
    put(folder, 'a.txt', 'mine');
    expect(await undo(folder)).toMatchObject({ restored: [], left: [{ path: 'a.txt' }] });
    put(folder, 'a.txt', 'b');
    const told = await undo(folder);
    expect(told.restored).toEqual(['a.txt']);
    await undo(folder, { turn: told.undo ?? '' });
    expect(shown(folder)).toEqual({ 'a.txt': '420 b' });
  });

  it('leaves what a person changed during the turn, where the agent names its files', async () => {
    const folder = plainFolder();
    put(folder, 'a.txt', 'a\n');
    await turn(folder, () => {
      put(folder, 'a.txt', 'agent\n');
      put(folder, 'notes.txt', 'mine\n');
    }, ['a.txt']);
    const told = await undo(folder);
    expect(told.left).toEqual([{ path: 'notes.txt', why: 'not-the-agents' }]);
    expect(shown(folder)).toEqual({ 'a.txt': '420 a\n', 'notes.txt': '420 mine\n' });
  });

  it('never writes through a link that leads out of the folder', async () => {
    const folder = plainFolder();
    const outside = plainFolder();
    put(folder, 'sub/file.txt', 'inside\n');
    await turn(folder, () => rmSync(join(folder, 'sub'), { recursive: true }));
    symlinkSync(outside, join(folder, 'sub'));
    const told = await undo(folder);
    expect(told.left).toEqual([{ path: 'sub/file.txt', why: 'changed-since' }]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('can be undone itself, shows first on request, and goes back turn by turn', async () => {
    const folder = plainFolder();
    put(folder, 'a.txt', '0');
    for (const text of ['1', '2']) await turn(folder, () => put(folder, 'a.txt', text));
    expect(await undo(folder, { dryRun: true })).toMatchObject({ restored: ['a.txt'] });
    expect(shown(folder)).toEqual({ 'a.txt': '420 2' });
    await undo(folder);
    expect(shown(folder)).toEqual({ 'a.txt': '420 1' });
    const { home } = await openKeptFolder(folder);
    const back = (await loggedTurns(home)).find(({ by }) => by === 'undo');
    await undo(folder, { turn: back?.id ?? '' });
    expect(shown(folder)).toEqual({ 'a.txt': '420 2' });
    for (const text of ['1', '0']) {
      await undo(folder);
      expect(shown(folder)).toEqual({ 'a.txt': `420 ${text}` });
    }
    await expect(undo(folder)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses a turn that was cut off, since its work cannot be told from a person’s', async () => {
    const folder = plainFolder();
    put(folder, 'a.txt', 'a');
    await keepTurn(folder, { by: 'codex', now });
    put(folder, 'a.txt', 'b');
    await expect(undo(folder)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    expect(shown(folder)).toEqual({ 'a.txt': '420 b' });
    expect(await undo(folder, { allSince: true })).toMatchObject({ restored: ['a.txt'] });
    expect(shown(folder)).toEqual({ 'a.txt': '420 a' });
  });

  it('lives with a log that was cut in the middle of a line', async () => {
    const folder = plainFolder();
    put(folder, 'a.txt', 'a');
    await turn(folder, () => put(folder, 'a.txt', 'b'));
    const { home } = await openKeptFolder(folder);
    writeFileSync(
      join(home, 'turns.jsonl'),
      `${readFileSync(join(home, 'turns.jsonl'), 'utf8')}{"step":"beg`,
    );
    await logStep(home, { step: 'undone', id: 'nobody' });
    expect(await undo(folder)).toMatchObject({ restored: ['a.txt'] });
  });

  it('says whether the agent made commits, which it does not take back', async () => {
    const repository = scratchRepository();
    onTestFinished(() => repository.dispose());
    repository.write('a.txt', 'a\n');
    repository.commit('first');
    await turn(repository.folder, () => {
      repository.write('a.txt', 'b\n');
      repository.commit('by the agent');
    });
    expect(await undo(repository.folder)).toMatchObject({ headMoved: true, restored: ['a.txt'] });
  });

  it('is exact for any two states of a folder, and touches no third', async () => {
    const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a', 'x y', '文', 'b/a');
    const state = fc.dictionary(path, fc.constantFrom('', 'one\n', 'two\r\n', '\0'), { maxKeys: 5 });
    const folder = plainFolder();
    const show = (files: Record<string, string>) => {
      for (const name of readdirSync(folder))
        if (name !== '.galley') rmSync(join(folder, name), { recursive: true });
      for (const [at, text] of Object.entries(files)) {
        try {
          put(folder, at, text);
        } catch {
          // A file stands where this one needs a folder.
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(state, state, async (first, second) => {
        show(first);
        const before = shown(folder);
        await turn(folder, () => show(second));
        await undo(folder);
        expect(shown(folder)).toEqual(before);
      }),
      { numRuns: sweepSize('states of a folder undone', { everyRun: 8, nightly: 200 }) },
    );
  });
});
