// Electron's two ends, over a stand-in that clones whatever crosses it as Electron does.
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../operations/operation.js';
import { operationIds } from '../../operations/table.js';
import { createEngine, type Engine } from '../engine.js';
import { ipcBridge, ipcClient } from './preload-client.js';
import { type IpcMain, type IpcMainEvent, type RegisterIpcOptions, registerIpc } from './register-ipc.js';

type Handler = (event: IpcMainEvent, ...args: unknown[]) => unknown;

/** A main process with windows; a message is cloned on its way. */
function electron() {
  const handlers = new Map<string, Handler>();
  const listeners = new EventEmitter();
  const ipcMain: IpcMain = {
    handle: (channel, listener) => {
      if (handlers.has(channel)) throw new TypeError('a second handler');
      handlers.set(channel, listener);
    },
    removeHandler: (channel) => handlers.delete(channel),
    on: (channel, listener) => listeners.on(channel, listener),
    removeListener: (channel, listener) => listeners.removeListener(channel, listener),
  };
  const openWindow = (url: string | null) => {
    const contents = new EventEmitter();
    const page = new EventEmitter();
    const send = (channel: string, ...args: unknown[]) => page.emit(channel, {}, ...structuredClone(args));
    const sender = Object.assign(contents, { send });
    const event = { sender, senderFrame: url === null ? null : { url } } as unknown as IpcMainEvent;
    const ipcRenderer = {
      invoke: async (channel: string, ...args: unknown[]): Promise<unknown> => {
        const handler = handlers.get(channel);
        if (handler === undefined) throw new TypeError(`No handler registered for '${channel}'`);
        return structuredClone(await handler(event, ...structuredClone(args)));
      },
      send: (channel: string, ...args: unknown[]) =>
        void listeners.emit(channel, event, ...structuredClone(args)),
      on: (channel: string, listener: (event: unknown, ...args: unknown[]) => void) =>
        page.on(channel, listener),
    };
    return {
      ipcRenderer,
      client: ipcClient(ipcBridge(ipcRenderer)),
      destroy: () => contents.emit('destroyed'),
    };
  };
  return { ipcMain, openWindow, handlers, listeners };
}

const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };
const app = { origins: ['app://studio/'] };

function registered(engine: Engine, options: RegisterIpcOptions = app) {
  const desk = electron();
  const registration = registerIpc(desk.ipcMain, engine, options);
  return { ...desk, registration };
}

