// MCP over streamable HTTP on the loopback interface, for clients of this machine.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server';
import { errorTable, GalleyError, toGalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import type { Log } from '../../operations/log.js';
import { guardBrowser } from '../http/access/browser-guard.js';
import { startCarefulServer } from '../http/careful-server.js';
import { createBodyRoom } from '../http/limits/body-room.js';
import { giveUpOn } from '../http/limits/give-up-on.js';
import { checkJsonHeaders } from '../http/limits/json-body.js';
import { plainHeaders } from '../http/response-headers.js';
import { checkToken } from './check-token.js';
import { readExchange, writeResponse } from './http-exchange.js';
import { sessionsOf } from './http-sessions.js';
import { usualMostBytes } from './line-transport.js';
import { numberOf } from './protocol-error.js';

export interface McpHttpOptions {
  /** Any free one with 0. */
  readonly port: number;
  readonly token?: string | undefined;
  readonly log?: Log | undefined;
  readonly mostBytes?: number | undefined;
  readonly headersMs?: number | undefined;
  /** For a caller that does not take its answer. */
  readonly idleMs?: number | undefined;
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
  const { headersMs = 10_000, idleMs = 60_000 } = options;
  const handler = createMcpHandler(makeServer, { legacy: 'reject', maxRequestBodySize: mostBytes });
  const sessions = sessionsOf(makeServer);

  const bodies = createBodyRoom({ bodyBytes: mostBytes, allBodyBytes: mostBytes * 8 });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, port: number) => {
    guardBrowser(incoming, { scheme: 'http', host, port, onlyHosts, links: false });
    checkToken(incoming.headers.authorization, token);
    if (incoming.url?.split('?')[0] !== '/mcp') throw new GalleyError('NOT_FOUND', 'The address is /mcp.');
    if (!['GET', 'POST', 'DELETE'].includes(incoming.method ?? '')) return refuse(outgoing, { status: 405 });
    if (incoming.method === 'POST' && !isJson(incoming)) return refuse(outgoing, { status: 415 });
    const { request, body, release } = await readExchange(incoming, outgoing, bodies);
    try {
      if (body.kind === 'broken') return refuse(outgoing, { status: 400, number: -32700 });
      if (body.kind === 'deep' || Array.isArray(body.value)) return refuse(outgoing, { status: 400 });
      const isLegacy = await isLegacyRequest(request, body.value);
      await writeResponse(
        isLegacy
          ? await sessions.handle(request, body.value)
          : await handler.fetch(request, { parsedBody: body.value }),
        outgoing,
      );
    } finally {
      release();
    }
  };

  const note = (code: GalleyError['code'], { headers }: Partial<IncomingMessage> = {}) => {
    if (!noted.has(code)) return;
    const caller = hashText(`${headers?.host} ${headers?.origin}`).slice(0, 16);
    log({ level: 'security', event: 'MCP_CALLER_REFUSED', details: { code, caller } });
  };

  const server = await startCarefulServer(
    { host, port: options.port },
    {
      limits: { connections: 256, headersMs, requestMs: 60_000 },
      refuse: (refusal) => {
        note(refusal.code);
        return refusalBody({ refusal });
      },
      onRequest: (incoming, outgoing) => {
        giveUpOn(outgoing, idleMs);
        answer(incoming, outgoing, incoming.socket.localPort ?? 0).catch((error: unknown) => {
          const refusal = toGalleyError(error);
          note(refusal.code, incoming);
          incoming.resume();
          refuse(outgoing, { status: errorTable[refusal.code].http, refusal });
        });
      },
    },
  );
  return {
    url: `${server.address}/mcp`,
    close: async () => {
      const ended = server.close();
      await Promise.all([handler.close(), sessions.close()]);
      server.endAll();
      await ended;
    },
  };
}

const host = '127.0.0.1';

const onlyHosts = [host, 'localhost', '::1'];

/** Someone tried what they may not. */
const noted: ReadonlySet<GalleyError['code']> = new Set([
  'FORBIDDEN',
  'UNAUTHENTICATED',
  'PAYLOAD_TOO_LARGE',
]);

function isJson({ headers }: IncomingMessage): boolean {
  try {
    checkJsonHeaders(headers);
    return true;
  } catch {
    return false;
  }
}

interface HttpRefusal {
  readonly status: number;
  readonly number?: number;
  readonly refusal?: GalleyError;
}

function refuse(outgoing: ServerResponse, refused: HttpRefusal): void {
  const { status } = refused;
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const body = refusalBody(refused);
  outgoing.writeHead(status, {
    ...plainHeaders,
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json',
    // What was not read of the request is not waited for.
    connection: 'close',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 405 ? { allow: 'GET, POST, DELETE' } : {}),
  });
  outgoing.end(body);
}

function refusalBody({ number = -32600, refusal }: Omit<HttpRefusal, 'status'>): string {
  const code = refusal === undefined ? number : numberOf(refusal.code);
  const message = refusal?.message ?? 'Send one JSON-RPC 2.0 message as application/json by POST.';
  const data = refusal === undefined ? {} : { data: { code: refusal.code } };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, ...data } });
}
