import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../src/git/testing/scratch-repository.js';
import { type FakeAgent, installFakeAgent } from '../../src/testing/fake-agent/install-fake-agent.js';
import { runPacked, startPacked } from './packed-program.js';

let ground: string;
let temp: string;
let repository: ScratchRepository;
let fake: FakeAgent;

beforeEach(() => {
  ground = scratchFolder();
  temp = join(ground, 'temp');
  mkdirSync(temp);
  repository = scratchRepository({ folder: join(ground, 'repository') });
  repository.write('a.txt', 'a\n');
  repository.commit('start');
  fake = installFakeAgent(ground, 'claude', 'begin-hang');
});
afterEach(() => rmSync(ground, { recursive: true, force: true }));

const environment = () => ({ TMPDIR: temp, PATH: `${ground}${delimiter}${process.env.PATH}` });

/** A run that has said its first words and goes on for ever. */
async function hangingRun() {
  const child = startPacked(['agent', 'run'], { cwd: repository.folder, env: environment() });
  child.stdin?.end(JSON.stringify([{ from: 'ada', content: 'Hi' }]));
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  await new Promise((spoken) => child.stdout?.once('data', spoken));
  return { child, ended };
}

const review = () => runPacked(['review', '--working'], { cwd: repository.folder, env: environment() });

describe('a run that is told to end', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s says so with exit code %i and leaves nothing behind [R25]', async (signal, exit) => {
    const { child, ended } = await hangingRun();
    expect(readdirSync(temp)).not.toEqual([]);
    child.kill(signal);
    expect(await ended).toBe(exit);
    expect(readdirSync(temp)).toEqual([]);
  });

  it('by force leaves what the next run removes, and only that [R25]', async () => {
    const killed = await hangingRun();
    killed.child.kill('SIGKILL');
    await killed.ended;
    process.kill(fake.call().pid, 'SIGKILL');
    const left = readdirSync(temp);
    expect(left).toHaveLength(1);
    // Folders of others: of another program, of another machine, of a process that still runs.
    mkdirSync(join(temp, 'galley-git-notes'));
    const elsewhere = left[0]?.replace(/-[0-9a-f]{12}-/, '-0123456789ab-') ?? '';
    mkdirSync(join(temp, elsewhere));
    const living = await hangingRun();
    const now = readdirSync(temp);
    expect(now).not.toContain(left[0]);
    expect(now).toHaveLength(3);
    expect((await review()).exit).toBe(0);
    expect(readdirSync(temp)).toEqual(now);
    living.child.kill('SIGTERM');
    await living.ended;
    expect(readdirSync(temp).sort()).toEqual([elsewhere, 'galley-git-notes'].sort());
  });
});