describe('the door in the main process of Electron', () => {
  it('handles one channel for each operation, and takes them back', () => {
    const { handlers, listeners, registration } = registered({ call: async () => ({}) });
    expect([...handlers.keys()]).toEqual(operationIds);
    expect([...handlers.keys()]).toEqual(
      expect.arrayContaining(['context:assemble', 'context:inspect', 'constraints:create', 'ai:skill:run']),
    );
    registration.close();
    expect(handlers.size).toBe(0);
    expect(listeners.eventNames()).toEqual([]);
  });

  it('answers in an envelope over invoke alone, and through the typed client with errors', async () => {
    const engine = createEngine({ folder: process.cwd(), store: ':memory:' });
    const { openWindow } = registered(engine);
    const { ipcRenderer, client } = openWindow('app://studio/index.html');
    expect(await ipcRenderer.invoke('agents:assemble', turn)).toMatchObject({
      ok: true,
      data: { prompt: '[MESSAGE]\nHello' },
    });
    expect(await ipcRenderer.invoke('documents:get', { projectId: 'p', documentId: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND' },
    });
    expect(await ipcRenderer.invoke('skills:list')).toMatchObject({ ok: true });
    const { prompt } = await client.call('agents:assemble', turn);
    expect(prompt).toBe('[MESSAGE]\nHello');
    await expect(client.call('documents:get', { projectId: 'p', documentId: 'x' })).rejects.toMatchObject({
      name: 'GalleyError',
      code: 'NOT_FOUND',
    });
    await expect(client.call('no:such', {})).rejects.toMatchObject({ code: 'INTERNAL' });
    await engine.close();
  });

  it('answers nobody but the pages that are listed', async () => {
    const logged: LogLine[] = [];
    const calls: string[] = [];
    const engine: Engine = { call: async (id) => calls.push(id) };
    const pages: [string | null, RegisterIpcOptions, boolean][] = [
      ['app://studio/', app, true],
      ['app://studio/editor/index.html?x#y', app, true],
      ['app://studio.evil/', app, false],
      ['app://evil/studio/', app, false],
      ['app://studio@evil/', app, false],
      ['https://studio/', app, false],
      ['http://localhost:3000/', app, false],
      ['file:///opt/app/index.html', app, false],
      ['file:///opt/app/index.html', { origins: ['file:///opt/app/'] }, true],
      ['file:///opt/app/../../etc/x.html', { origins: ['file:///opt/app/'] }, false],
      ['file:///opt/app/%2e%2e/x.html', { origins: ['file:///opt/app/'] }, false],
      ['file:///opt/app/..%2f..%2fx.html', { origins: ['file:///opt/app/'] }, false],
      ['file:///opt/application/index.html', { origins: ['file:///opt/app'] }, false],
      ['file://server/opt/app/x.html', { origins: ['file:///opt/app/'] }, false],
      ['data:text/html,x', app, false],
      ['about:blank', app, false],
      ['', app, false],
      [null, app, false],
      ['app://studio/', {}, false],
      ['app://studio/', { allow: () => JSON.parse('{') as boolean }, false],
      ['app://studio/', { allow: () => 'yes' as unknown as boolean }, false],
      ['https://studio.example/', { allow: (url) => url.startsWith('https://studio.example/') }, true],
    ];
    for (const [url, options, isAllowed] of pages) {
      const { openWindow } = registered(engine, { ...options, log: (line) => logged.push(line) });
      const answer = await openWindow(url).ipcRenderer.invoke('skills:list', {});
      expect(answer, String(url)).toMatchObject(isAllowed ? { ok: true } : { error: { code: 'FORBIDDEN' } });
    }
    expect(calls).toHaveLength(pages.filter(([, , isAllowed]) => isAllowed).length);
    expect(logged).toHaveLength(pages.length - calls.length);
    expect(JSON.stringify(logged)).not.toMatch(/evil|etc/);
    const ambiguous = ['file:///opt/my%2eapp/', 'file:///opt%2fapp/', 'app://studio/%5C'];
    for (const origin of ['https://studio/', 'studio', 'javascript:1', '*', ...ambiguous]) {
      expect(() => registered(engine, { origins: [origin] })).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
      );
    }
  });

  it('streams to the page that asked, and cancels for it alone', async () => {
    const ended: string[] = [];
    const engine: Engine = {
      call: (_, request, { signal, onText, onEvent, onProgress } = {}) => {
        const { name } = request as { name: string };
        onText?.(`${name} says`);
        onEvent?.({ kind: 'tool-started', id: '1', tool: 'Read', target: 'a.ts' });
        onProgress?.({ stage: 'reading', done: 1, total: 2 });
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            ended.push(name);
            reject(signal.reason);
          });
        });
      },
    };
    const { openWindow, registration } = registered(engine);
    const [one, two, three] = ['a', 'b', 'c'].map((page) => openWindow(`app://studio/${page}`));
    const heard: unknown[] = [];
    const cancel = new AbortController();
    const first = one?.client.call('x', { name: 'one' }).catch(() => undefined);
    expect(first).toBeInstanceOf(Promise);
    const running = one?.client.call(
      'review:chunks' as string,
      { name: 'one' },
      {
        signal: cancel.signal,
        onText: (text) => heard.push(text),
        onEvent: (event) => heard.push(event.kind),
        onProgress: (progress) => heard.push(progress),
      },
    );
    const other = two?.client.call('review:chunks' as string, { name: 'two' });
    const last = three?.client.call('review:chunks' as string, { name: 'three' });
    await expect
      .poll(() => heard)
      .toEqual(['one says', 'tool-started', { stage: 'reading', done: 1, total: 2 }]);
    cancel.abort();
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(ended).toEqual(['one']);
    two?.destroy();
    await expect(other).rejects.toMatchObject({ code: 'CANCELLED' });
    registration.close();
    await expect(last).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(ended).toEqual(['one', 'two', 'three']);
  });

  it('refuses call ids that are no short text or in use', async () => {
    const engine: Engine = { call: () => new Promise(() => undefined) };
    const { openWindow } = registered(engine);
    const { ipcRenderer } = openWindow('app://studio/');
    for (const callId of [5, {}, '', 'x'.repeat(101), null]) {
      expect(await ipcRenderer.invoke('skills:list', {}, callId)).toMatchObject({
        error: { code: 'INVALID_ARGUMENT' },
      });
    }
    void ipcRenderer.invoke('skills:list', {}, 'mine');
    expect(await ipcRenderer.invoke('skills:list', {}, 'mine')).toMatchObject({ ok: false });
  });
});
