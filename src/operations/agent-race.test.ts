// A race of fake CLIs, as processes, in real repositories: what becomes of each is a row, and what one did can be taken.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Race } from '../agents/race/run-race.js';
import type { TakenWork } from '../agents/race/take-work.js';
import { GalleyError } from '../core/model/error.js';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../git/testing/scratch-repository.js';
import type { AgentEvent } from '../models/contract/agent-event.js';
import { openStore } from '../store/sqlite/open-store.js';
import type { Store } from '../store/store.js';
import {
  type FakeAgent,
  installFakeAgent,
  livingProcesses,
} from '../testing/fake-agent/install-fake-agent.js';
import { call } from './call.js';
import type { Grant, OperationContext } from './operation.js';

let repository: ScratchRepository;
let home: string;
let store: Store;
let time = 1_700_000_000_000;

beforeEach(async () => {
  repository = scratchRepository();
  home = scratchFolder();
  store = await openStore({ path: ':memory:', now: () => time });
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'));
  vi.stubEnv('PATH', `${home}${delimiter}${process.env.PATH}`);
  repository.write('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n');
  repository.write('.gitignore', 'ignored\n');
  repository.commit('first');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await store.close();
  repository.dispose();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function fake(cli: string, script: string, behaviour = 'work'): FakeAgent {
  const agent = installFakeAgent(home, cli, behaviour);
  writeFileSync(join(home, `${cli}.jsonl.sh`), script);
  return agent;
}

const everything: readonly Grant[] = ['read', 'write', 'run'];

const context = (more: Partial<OperationContext> = {}): OperationContext => ({
  signal: new AbortController().signal,
  folder: repository.folder,
  debug: false,
  grants: new Set(everything),
  log: () => undefined,
  now: () => (time += 1000),
  store: async () => store,
  model: () => Promise.reject(new Error('no model')),
  mayRunCommands: true,
  ...more,
});

const race = (request: object, more: Partial<OperationContext> = {}) =>
  call(
    'agents:race:run',
    { task: 'Do it.', agents: ['claude', 'codex'], ...request },
    context(more),
  ) as Promise<Race>;
const take = (agent: string) => call('agents:race:take', { agent }, context()) as Promise<TakenWork>;
const rows = ({ entries }: Race) =>
  entries.map(({ agent, ended, code, check, files }) => [
    agent,
    ended,
    code ?? check?.passed,
    files.map(({ path }) => path),
  ]);
const text = (path: string) => readFileSync(join(repository.folder, path), 'utf8');
const worktrees = () => repository.git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length ?? 0;
const leftovers = () =>
  existsSync(join(home, 'cache/galley/race')) ? readdirSync(join(home, 'cache/galley/race')) : [];

describe('a race', () => {
  it('gives each agent a tree as it stands, checks what it made, and touches nothing of the user', async () => {
    repository.write('a.txt', `${text('a.txt')}mine, not committed\n`);
    repository.write('new.txt', 'mine, not tracked\n');
    repository.write('ignored', 'mine\n');
    const claude = fake('claude', 'sed -i s/two/TWO/ a.txt; printf "\\0\\1" > made.bin; echo x > ignored');
    fake('codex', 'echo bad > a.txt; git -c user.name=x -c user.email=x@x commit -qam done');
    const before = repository.git('status', '--porcelain');
    const events: AgentEvent[] = [];
    const ended = await race(
      { check: 'grep TWO a.txt && cat new.txt' },
      { onEvent: (event) => events.push(event) },
    );
    expect(rows(ended)).toEqual([
      ['claude', 'answered', true, ['a.txt', 'made.bin']],
      ['codex', 'answered', false, ['a.txt']],
    ]);
    expect(ended.entries[0]).toMatchObject({
      check: { exit: 0, timedOut: false, tail: 'TWO\nmine, not tracked\n' },
      files: [{ added: 1, removed: 1, binary: false }, { binary: true }],
      usage: { inputTokens: 17, outputTokens: 7 },
    });
    expect(claude.call().entries).toEqual(['.git', '.gitignore', 'a.txt', 'new.txt']);
    expect(new Set(events.map(({ agent }) => agent))).toEqual(new Set(['claude', 'codex']));
    expect(repository.git('status', '--porcelain')).toBe(before);
    expect(text('a.txt')).toContain('two');
  });

  it('has a row for whoever fails', async () => {
    fake('claude', 'echo half > half.txt', 'work-fail');
    fake('codex', 'echo done > done.txt');
    expect(rows(await race({}))).toEqual([
      ['claude', 'failed', 'MODEL_UNAVAILABLE', ['half.txt']],
      ['codex', 'answered', undefined, ['done.txt']],
    ]);
  });

  it('with somebody who is not there begins for nobody', async () => {
    fake('claude', 'echo done > done.txt');
    const events: AgentEvent[] = [];
    const running = race({ agents: ['claude', 'nobody'] }, { onEvent: (event) => events.push(event) });
    await expect(running).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
    expect([events, worktrees(), leftovers()]).toEqual([[], 1, []]);
  });

  it('has a row with a code for whoever broke its tree, or never got one; the others go on', async () => {
    repository.git('config', 'filter.twice.smudge', 'mkdir "$HOME/1" || mkdir "$HOME/2" && cat');
    repository.git('config', 'filter.twice.clean', 'cat');
    repository.git('config', 'filter.twice.required', 'true');
    repository.write('.gitattributes', 'b.txt filter=twice\n');
    repository.write('b.txt', 'b\n');
    repository.commit('filtered');
    // A repository around the trees must not be taken for theirs.
    spawnSync('git', ['init', '-q', home]);
    fake('claude', 'rm .git; echo lost > lost.txt');
    fake('codex', 'echo done > done.txt');
    fake('gemini', 'echo never > never.txt');
    const ended = await race({ agents: ['claude', 'codex', 'gemini'] });
    expect(rows(ended)).toEqual([
      ['claude', 'failed', 'NOT_A_REPOSITORY', []],
      ['codex', 'answered', undefined, ['done.txt']],
      ['gemini', 'failed', 'GIT_FAILED', []],
    ]);
    expect(existsSync(join(home, '.git/index'))).toBe(false);
    expect(await take('codex')).toMatchObject({ files: ['done.txt'] });
    await call('agents:race:discard', {}, context());
    expect([worktrees(), leftovers()]).toEqual([1, []]);
  });

  it('cancelled in a check is cancelled, for whoever waited too; their work stays to be taken', async () => {
    fake('claude', 'echo done > done.txt');
    fake('codex', 'echo done > done.txt');
    const cancel = new AbortController();
    const ended = await race(
      { check: `touch ${home}/checking-$$; sleep 600` },
      {
        signal: cancel.signal,
        onEvent: ({ kind, agent }) => {
          if (kind === 'tool-started')
            void vi
              .waitFor(() => expect(readFileSync(recordOf(), 'utf8').match(/done\.txt/g)).toHaveLength(2), {
                timeout: 20_000,
              })
              .then(() => cancel.abort(agent));
        },
      },
    );
    expect(rows(ended)).toEqual([
      ['claude', 'cancelled', undefined, ['done.txt']],
      ['codex', 'cancelled', undefined, ['done.txt']],
    ]);
    expect(readdirSync(home).filter((name) => name.startsWith('checking-')).length).toBeLessThan(2);
    expect(worktrees()).toBe(1);
    await take('codex');
    expect(text('done.txt')).toBe('done\n');
  });

  it('tells a review that failed from one that found nothing, or was not asked for', async () => {
    fake('claude', 'echo done > done.txt');
    const loaded = { id: 'x' } as never;
    let asked = 0;
    const model = async () => {
      asked += 1;
      if (asked === 1) return loaded;
      throw new GalleyError('MODEL_UNAVAILABLE', 'It is not there.');
    };
    const [entry] = (await race({ agents: ['claude'], reviewModel: 'x' }, { model })).entries;
    expect(entry).toMatchObject({ ended: 'answered', reviewCode: 'MODEL_UNAVAILABLE' });
    expect(entry).not.toHaveProperty('findings');
    expect((await race({ agents: ['claude'] })).entries[0]).not.toHaveProperty('reviewCode');
  });

  it('keeps large untracked files out of the object store, and says which', async () => {
    const large = join(repository.folder, 'large [1].bin');
    writeFileSync(large, '');
    truncateSync(large, 51 * 1024 * 1024);
    repository.write('small.txt', 'small\n');
    const claude = fake(
      'claude',
      'head -c 54525952 /dev/zero > made.bin; echo done > done.txt; rm small.txt',
    );
    const ended = await race({ agents: ['claude'] });
    expect(ended.left).toEqual(['large [1].bin']);
    expect(claude.call().entries).toEqual(['.git', '.gitignore', 'a.txt', 'small.txt']);
    expect(rows(ended)).toEqual([['claude', 'answered', undefined, ['done.txt', 'small.txt']]]);
    expect(ended.entries[0]?.left).toEqual(['made.bin']);
    for (const size of [51, 52]) {
      truncateSync(large, size * 1024 * 1024);
      const id = repository.git('hash-object', large).trim();
      expect(spawnSync('git', ['cat-file', '-e', id], { cwd: repository.folder }).status).not.toBe(0);
    }
  });

  it('cancelled: what was done stays to be taken, the rest leaves no tree and no process', async () => {
    const codex = fake('codex', 'echo done > done.txt');
    const claude = fake('claude', '', 'ignore-term');
    const cancel = new AbortController();
    const ended = await race(
      { agents: ['claude', 'codex'] },
      {
        signal: cancel.signal,
        onEvent: ({ kind, agent }) => {
          if (kind === 'text' && agent === 'claude')
            void vi
              .waitFor(() => expect(text(`.git/galley/race/${raceId()}/race.json`)).toContain('done.txt'), {
                timeout: 20_000,
              })
              .then(() => cancel.abort());
        },
      },
    );
    expect(rows(ended)).toEqual([
      ['claude', 'cancelled', undefined, []],
      ['codex', 'answered', undefined, ['done.txt']],
    ]);
    expect([claude, codex].flatMap((agent) => livingProcesses(agent.call().pid))).toEqual([]);
    expect(worktrees()).toBe(2);
    await take('codex');
    expect([worktrees(), leftovers(), text('done.txt')]).toEqual([1, [], 'done\n']);
  });

  it('cancelled while they work: what stood in a tree by then can be taken', async () => {
    fake('claude', '', 'begin-hang');
    const cancel = new AbortController();
    const ended = await race(
      { agents: ['claude'], setup: 'echo half > half.txt' },
      { signal: cancel.signal, onEvent: ({ kind }) => kind === 'text' && cancel.abort() },
    );
    expect(rows(ended)).toEqual([['claude', 'cancelled', undefined, ['half.txt']]]);
    await take('claude');
    expect([worktrees(), text('half.txt')]).toEqual([1, 'half\n']);
  });

  it('cancelled before anybody is done, nothing of it is left', async () => {
    fake('claude', '', 'begin-hang');
    const cancel = new AbortController();
    const running = race(
      { agents: ['claude'] },
      { signal: cancel.signal, onEvent: ({ kind }) => kind === 'text' && cancel.abort() },
    );
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([worktrees(), leftovers(), readdirSync(join(repository.folder, '.git/galley/race'))]).toEqual([
      1,
      [],
      [],
    ]);
  });

  it('ends a check that takes too long, with what it started', async () => {
    fake('claude', 'echo done > done.txt');
    const ended = await race({
      agents: ['claude'],
      check: 'sleep 600 & echo $! > pid; sleep 600',
      checkTimeoutMs: 300,
    });
    expect(ended.entries[0]?.check).toMatchObject({ passed: false, timedOut: true });
    const pid = readFileSync(
      join(home, 'cache/galley/race', ended.race, '1', repository.folder.split('/').at(-1) ?? '', 'pid'),
      'utf8',
    );
    // A zombie waits for whoever reaps it, and no longer counts.
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid.trim()], { encoding: 'utf8' });
    expect(stdout.trim()).toMatch(/^(?:Z.*)?$/);
  });

  it('gives each agent the submodules the user has, and names those it changed', async () => {
    const library = scratchRepository();
    library.write('lib.txt', 'lib\n');
    library.commit('lib');
    const add = ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library.folder];
    repository.git(...add, 'libs/one');
    repository.git(...add, 'libs/two');
    repository.git(...add, 'libs/none');
    repository.commit('with submodules');
    repository.git('submodule', 'deinit', '-q', '-f', 'libs/none');
    library.dispose();
    fake('claude', 'cat libs/*/lib.txt > seen.txt; echo x >> libs/one/lib.txt; ls -A libs/none >> seen.txt');
    fake(
      'codex',
      'cd libs/two; echo y > lib.txt; git -c user.name=x -c user.email=x@x commit -qam changed; cd ../..; echo done > done.txt',
    );
    const ended = await race({});
    expect(ended.entries.map(({ files, submodules }) => [files.map(({ path }) => path), submodules])).toEqual(
      [
        [['seen.txt'], ['libs/one']],
        [['done.txt'], ['libs/two']],
      ],
    );
    await take('claude');
    expect(text('seen.txt')).toBe('lib\nlib\n');
    expect(text('libs/one/lib.txt')).toBe('lib\n');
    expect(repository.git('status', '--porcelain')).toBe('?? seen.txt');
    await call('agents:race:discard', {}, context());
    expect([worktrees(), leftovers()]).toEqual([1, []]);
  });

  it('has a check that is not there fail, and says what the shell said', async () => {
    fake('claude', 'echo done > done.txt');
    const [entry] = (await race({ agents: ['claude'], check: 'no-such-command --now' })).entries;
    expect(entry?.check).toMatchObject({
      passed: false,
      exit: 127,
      tail: expect.stringContaining('not found'),
    });
  });

  it('is refused where no worktree can stand, before any agent begins', async () => {
    const claude = fake('claude', 'echo done > done.txt');
    writeFileSync(join(home, 'taken'), '');
    vi.stubEnv('XDG_CACHE_HOME', join(home, 'taken'));
    await expect(race({ agents: ['claude'] })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('XDG_CACHE_HOME'),
    });
    expect(claude.call()).toBeUndefined();
    expect(worktrees()).toBe(1);
  });

  it('runs no command for a caller who is not at the machine', async () => {
    await expect(race({ check: 'true' }, { mayRunCommands: false })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(race({}, { grants: new Set(['run']) })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is discarded with its worktrees', async () => {
    fake('claude', 'echo done > done.txt');
    const { race: id } = await race({ agents: ['claude'] });
    expect(worktrees()).toBe(2);
    expect(await call('agents:race:discard', {}, context())).toEqual({ discarded: [id] });
    expect([worktrees(), leftovers()]).toEqual([1, []]);
    await expect(take('claude')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

const recordOf = () => join(repository.folder, '.git/galley/race', raceId(), 'race.json');
const raceId = () => readdirSync(join(repository.folder, '.git/galley/race'))[0] ?? '';

describe('taking the work of an agent', () => {
  beforeEach(async () => {
    fake(
      'claude',
      'sed -i s/two/TWO/ a.txt; printf "\\0\\1" > made.bin; mkdir -p deep; echo x > deep/x; chmod +x deep/x',
    );
    fake('codex', 'rm a.txt');
    await race({});
  });

  it('puts all of it beside what the user changed elsewhere in the file, and can be undone', async () => {
    repository.write('a.txt', text('a.txt').replace('eight', 'EIGHT'));
    const { turn, ...taken } = await take('claude');
    expect(taken).toMatchObject({
      agent: 'claude',
      files: ['a.txt', 'deep/x', 'made.bin'],
      merged: ['a.txt'],
    });
    expect(text('a.txt')).toBe('one\nTWO\nthree\nfour\nfive\nsix\nseven\nEIGHT\n');
    expect(readFileSync(join(repository.folder, 'made.bin'))).toEqual(Buffer.from([0, 1]));
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
    await call('agents:undo', { turn }, context());
    expect(text('a.txt')).toBe('one\ntwo\nthree\nfour\nfive\nsix\nseven\nEIGHT\n');
    expect(existsSync(join(repository.folder, 'deep'))).toBe(false);
    await expect(take('claude')).resolves.toMatchObject({ merged: ['a.txt'] });
  });

  it('fits between lines that the user changed right beside, as branches are merged', async () => {
    repository.write('a.txt', text('a.txt').replace('one', 'zero\none').replace('four', 'FOUR'));
    await expect(take('claude')).resolves.toMatchObject({ merged: ['a.txt'] });
    expect(text('a.txt')).toBe('zero\none\nTWO\nthree\nFOUR\nfive\nsix\nseven\neight\n');
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
    await expect(take('claude')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  });

  it('is refused whole where the user changed the same lines, or has a file in the way', async () => {
    repository.write('a.txt', text('a.txt').replace('two', 'zwei'));
    await expect(take('claude')).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
      details: { paths: ['a.txt'] },
    });
    await expect(take('codex')).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    repository.write('a.txt', text('a.txt').replace('zwei', 'two'));
    repository.write('made.bin', 'mine\n');
    await expect(take('claude')).rejects.toMatchObject({ details: { paths: ['made.bin'] } });
    expect([text('made.bin'), existsSync(join(repository.folder, 'deep'))]).toEqual(['mine\n', false]);
  });

  it('twice is said to be there already; of two that changed one file the second does not fit', async () => {
    await take('claude');
    await expect(take('claude')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(take('codex')).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    await expect(take('gemini')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
