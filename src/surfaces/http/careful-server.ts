// A node server that gives strangers no hold on it: slow, silent, greedy and broken connections end, and only those. What is no
// request is refused in the words of the door, and never into the middle of an answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { GalleyError } from '../../core/model/error.js';
import type { TlsMaterial } from './tls-material.js';

interface CarefulServerOptions {
  readonly limits: {
    readonly connections: number;
    readonly headersMs: number;
    readonly requestMs: number;
  };
  readonly tls?: TlsMaterial | undefined;
  onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void;
  onConnection?(): void;
  /** The body of a refusal that concerns no request; the place to write it down. */
  refuse(refusal: GalleyError): string;
}

export interface CarefulServer {
  readonly address: string;
  readonly port: number;
  /** Takes nothing more and resolves when the last connection has ended. Connections that only hold on are ended. */
  close(): Promise<void>;
  endAll(): void;
}

/** How long a request may still arrive in when the server ends. */
const lingerMs = 1000;

export async function startCarefulServer(
  { host, port }: { readonly host: string; readonly port: number },
  options: CarefulServerOptions,
): Promise<CarefulServer> {
  const { limits, tls } = options;
  const settings = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // Longer than callers keep theirs: who closes first risks a call that is just arriving.
    keepAliveTimeout: 65_000,
    // The door itself says what is wrong without one.
    requireHostHeader: false,
  };
  const server: Server =
    tls === undefined
      ? createServer(settings)
      : createSecureServer({ ...settings, ...tls, handshakeTimeout: limits.headersMs });
  server.maxConnections = limits.connections;
  const exchanges = openExchanges();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    options.onConnection?.();
  });
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
    exchanges.watch(socket),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseConnection(error, socket, options),
  );
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // The rest of what was read before a connection was ended.
    if (incoming.socket.destroyed) return;
    if (exchanges.begin(incoming, outgoing)) return options.onRequest(incoming, outgoing);
    options.refuse(tooMany());
    incoming.socket.destroy();
  };
  server.on('request', take);
  // Whether to go on is said when the body is wanted, after everything that speaks against it.
  server.on('checkContinue', take);
  server.on('checkExpectation', (_, outgoing: ServerResponse) => {
    const body = options.refuse(malformedRequest());
    outgoing.writeHead(417, { ...refusalHeaders(body), connection: 'close' }).end(body);
  });
  await listen(server, { host, port });
  const found = server.address() as AddressInfo;
  const name = found.family === 'IPv6' ? `[${found.address}]` : found.address;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `${tls === undefined ? 'http' : 'https'}://${name}:${found.port}`,
    port: found.port,
    endAll,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Connections fall idle one by one as their calls end.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const linger = setTimeout(() => exchanges.endUnasked(), lingerMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(linger);
    },
  };
}

function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Socket & { readonly _httpMessage?: ServerResponse | null },
  options: CarefulServerOptions,
): void {
  // Who is gone already asked for nothing and hears nothing; who does not speak our cipher would not understand.
  if (error.code === 'ECONNRESET' || /^ERR_(SSL|TLS)/.test(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = options.refuse(late ? tooSlow() : malformedRequest());
  if (socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const words = late
    ? '408 Request Timeout'
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request';
  const head = Object.entries({ ...refusalHeaders(body), connection: 'close' });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${words}\r\n${lines}\r\n${body}`, () => socket.destroy());
}

const refusalHeaders = (body: string) => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

export const malformedRequest = () =>
  new GalleyError('INVALID_ARGUMENT', 'This is not a well-formed HTTP request.');

const tooSlow = () => new GalleyError('TIMEOUT', 'The request did not arrive in time; send it at once.');

const tooMany = () =>
  new GalleyError(
    'CONTEXT_BACKPRESSURE',
    'Too many requests wait on one connection; read the answers first.',
  );

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (cause: NodeJS.ErrnoException) => {
      const kind = cause.code ?? 'unknown';
      reject(new GalleyError('CONFIG_INVALID', listenWords(kind, port), { details: { kind }, cause }));
    };
    server.once('error', refused);
    server.listen(port, host, () => {
      // What goes wrong later concerns one connection, and ends with it.
      server.off('error', refused).on('error', () => undefined);
      resolve();
    });
  });
}

function listenWords(kind: string, port: number): string {
  if (kind === 'EADDRINUSE')
    return `Port ${port} is taken; choose another with --port (0 for a free one), or end what listens there.`;
  if (kind === 'EACCES') return `Port ${port} is not for this user; choose one from 1024 up with --port.`;
  return 'The server cannot listen there; check --host, it must be an address of this machine.';
}

interface OpenExchanges {
  watch(socket: Socket): void;
  /** False when too many wait on the connection already. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Ends connections that are silent or in the middle of a request. */
  endUnasked(): void;
}

const maxOnOneConnection = 32;

/**
 * What is under way on each connection. Nobody may ask again and again on one connection without taking the answers, and when
 * the server ends, connections that have not asked for anything yet do not keep it.
 */
function openExchanges(): OpenExchanges {
  const open = new Map<Socket, Set<IncomingMessage>>();
  return {
    watch: (socket) => {
      open.set(socket, new Set());
      socket.once('close', () => open.delete(socket));
    },
    begin: (incoming, outgoing) => {
      const asked = open.get(incoming.socket);
      if (asked === undefined || asked.size >= maxOnOneConnection) return false;
      asked.add(incoming);
      outgoing.once('close', () => asked.delete(incoming));
      return true;
    },
    endUnasked: () => {
      for (const [socket, asked] of open) if (![...asked].some(({ complete }) => complete)) socket.destroy();
    },
  };
}

/** Who does not take an answer is let go; who waits for one that takes long is not. */
export function closeIdleResponse(outgoing: ServerResponse, idleMs: number): void {
  outgoing.setTimeout(idleMs, () => {
    if (outgoing.writableEnded || outgoing.writableLength > 0) outgoing.destroy();
  });
}
