// MCP over streamable HTTP on the loopback interface, for clients of this machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type Server,
} from '@modelcontextprotocol/server';
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import { errorTable } from '../../core/model/error-table.js';
import { hashText } from '../../meters/content-hash.js';
import type { Log } from '../../operations/log.js';
import { readExchange, writeResponse } from './http-exchange.js';
import { checkCaller } from './http-guard.js';
import { sessionsOf } from './http-sessions.js';
import { usualMostBytes } from './line-transport.js';
import { numberOf } from './protocol-error.js';

export interface McpHttpOptions {
  /** Any free one with 0. */
  readonly port: number;
  readonly token?: string | undefined;
  readonly log?: Log | undefined;
  readonly mostBytes?: number | undefined;
}

export interface McpHttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveMcpHttp(
  makeServer: () => Server,
  options: McpHttpOptions,
): Promise<McpHttpServer> {
  const { token, log = () => undefined, mostBytes = usualMostBytes } = options;
  const handler = createMcpHandler(makeServer, { legacy: 'reject', maxRequestBodySize: mostBytes });
  const sessions = sessionsOf(makeServer);

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, port: number) => {
    checkCaller(incoming, { port, token });
    if (incoming.url?.split('?')[0] !== '/mcp') throw new GalleyError('NOT_FOUND', 'The address is /mcp.');
    if (!['GET', 'POST', 'DELETE'].includes(incoming.method ?? '')) return refuse(outgoing, { status: 405 });
    if (incoming.method === 'POST' && !isJsonContentType(incoming.headers['content-type'])) {
      return refuse(outgoing, { status: 415 });
    }
    const { request, body, isBroken } = await readExchange(incoming, outgoing, mostBytes);
    if (isBroken) return refuse(outgoing, { status: 400, number: -32700 });
    if (Array.isArray(body)) return refuse(outgoing, { status: 400 });
    const isLegacy = await isLegacyRequest(request, body);
    await writeResponse(
      isLegacy ? await sessions.handle(request, body) : await handler.fetch(request, { parsedBody: body }),
      outgoing,
    );
  };

  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 2_000,
  });
  server.maxConnections = 256;
  const port = await listen(server, options.port);
  server.on('request', (incoming, outgoing) => {
    answer(incoming, outgoing, port).catch((error: unknown) => {
      const refusal = toGalleyError(error);
      const { code } = refusal;
      if (code === 'FORBIDDEN' || code === 'UNAUTHENTICATED') {
        const caller = hashText(`${incoming.headers.host} ${incoming.headers.origin}`).slice(0, 16);
        log({ level: 'security', event: 'MCP_CALLER_REFUSED', details: { code, caller } });
      }
      incoming.resume();
      refuse(outgoing, { status: errorTable[code].http, refusal });
    });
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      const ended = new Promise((resolve) => server.close(resolve));
      await Promise.all([handler.close(), sessions.close()]);
      server.closeAllConnections();
      await ended;
    },
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = cause.code === 'EADDRINUSE' ? 'is taken; name another with --port' : 'cannot be opened';
      reject(new GalleyError('CONFIG_INVALID', `Port ${port} ${message}.`, { cause }));
    });
    server.listen(port, '127.0.0.1', () => {
      // What goes wrong later concerns one connection, and ends with it.
      server.on('error', () => undefined);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

interface HttpRefusal {
  readonly status: number;
  readonly number?: number;
  readonly refusal?: GalleyError;
}

function refuse(outgoing: ServerResponse, { status, number = -32600, refusal }: HttpRefusal): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const code = refusal === undefined ? number : numberOf(refusal.code);
  const message = refusal?.message ?? 'Send one JSON-RPC 2.0 message as application/json by POST.';
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    // What was not read of the request is not waited for.
    connection: 'close',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 405 ? { allow: 'GET, POST, DELETE' } : {}),
  });
  outgoing.end(
    JSON.stringify({
      jsonrpc: '2.0',
      id: null,
      error: { code, message, ...(refusal === undefined ? {} : { data: { code: refusal.code } }) },
    }),
  );
}
