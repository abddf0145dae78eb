// Whatever a run starts ends with it, also what has a group and a session of its own.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import { livingProcesses } from '../../testing/fake-agent/install-fake-agent.js';
import { runProcess } from './run-process.js';

/** Starts a command as agents do, in a group of its own, and says its number. */
const agent = (after: string) => `
  const { spawn } = require('node:child_process');
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  require('node:fs').writeFileSync('started', String(child.pid));
  child.unref();
  ${after}
`;

async function run(after: string, cancel?: AbortController) {
  const folder = scratchFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const started = join(folder, 'started');
  const ended = runProcess({
    ...{
      command: process.execPath,
      args: ['-e', agent(after)],
      folder,
      input: '',
      maxLine: 1000,
      graceMs: 500,
    },
    environment: { PATH: process.env.PATH ?? '' },
    timeouts: { firstByteMs: 60_000, totalMs: 60_000 },
    signal: (cancel ?? new AbortController()).signal,
    onLine: () => 'nothing',
  });
  if (cancel !== undefined) {
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), 20_000);
    cancel.abort();
  }
  const end = await ended;
  return { end, left: () => livingProcesses(Number(readFileSync(started, 'utf8'))) };
}

describe('a run that is over', () => {
  it('has left no command behind when it was cancelled', async () => {
    const { end, left } = await run('setInterval(() => {}, 1000);', new AbortController());
    expect(end).toMatchObject({ kind: 'ended', stopped: 'cancelled' });
    await vi.waitFor(() => expect(left()).toEqual([]), 20_000);
  });

  it.runIf(process.platform === 'linux')('has left none behind when it ended by itself', async () => {
    const { end, left } = await run('');
    expect(end).toMatchObject({ kind: 'ended', exit: 0, stopped: undefined });
    await vi.waitFor(() => expect(left()).toEqual([]), 20_000);
  });
});
