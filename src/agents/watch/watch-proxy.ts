// Between an agent CLI and its provider, on this machine: what is sent and what comes back pass byte for byte, and a copy of the
// bodies goes to whoever listens. Headers are passed on and shown to nobody, so no record can hold a key. What fails upstream
// fails here the same way: a status as it came, anything else as a connection that ends.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { networkCode } from '../../network/error-codes.js';
import { outgoingDispatcher } from '../../network/outgoing-fetch.js';
import { decodeAnswer, decodeBody, maxBodyBytes } from './decode-body.js';

/** How an exchange ended: `left` by the CLI, `cut` by the provider, never begun where it could not be reached. */
export type ExchangeEnding = 'whole' | 'left' | 'cut' | 'unreachable';

export interface ExchangeListener {
  /** The whole body; undefined where it is too large or cannot be decoded. */
  body(bytes: Buffer | undefined): void;
  answered(status: number): void;
  /** Of the answer, decoded. */
  chunk(bytes: Buffer): void;
  ended(ending: ExchangeEnding, code?: string): void;
}

export interface WatchedCall {
  readonly method: string;
  readonly path: string;
  /** Whether a header asks for the long window of a model. */
  readonly isLong?: boolean;
}

export interface WatchProxyOptions {
  /** The base address of the provider; some have several, told apart by path or by the headers there are. */
  upstream(path: string, hasHeader: (name: string) => boolean): string;
  readonly environment: NodeJS.ProcessEnv;
  /** `path` as the provider sees it, without its query, which may hold a key. */
  listen(request: WatchedCall): ExchangeListener;
}

export interface WatchProxy {
  /** For the CLI, in place of its provider; nobody else on this machine knows its last part. */
  readonly url: string;
  close(): Promise<void>;
}

const maxHeaderSize = 64 * 1024;
const requestMs = 15 * 60_000;

export async function openWatchProxy(options: WatchProxyOptions): Promise<WatchProxy> {
  const segment = `/${randomBytes(16).toString('hex')}`;
  const send = await outgoingDispatcher(options.environment, {
    // How long an answer may take is for the CLI to say.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize,
    // A kept connection may be gone when the next request goes out, and a body cannot be sent twice.
    pipelining: 0,
  });
  const server = createServer({ maxHeaderSize, requestTimeout: requestMs, keepAliveTimeout: 65_000 });
  server.maxConnections = 512;
  const exchanges = new Set<Promise<void>>();
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = '/' } = incoming;
    const rest = url.slice(segment.length);
    if (!url.startsWith(segment) || !/^(?:$|[/?])/.test(rest)) return refuse(outgoing, 404);
    // What goes by WebSocket cannot be read; CLIs that try it fall back.
    if (incoming.headers.upgrade !== undefined) return refuse(outgoing, 426);
    const exchange = forward({ incoming, outgoing, rest, send, options })
      .catch(() => void outgoing.destroy())
      .finally(() => exchanges.delete(exchange));
    exchanges.add(exchange);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${segment}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, ...exchanges]);
    },
  };
}

function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'content-length': '0', connection: 'close' }).end();
}

interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly rest: string;
  readonly send: Awaited<ReturnType<typeof outgoingDispatcher>>;
  readonly options: WatchProxyOptions;
}

async function forward({ incoming, outgoing, rest, send, options }: Forwarding): Promise<void> {
  const base = new URL(options.upstream(rest, (name) => incoming.headers[name] !== undefined));
  const path = `${base.pathname.replace(/\/$/, '')}${rest}`.replace(/^(?!\/)/, '/');
  const method = incoming.method ?? 'GET';
  const isLong = String(incoming.headers['anthropic-beta']).includes('context-1m');
  const listener = options.listen({ method, path: path.split('?')[0] ?? path, isLong });
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  let answer: Dispatcher.ResponseData;
  try {
    answer = await send(base, {
      path,
      method: method as Dispatcher.HttpMethod,
      headers: passedOn(incoming.rawHeaders, incoming.headers.connection, 'host'),
      body: bodyOf(incoming, listener),
      responseHeaders: 'raw',
      signal: left.signal,
    });
  } catch (error) {
    listener.ended(left.signal.aborted ? 'left' : 'unreachable', networkCode(error));
    outgoing.destroy();
    return;
  }
  listener.answered(answer.statusCode);
  const headers = answer.headers as unknown as string[];
  outgoing.sendDate = false;
  outgoing.writeHead(answer.statusCode, passedOn(headers, headerIn(headers, 'connection')));
  outgoing.flushHeaders();
  const copy = decodeAnswer(headerIn(headers, 'content-encoding'), (bytes) => listener.chunk(bytes));
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      copy.write(chunk);
      if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: left.signal });
    }
    outgoing.end();
    await copy.end();
    listener.ended('whole');
  } catch (error) {
    await copy.end();
    listener.ended(left.signal.aborted ? 'left' : 'cut', networkCode(error));
    outgoing.destroy();
  }
}

/** The body on its way, and a copy of it when it is whole. */
function bodyOf(incoming: IncomingMessage, listener: ExchangeListener): Transform | null {
  const { headers } = incoming;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) {
    listener.body(Buffer.alloc(0));
    return null;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const passing = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else chunks.length = 0;
      done(null, chunk);
    },
    flush(done) {
      const encoding = headers['content-encoding'];
      listener.body(size > maxBodyBytes ? undefined : decodeBody(Buffer.concat(chunks), encoding));
      done();
    },
  });
  incoming.once('error', (error) => passing.destroy(error));
  return incoming.pipe(passing);
}

/** What concerns one connection alone stays there. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

function passedOn(raw: readonly string[], connection = '', besides = ''): string[] {
  const named = connection.toLowerCase().split(/[\s,]+/);
  const stays = new Set([...hopByHop, ...named, besides]);
  return raw.flatMap((name, at) =>
    at % 2 === 1 || stays.has(name.toLowerCase()) ? [] : [name, raw[at + 1] ?? ''],
  );
}

function headerIn(raw: readonly string[], wanted: string): string | undefined {
  const at = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
  return at < 0 ? undefined : raw[at + 1];
}
