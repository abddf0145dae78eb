// Calls over real threads and real processes: answers, refusals, text as it comes, cancellation, and the end of either side.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installFakeAgent, livingProcesses } from '../../testing/fake-agent/install-fake-agent.js';
import { createEngine, type Engine } from '../engine.js';
import { connectIpc } from './connect-ipc.js';
import { serveIpc } from './serve-ipc.js';
import { type BuiltPeers, buildPeers } from './testing/build-peers.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-ipc-')));
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };
let peers: BuiltPeers;
beforeAll(async () => {
  peers = await buildPeers();
});
afterAll(() => {
  peers.dispose();
  rmSync(root, { recursive: true, force: true });
});

interface Peer {
  readonly port: Worker | ChildProcess;
  stop(): Promise<unknown>;
}

let count = 0;
function stage(behaviour: string) {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  const fake = installFakeAgent(folder, 'claude', behaviour);
  return { folder, fake, env: { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder } };
}

const kinds: [string, (file: string, folder: string, env: Record<string, string>) => Peer][] = [
  [
    'a worker thread',
    (file, folder, env) => {
      const worker = new Worker(file, { argv: [folder], env });
      return { port: worker, stop: () => worker.terminate() };
    },
  ],
  ...(['json', 'advanced'] as const).map((serialization): (typeof kinds)[number] => [
    `a child process that speaks ${serialization}`,
    (file, folder, env) => {
      const child = fork(file, [folder], { env, serialization, execArgv: [] });
      return {
        port: child,
        stop: () => {
          const gone = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          return gone;
        },
      };
    },
  ]),
];

