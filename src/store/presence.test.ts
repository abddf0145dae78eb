import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { processPresence } from './presence.js';

describe('a process', () => {
  it('is present until it ends, and no other that has its number later is it', async () => {
    const presence = processPresence();
    const [machine, space, , start] = JSON.parse(await presence.enter()) as [string, string, number, string];
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const named = (more: object = {}) =>
      JSON.stringify(Object.values({ machine, space, pid: child.pid, start: '', ...more }));
    expect(await presence.has(named())).toBe(true);
    if (start !== '') expect(await presence.has(named({ start: '1' }))).toBe(false);
    // The machine was started anew since; and a container whose numbers mean nothing here may still be there.
    expect(await presence.has(named({ machine: 'before' }))).toBe(false);
    expect(await presence.has(named({ space: 'pid:[1]', pid: 1 }))).toBe(true);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect(await presence.has(named())).toBe(false);
  });
});
