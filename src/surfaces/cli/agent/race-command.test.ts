// A race from the shell: one table, one JSON line, what is said beside them, and how the shell sees it end.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../../git/testing/scratch-repository.js';
import { installFakeAgent } from '../../../testing/fake-agent/install-fake-agent.js';
import { speak } from '../words/word.js';
import { raceCommand, takeCommand } from './race-command.js';

let repository: ScratchRepository;
let home: string;
const out: string[] = [];
const talk: string[] = [];

beforeEach(() => {
  repository = scratchRepository();
  repository.write('a.txt', 'one\ntwo\n');
  repository.commit('first');
  home = scratchFolder();
  process.exitCode = undefined;
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'));
  vi.stubEnv('PATH', `${home}${delimiter}${process.env.PATH}`);
  vi.stubEnv('GALLEY_STORE', join(home, 'store.db'));
  vi.spyOn(process, 'cwd').mockReturnValue(repository.folder);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => talk.push(String(text)) > 0);
  fake('claude', 'sed -i s/two/TWO/ a.txt; echo x > new.txt');
  fake('codex', 'echo bad > a.txt');
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  await speak('en');
  repository.dispose();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function fake(cli: string, script: string, behaviour = 'work'): void {
  installFakeAgent(home, cli, behaviour);
  writeFileSync(join(home, `${cli}.jsonl.sh`), script);
}

async function shown(work: Promise<void>) {
  out.length = 0;
  talk.length = 0;
  await work;
  const exit = process.exitCode;
  process.exitCode = undefined;
  return { exit, stdout: out.join(''), stderr: talk.join('') };
}

const cells = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));

describe('galley race', () => {
  it('prints one table, says what to do next, shows it again, and is taken', async () => {
    const ran = await shown(raceCommand('Do it.', { agents: 'claude, codex', check: 'grep TWO a.txt' }));
    expect(ran.exit).toBeUndefined();
    expect(cells(ran.stdout)).toEqual([
      ['agent', 'ended', 'check', 'files', 'lines', 'tokens', 'dollars', 'findings'],
      ['claude', 'answered', 'passed', '2', '+2 −1', '24', '–', '–'],
      ['codex', 'answered', 'failed', '1', '+1 −2', '24', '–', '–'],
    ]);
    expect(ran.stderr).toContain('galley take claude');
    expect(ran.stderr).not.toContain(home);
    const again = await shown(raceCommand(undefined, {}));
    expect([again.stdout, again.exit]).toEqual([ran.stdout, undefined]);
    await speak('zh');
    expect((await shown(raceCommand(undefined, {}))).stdout).toContain('已回答');
    await speak('en');
    const taken = await shown(takeCommand('claude', {}));
    expect(taken.stdout.split('\n').slice(1, 3)).toEqual(['  a.txt', '  new.txt']);
    expect(readFileSync(join(repository.folder, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
    expect((await shown(raceCommand(undefined, {}))).stderr).toContain('taken from this race: claude');
  });

  it('prints events and the race as JSON lines, and discards', async () => {
    const ran = await shown(raceCommand('Do it.', { agents: 'claude,codex', json: true }));
    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const race = lines.at(-1);
    expect(race).toMatchObject({
      kind: 'race',
      entries: [
        { agent: 'claude', ended: 'answered' },
        { agent: 'codex', ended: 'answered' },
      ],
      left: [],
      taken: [],
    });
    expect(new Set(lines.slice(0, -1).map(({ agent }) => agent))).toEqual(new Set(['claude', 'codex']));
    expect(ran.stderr).toBe('');
    const told = await shown(raceCommand(undefined, { json: true }));
    const { kind: _, ...rest } = race;
    expect(JSON.parse(told.stdout)).toEqual(rest);
    const gone = await shown(raceCommand(undefined, { discard: true, json: true }));
    expect(JSON.parse(gone.stdout)).toEqual({ discarded: [race.race] });
    expect((await shown(raceCommand(undefined, { discard: true }))).stdout).toBe('No race is kept here.\n');
    expect(existsSync(join(home, 'cache/galley/race', race.race))).toBe(false);
    await expect(raceCommand(undefined, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends with 1 where no work is good: checks failed, nothing changed, or a tree broke', async () => {
    fake('codex', 'rm .git');
    const ran = await shown(raceCommand('Do it.', { agents: 'claude,codex', check: 'echo told why; false' }));
    expect(ran.exit).toBe(1);
    expect(cells(ran.stdout).map(([, ended, check]) => [ended, check])).toEqual([
      ['ended', 'check'],
      ['answered', 'failed'],
      ['failed (NOT_A_REPOSITORY)', '–'],
    ]);
    expect(ran.stderr).toContain('    told why\n');
    fake('claude', 'true');
    expect((await shown(raceCommand('Do it.', { agents: 'claude' }))).exit).toBe(1);
  });

  it('ends with 130 where it is interrupted in a check, and says what can be taken', async () => {
    const begun = join(home, 'begun');
    const running = shown(raceCommand('Do it.', { agents: 'claude', check: `touch ${begun}; sleep 600` }));
    await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 20_000 });
    process.emit('SIGINT', 'SIGINT');
    const ran = await running;
    expect(ran.exit).toBe(130);
    expect(cells(ran.stdout)[1]?.slice(0, 4)).toEqual(['claude', 'cancelled', '–', '2']);
    expect(ran.stderr).toContain('galley take takes it: claude');
  });

  it('tells of a review that failed, and of files too large to give or to take', async () => {
    const large = join(repository.folder, 'large.bin');
    fake('claude', `cp a.txt b.txt; truncate -s 51M made.bin`);
    installFakeAgent(home, 'gemini', 'api-401');
    writeFileSync(large, Buffer.alloc(51 * 1024 * 1024));
    const ran = await shown(raceCommand('Do it.', { agents: 'claude', reviewModel: 'cli/gemini' }));
    expect(cells(ran.stdout)[1]?.at(-1)).toBe('failed (MODEL_NOT_CONFIGURED)');
    expect(ran.stderr).toContain('each larger than 50 MB: large.bin.');
    expect(ran.stderr).toContain('cannot be taken: made.bin.');
    expect(ran.exit).toBeUndefined();
  });
});