describe.each(kinds)('an engine in %s', (_, start) => {
  it('answers with the bytes of an engine at hand, and refuses with its code', async () => {
    const { folder, env } = stage('answer');
    const { port, stop } = start(peers.engine, folder, env);
    const client = connectIpc(port);
    const near = createEngine({ folder, store: ':memory:' });
    const [far, here] = [
      await client.call('agents:assemble', turn),
      await near.call('agents:assemble', turn),
    ];
    expect(JSON.stringify(far)).toBe(JSON.stringify(here));
    await expect(client.call('agents:assemble', { ...turn, maxBytes: -1 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'maxBytes' },
    });
    await expect(client.call('no:such', {})).rejects.toMatchObject({ code: 'UNKNOWN_OPERATION' });
    const many = await Promise.all(
      Array.from({ length: 20 }, (_each, n) =>
        client.call('agents:assemble', { ...turn, currentMessage: `${n}` }),
      ),
    );
    expect(many.map(({ prompt }) => prompt)).toEqual(many.map((_each, n) => `[MESSAGE]\n${n}`));
    client.close();
    await stop();
  });

  it('sends text as it comes, and ends the agent when the call is cancelled', async () => {
    const { folder, env, fake } = stage('begin-hang');
    const { port, stop } = start(peers.engine, folder, env);
    const client = connectIpc(port);
    const cancel = new AbortController();
    const heard: string[] = [];
    const kinds: string[] = [];
    const running = client.call('agents:run', turn, {
      signal: cancel.signal,
      onEvent: ({ kind }) => kinds.push(kind),
      onText: (text) => {
        heard.push(text);
        cancel.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(heard.join('')).toMatch(/^Hel/);
    expect(kinds.slice(0, 2)).toEqual(['warning', 'session']);
    await expect.poll(() => livingProcesses(fake.call().pid), { timeout: 20_000 }).toEqual([]);
    expect(await client.call('agents:assemble', turn)).toMatchObject({ prompt: '[MESSAGE]\nHello' });
    client.close();
    await stop();
  });

  it('ends every waiting call when it dies', async () => {
    const { folder, env, fake } = stage('begin-hang');
    const { port, stop } = start(peers.engine, folder, env);
    const client = connectIpc(port);
    const running = client.call('agents:run', turn, { onText: () => void stop() });
    await expect(running).rejects.toMatchObject({ code: 'INCOMPLETE' });
    // Whoever dies by force ends nobody else.
    for (const pid of livingProcesses(fake.call().pid)) process.kill(pid, 'SIGKILL');
    await expect(client.call('agents:assemble', turn)).rejects.toMatchObject({ code: 'INCOMPLETE' });
  });
});

describe.each(kinds)('a caller in %s', (_, start) => {
  it('gets answers and refusals of the engine here', async () => {
    const { folder, env } = stage('answer');
    const { port, stop } = start(peers.caller, folder, env);
    const engine = createEngine({ folder, store: ':memory:' });
    const said = new Promise<unknown>((resolve) => {
      port.on('message', (message: object) => {
        if ('answer' in message && 'refusal' in message) resolve(message);
      });
    });
    const served = serveIpc(port, engine);
    expect(await said).toMatchObject({
      answer: { prompt: '[MESSAGE]\nHello' },
      refusal: { code: 'INVALID_ARGUMENT', details: { field: 'maxBytes' } },
    });
    served.close();
    await stop();
  });
});

describe('a port', () => {
  const never: Engine = { call: () => new Promise(() => undefined) };

  it('ignores what is not for it: strange messages, unknown ids, an id in use, a second answer', async () => {
    const { port1, port2 } = new MessageChannel();
    const calls: unknown[] = [];
    const engine: Engine = {
      call: async (id, request) => {
        calls.push([id, request]);
        return { n: calls.length };
      },
    };
    const served = serveIpc(port1, engine);
    const client = connectIpc(port2);
    let heard = 0;
    const forgeries = new Promise<void>((resolve) => {
      port2.on('message', () => {
        heard += 1;
        if (heard === 3) resolve();
      });
    });
    const strange: unknown[] = [
      null,
      5,
      'call',
      [],
      {},
      { galley: 2, kind: 'call', id: 1, operation: 'x', request: {} },
      { galley: 1, kind: 'call', id: -1, operation: 'x', request: {} },
      { galley: 1, kind: 'call', id: 1, operation: 'x', request: {}, more: 1 },
      { galley: 1, kind: 'cancel', id: 77 },
      { galley: 1, kind: 'eval', id: 1 },
    ];
    for (const message of strange) port2.postMessage(message);
    for (const id of [1, 2, 99]) {
      port1.postMessage({ galley: 1, kind: 'answer', id, answer: { ok: true, data: 'forged too early' } });
    }
    await forgeries;
    expect(await client.call('skills:list', {})).toEqual({ n: 1 });
    port1.postMessage({ galley: 1, kind: 'answer', id: 1, answer: { ok: true, data: 'again' } });
    expect(await client.call('skills:list', {})).toEqual({ n: 2 });
    expect(calls).toEqual([
      ['skills:list', {}],
      ['skills:list', {}],
    ]);
    client.close();
    served.close();
    port1.close();
  });

  it('refuses an answer that does not speak like Galley', async () => {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', ({ id }) => port1.postMessage({ galley: 1, kind: 'answer', id, answer: 'yes' }));
    const client = connectIpc(port2);
    await expect(client.call('skills:list', {})).rejects.toMatchObject({ code: 'INTERNAL' });
    client.close();
    port1.close();
  });

  it('ends waiting calls when it closes, and cancels them on the other side', async () => {
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise<void>((resolve) => {
      serveIpc(port1, {
        call: (_id, _request, { signal } = {}) => {
          signal?.addEventListener('abort', () => resolve());
          setImmediate(() => port2.close());
          return never.call('', {});
        },
      });
    });
    const client = connectIpc(port2);
    await expect(client.call('skills:list', {})).rejects.toMatchObject({ code: 'INCOMPLETE' });
    await ended;
  });

  it('sends nothing that is not plain data, and nothing for a call cancelled before it began', async () => {
    const { port1, port2 } = new MessageChannel();
    const heard: unknown[] = [];
    port1.on('message', (message) => heard.push(message));
    const client = connectIpc(port2);
    await expect(client.call('skills:list' as string, { projectId: () => 'x' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'projectId' },
    });
    const signal = AbortSignal.abort();
    await expect(client.call('skills:list', {}, { signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    port2.close();
    await new Promise((resolve) => port1.once('close', resolve));
    expect(heard).toEqual([]);
  });

  it('needs a channel', () => {
    expect(() => connectIpc({ on: () => undefined, off: () => undefined })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});
