// A server for the operation table. It never listens beyond this machine without tokens, gives slow callers no hold on it, and
// when it closes, it finishes what it began.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { GalleyError } from '../../core/model/error.js';
import { isLoopback } from './access/browser-guard.js';
import { createDoor, type Door } from './door.js';
import { httpApp } from './http-app.js';
import { httpRefusal } from './http-refusal.js';
import { recordRequest } from './record-request.js';
import type { ServeOptions } from './serve-options.js';

export interface HttpServer {
  /** For example http://127.0.0.1:4000. */
  readonly address: string;
  /** Takes no more calls, lets those that run finish for a while, then cancels them. */
  close(): Promise<void>;
  /** Cancels what runs. */
  cancel(): void;
}

export async function startHttpServer(options: ServeOptions): Promise<HttpServer> {
  if (options.tokens === undefined && !isLoopback(options.host)) {
    throw new GalleyError(
      'CONFIG_INVALID',
      'Without tokens the server listens on this machine only; name a token file with --tokens, or leave --host.',
    );
  }
  const door = createDoor(options);
  const server = createNodeServer(door);
  await listen(server, options);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () => closeServer(server, door),
    cancel: () => cancelCalls(door),
  };
}

function createNodeServer(door: Door): Server {
  const { limits } = door.options;
  const listener = getRequestListener(httpApp(door).fetch, {
    overrideGlobalObjects: false,
    errorHandler: (thrown) => {
      // Only what is no HTTP request for us comes here; the rest was answered inside.
      const refusal = malformed();
      recordRequest(door, { ...nobody(door), refusal: thrown instanceof GalleyError ? thrown : refusal });
      const { status, headers, body } = httpRefusal(refusal);
      return new Response(body, { status, headers: { ...headers, connection: 'close' } });
    },
  });
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersMs),
      // Longer than callers keep theirs: who closes first risks a call that is just arriving.
      keepAliveTimeout: 65_000,
    },
    listener,
  );
  server.maxConnections = limits.connections;
  server.on('connection', () => {
    door.arrivals += 1;
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseConnection(error, socket, door),
  );
  // Who asks before sending a body that is too large is told so before sending it.
  server.on('checkContinue', (incoming, outgoing) => {
    if (Number(incoming.headers['content-length'] ?? 0) <= limits.bodyBytes) outgoing.writeContinue();
    void listener(incoming, outgoing);
  });
  return server;
}

function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, door: Door): void {
  // Who is gone already asked for nothing and hears nothing.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = late ? tooSlow() : malformed();
  recordRequest(door, { ...nobody(door), refusal });
  const words = late
    ? '408 Request Timeout'
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request';
  const { body } = httpRefusal(refusal);
  const head = `HTTP/1.1 ${words}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy());
}

const nobody = ({ options }: Door) => ({
  method: 'unknown',
  operation: 'none',
  caller: 'unknown',
  startedAt: options.now(),
});

const malformed = () => new GalleyError('INVALID_ARGUMENT', 'This is not a well-formed HTTP request.');

const tooSlow = () => new GalleyError('TIMEOUT', 'The request did not arrive in time; send it at once.');

function listen(server: Server, { host, port }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new GalleyError(
          'CONFIG_INVALID',
          'The server cannot listen there; choose another --port, or 0 for a free one.',
          { details: { kind: cause.code ?? 'unknown' }, cause },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
}

async function closeServer(server: Server, door: Door): Promise<void> {
  const { graceMs } = door.options.limits;
  door.isClosing = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections fall idle one by one as their calls end.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cancel = setTimeout(() => cancelCalls(door), graceMs);
  const force = setTimeout(() => server.closeAllConnections(), graceMs + 2000);
  await closed;
  clearInterval(sweep);
  clearTimeout(cancel);
  clearTimeout(force);
}

function cancelCalls({ running }: Door): void {
  for (const call of running) call.abort();
}
