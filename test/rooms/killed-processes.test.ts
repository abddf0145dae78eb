// Real processes in one room, killed in the middle of what they say and of the turns they take: nothing that was acknowledged is
// lost, nothing stands twice, the order is kept, and no turn lies in another.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRoom, type RoomMessage, readMessage } from '../../src/agents/rooms/room.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import { sweepSize } from '../sweep-size.js';

/** Its clock stands still for a round, so that claims run out between rounds and never in one. */
const child = `
import { openStore } from './open-store.js';
import { sayIn, takeTurn } from './run-room.js';
const [path, name, time] = process.argv.slice(2);
const store = await openStore({ path, now: () => Number(time) });
const door = { rooms: store.rooms, project: 'p', room: 'r', now: () => Number(time) };
const { signal } = new AbortController();
const acknowledge = ({ number }, words) => process.stdout.write(number + ' ' + words + '\\n');
for (let n = 0; ; n += 1) {
  const words = name + ' says ' + n;
  acknowledge(await sayIn(door, { role: 'user', from: name, content: words }, name + '-' + n), words);
  try {
    let said = '';
    const { message } = await takeTurn(door, { agent: 'max', signal }, async ({ messages }) => {
      await new Promise((resolve) => setTimeout(resolve, n % 4));
      said = name + ' turn ' + n + ' saw ' + messages.length;
      return { text: said, receipt: 'none' };
    });
    acknowledge(message, said);
  } catch (error) {
    if (!['CONTEXT_BACKPRESSURE', 'STORE_BUSY'].includes(error.code)) throw error;
  }
}
`;

let bundle = '';
beforeAll(async () => {
  bundle = await mkdtemp(join(tmpdir(), 'galley-rooms-killed-'));
  await build({
    entry: {
      'open-store': resolve('src/store/sqlite/open-store.ts'),
      'run-room': resolve('src/agents/rooms/run-room.ts'),
    },
    outDir: bundle,
    format: 'esm',
    outExtension: () => ({ js: '.js' }),
    config: false,
    silent: true,
  });
  await writeFile(join(bundle, 'package.json'), '{"type":"module"}');
  await writeFile(join(bundle, 'child.js'), child);
  await symlink(resolve('node_modules'), join(bundle, 'node_modules'));
});
afterAll(() => rm(bundle, { recursive: true, force: true }));

/** Kills it a little after it has said so many lines; gives all it said. */
async function until(lines: number, running: ChildProcess, delayMs: number): Promise<string[]> {
  const said: string[] = [];
  const ended = once(running, 'exit');
  for await (const line of createInterface({ input: running.stdout as NonNullable<typeof running.stdout> })) {
    said.push(line);
    if (said.length === lines) setTimeout(() => running.kill('SIGKILL'), delayMs);
  }
  const [code, signal] = await ended;
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  return said;
}

const textOf = ({ content }: RoomMessage) => String(content);

describe('two processes in one room that are killed', () => {
  const count = sweepSize('kills of processes in a room', { everyRun: 4, nightly: 100 });

  it(`lose nothing, say nothing twice and keep the order, ${count} times two`, {
    timeout: 600_000,
  }, async () => {
    const path = join(bundle, 'rooms.db');
    const store = await openStore({ path, now: () => 1 });
    const agent = { name: 'max', agentType: 'plain', permission: 'read', trim: 'hops' } as const;
    await store.rooms.create('p', 'r', newRoom([agent], undefined));
    const acknowledged: string[] = [];
    for (let round = 0; round < count; round += 1) {
      const start = (name: string) =>
        spawn(process.execPath, [join(bundle, 'child.js'), path, name, String((round + 1) * 1e9)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
      const said = await Promise.all(
        ['a', 'b'].map((name, nth) =>
          until(6 + ((round * 5 + nth * 3) % 11), start(`${name}${round}`), (round * 7 + nth * 3) % 23),
        ),
      );
      acknowledged.push(...said.flat());
    }
    const messages = (await store.rooms.messages('p', 'r')).map(readMessage);
    expect(messages.map(({ number }) => number)).toEqual(messages.map((_, at) => at + 1));
    for (const line of acknowledged) {
      const [number = '', ...words] = line.split(' ');
      expect(textOf(messages[Number(number) - 1] as RoomMessage)).toBe(words.join(' '));
    }
    const said = messages.filter(({ role }) => role !== 'notice').map(textOf);
    expect(new Set(said).size).toBe(said.length);
    const reached = new Map<string, number>();
    for (const words of said) {
      const [name = '', kind = '', n = ''] = words.split(' ');
      const writer = `${name} ${kind}`;
      expect(Number(n)).toBeGreaterThan(reached.get(writer) ?? -1);
      reached.set(writer, Number(n));
    }
    let before = 0;
    let turns = 0;
    for (const { number, role, content } of messages) {
      if (role !== 'assistant') continue;
      expect(Number(String(content).split(' saw ')[1])).toBeGreaterThanOrEqual(before);
      before = number;
      turns += 1;
    }
    expect(turns).toBeGreaterThan(count);
    await store.close();
  });
});
