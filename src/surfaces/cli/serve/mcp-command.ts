// galley mcp: stdout carries the protocol and nothing else; whatever is said to a person goes to stderr.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import type { Grant } from '../../../operations/operation.js';
import { operationIds } from '../../../operations/table.js';
import { isDatabaseAddress } from '../../../store/check-store-path.js';
import { nameOfFolder } from '../../../writing/folder/project-folder.js';
import { createEngine, type Engine, everyGrant, type OpenEngine } from '../../engine.js';
import { createMcpServer } from '../../mcp/create-mcp-server.js';
import { lineTransport } from '../../mcp/line-transport.js';
import { serveMcpHttp } from '../../mcp/serve-http.js';
import { familyOf } from '../../mcp/tools.js';
import { exportedStore, isThere, sharedStore, storePath } from '../../shared-store.js';
import { cancellation } from '../shell/cancellation.js';
import { projectHere, shellLog } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';

export interface McpOptions {
  readonly http?: boolean;
  readonly port: string;
  readonly project?: string;
  readonly folder?: string;
  readonly all?: boolean;
  readonly only?: readonly string[];
  readonly readOnly?: boolean;
  readonly store?: string;
}

export async function mcpCommand(options: McpOptions): Promise<void> {
  const folder = await folderOf(options.folder ?? '.');
  const grants: ReadonlySet<Grant> = options.readOnly ? new Set<Grant>(['read', 'inspect']) : everyGrant;
  const families = options.only === undefined ? undefined : familiesOf(options.only);
  const store = storePath(folder, options.store);
  const debug = process.env.GALLEY_DEBUG === '1';
  const shared = { folder, grants, debug, log: shellLog };
  const { engine, close } = withJobs(createEngine({ ...shared, store }), { folder, store, grants });
  const looking = createEngine({ ...shared, store: ':memory:' });
  // A client asks for lists when it starts; that alone makes no file in the folder.
  const browser: Engine = {
    call: (...call) => (isThere(store) ? engine : looking).call(...call),
  };
  const projectId = options.project ?? (await projectOf(folder, store, options.store));
  const everyOperation = options.all === true || families !== undefined;
  const makeServer = () =>
    createMcpServer({ engine, browser, folder, projectId, grants, families, everyOperation });
  try {
    await (options.http ? overHttp(makeServer, options) : overLines(makeServer));
  } finally {
    await Promise.all([close(), looking.close()]);
  }
}

/**
 * Whoever asks about jobs of a store in a file has them run here as long as this process lives, as a server does: nobody else may
 * be there to do it. What is left when it ends goes on with whoever comes next.
 */
function withJobs(
  engine: OpenEngine,
  { folder, store: path, grants }: Required<Pick<McpOptions, 'folder' | 'store'>> & Granted,
): { readonly engine: Engine; close(): Promise<void> } {
  if (isDatabaseAddress(path) || !grants.has('run')) return { engine, close: engine.close };
  const { store, close } = sharedStore(folder, { path });
  const start = async () => {
    const { startLocalWorker } = await import('../../worker/local-worker.js');
    return startLocalWorker({ roots: [folder], store, storePath: path, atOnce: 2, log: shellLog });
  };
  let worker: ReturnType<typeof start> | undefined;
  return {
    engine: {
      call: (id, ...rest) => {
        if (familyOf(id) === 'jobs') worker ??= start();
        return engine.call(id, ...rest);
      },
    },
    close: async () => {
      await Promise.all([engine.close(), (await worker)?.drain()]);
      await close();
    },
  };
}

interface Granted {
  readonly grants: ReadonlySet<Grant>;
}

/** Asked once, with the store closed again: a client that only looks leaves no open file. */
async function projectOf(folder: string, store: string, named: string | undefined): Promise<string> {
  if (!isThere(store)) return nameOfFolder(folder);
  const { store: open, close } = sharedStore(folder, { path: store });
  try {
    const isInside = named === undefined && exportedStore() === undefined;
    return await projectHere(open, folder, { isInside });
  } finally {
    await close();
  }
}

function familiesOf(wanted: readonly string[]): ReadonlySet<string> {
  const known = new Set(operationIds.map(familyOf));
  if (wanted.every((family) => known.has(family))) return new Set(wanted);
  throw new GalleyError('INVALID_ARGUMENT', `--only: there are the families ${[...known].join(', ')}.`);
}

async function folderOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return resolve(path);
  throw new GalleyError('FILE_UNREADABLE', '--folder: there is no such folder.');
}

type MakeServer = () => ReturnType<typeof createMcpServer>;

async function overLines(makeServer: MakeServer): Promise<void> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const transport = lineTransport({ input: process.stdin, output: process.stdout });
  const handle = serveStdio(makeServer, { transport });
  await Promise.race([transport.closed, cancelled()]);
  await handle.close();
}

async function overHttp(makeServer: MakeServer, options: McpOptions): Promise<void> {
  const token = process.env.GALLEY_MCP_TOKEN;
  if (token !== undefined && !/^[\x21-\x7e]{16,}$/.test(token)) {
    throw new GalleyError(
      'CONFIG_INVALID',
      'GALLEY_MCP_TOKEN must have at least 16 visible ASCII characters; unset it to serve without one.',
    );
  }
  const port = wholeNumber(options.port, '--port');
  if (port > 65_535) throw new GalleyError('INVALID_ARGUMENT', '--port must be at most 65535.');
  const server = await serveMcpHttp(makeServer, { port, token, log: shellLog });
  process.stderr.write(`galley: MCP at ${server.url}${token === undefined ? '' : ', token required'}\n`);
  await cancelled();
  await server.close();
}

function cancelled(): Promise<void> {
  const signal = cancellation();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
