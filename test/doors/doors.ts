// The ways in, as one shape: a call gives back the JSON of the answer, or of the refusal.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { toGalleyError } from '../../src/core/model/error.js';
import type { Engine } from '../../src/surfaces/engine.js';
import { connectIpc } from '../../src/surfaces/ipc/connect-ipc.js';
import { ipcBridge, ipcClient } from '../../src/surfaces/ipc/preload-client.js';
import { type IpcMainEvent, registerIpc } from '../../src/surfaces/ipc/register-ipc.js';
import { serveIpc } from '../../src/surfaces/ipc/serve-ipc.js';
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.js';
import { serveMcpHttp } from '../../src/surfaces/mcp/serve-http.js';

export interface OpenDoor {
  call(id: string, request: Record<string, unknown>): Promise<string>;
  close(): Promise<void> | void;
}

export type Door = (engine: Engine, folder: string) => Promise<OpenDoor> | OpenDoor;

const said = async (answer: Promise<unknown>) => {
  try {
    return JSON.stringify(await answer);
  } catch (error) {
    return JSON.stringify({ error: toGalleyError(error) });
  }
};

const library: Door = (engine) => ({
  call: (id, request) => said(engine.call(id, request)),
  close: () => undefined,
});

const ipc: Door = (engine) => {
  const { port1, port2 } = new MessageChannel();
  serveIpc(port1, engine);
  const client = connectIpc(port2);
  return { call: (id, request) => said(client.call(id, request)), close: () => port2.close() };
};

/** Electron's pair of ends, each value cloned on its way. */
const electron: Door = (engine) => {
  const handlers = new Map<string, (event: IpcMainEvent, ...args: unknown[]) => Promise<unknown>>();
  const event = { sender: { send: () => undefined }, senderFrame: { url: 'app://studio/' } };
  const ipcMain = {
    handle: (channel: string, listener: (event: IpcMainEvent, ...args: unknown[]) => Promise<unknown>) =>
      handlers.set(channel, listener),
    removeHandler: () => undefined,
    on: () => undefined,
    removeListener: () => undefined,
  };
  const { close } = registerIpc(ipcMain, engine, { origins: ['app://studio/'] });
  const bridge = ipcBridge({
    invoke: async (channel, ...args) =>
      structuredClone(await handlers.get(channel)?.(event, ...structuredClone(args))),
    send: () => undefined,
    on: () => undefined,
  });
  const client = ipcClient(bridge);
  return { call: (id, request) => said(client.call(id, request)), close };
};

const toolDoor = (client: Client, close: () => Promise<unknown>): OpenDoor => ({
  call: async (id, request) => {
    const { content, structuredContent } = await client.callTool({
      name: id.replaceAll(':', '_'),
      arguments: request,
    });
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return JSON.stringify(structuredContent) === text ? text : 'the two forms of the answer differ';
  },
  close: async () => {
    await client.close();
    await close();
  },
});

const mcp: Door = async (engine, folder) => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer({ engine, folder, projectId: 'novel', everyOperation: true });
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  return toolDoor(client, () => server.close());
};

const mcpOverHttp: Door = async (engine, folder) => {
  const server = await serveMcpHttp(
    () => createMcpServer({ engine, folder, projectId: 'novel', everyOperation: true }),
    {
      port: 0,
    },
  );
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  return toolDoor(client, () => server.close());
};

/** The first one is what the others are compared with. */
export const doors: Readonly<Record<string, Door>> = { library, ipc, electron, mcp, mcpOverHttp };

/** The shell opens its own engine, by its own clock. */
export function shellDoor(folder: string, store: string): OpenDoor {
  return {
    call: async (id, request) =>
      spawnSync(process.execPath, [join(process.cwd(), 'bin/galley.js'), 'call', id, '--store', store], {
        cwd: folder,
        input: JSON.stringify(request),
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder, GALLEY_DEBUG: '1' },
      }).stdout.trimEnd(),
    close: () => undefined,
  };
}
