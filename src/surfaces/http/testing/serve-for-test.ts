// A real server on a free port with a store in memory, for tests: same clock and same ids every time, log lines kept.
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import type { LogLine } from '../../../operations/operation.js';
import { openStore } from '../../../store/sqlite/open-store.js';
import type { Store } from '../../../store/store.js';
import { type HttpServerOptions, startHttpServer } from '../http-server.js';
import { defaultLimits, type ServeLimits } from '../serve-options.js';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Code of the refusal, if it is one. */
  readonly code: string | undefined;
}

export interface TestServer {
  readonly address: string;
  readonly port: number;
  readonly lines: readonly LogLine[];
  readonly store: Store;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Sends bytes as they are and gives all that comes back until the connection ends. */
  raw(bytes: string): Promise<string>;
  leave(): void;
  close(): Promise<void>;
}

export interface TestServerOptions extends Partial<Omit<HttpServerOptions, 'limits'>> {
  readonly limits?: Partial<ServeLimits>;
}

export function steadyStore(): Promise<Store> {
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  return openStore({ path: ':memory:', now: () => 1_700_000_000_000, newId });
}

export async function serveForTest(options: TestServerOptions = {}): Promise<TestServer> {
  const lines: LogLine[] = [];
  const store = await steadyStore();
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    roots: [tmpdir()],
    allowHosts: [],
    allowOrigins: [],
    debug: false,
    log: (line) => lines.push(line),
    now: () => performance.now(),
    store: async () => store,
    model: () => Promise.reject(new TypeError('no model here')),
    ...options,
    limits: { ...defaultLimits, ...options.limits },
  });
  const { address } = server;
  const port = Number(new URL(address).port);
  return {
    address,
    port,
    lines,
    store,
    post: async (path, body, headers = {}) =>
      answerOf(
        await fetch(address + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    get: async (path, headers = {}) => answerOf(await fetch(address + path, { headers })),
    raw: async (bytes) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => undefined);
      socket.write(bytes);
      await once(socket, 'close');
      return text;
    },
    leave: () => server.leave(),
    close: async () => {
      await server.close();
      await store.close();
    },
  };
}

async function answerOf(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
  const { error } = (isJson ? JSON.parse(text) : {}) as { error?: { code: string } };
  return { status: response.status, text, headers: response.headers, code: error?.code };
}
