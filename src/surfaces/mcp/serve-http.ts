// MCP over streamable HTTP on the loopback interface, for clients of this machine.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server';
import { errorTable, GalleyError, toGalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import type { Log } from '../../operations/operation.js';
import { guardBrowser } from '../http/access/browser-guard.js';
import { closeIdleResponse, startCarefulServer } from '../http/careful-server.js';
import {
  type BodyReader,
  checkJsonHeaders,
  createBodyReader,
  type JsonBody,
  parseJsonBody,
} from '../http/limits/request-body.js';
import { plainHeaders } from '../http/response.js';
import { sessionsOf } from './http-sessions.js';
import { maxMessageBytes } from './line-transport.js';
import { jsonRpcNumber } from './protocol-error.js';

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

interface McpHttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveMcpHttp(
  makeServer: () => Server,
  options: McpHttpOptions,
): Promise<McpHttpServer> {
  const { token, log = () => undefined, mostBytes = maxMessageBytes } = options;
  const { headersMs = 10_000, idleMs = 60_000 } = options;
  const handler = createMcpHandler(makeServer, { legacy: 'reject', maxRequestBodySize: mostBytes });
  const sessions = sessionsOf(makeServer);

  const bodies = createBodyReader({ bodyBytes: mostBytes, allBodyBytes: mostBytes * 8 });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, port: number) => {
    guardBrowser(incoming, { scheme: 'http', host, port, onlyHosts, links: false });
    checkToken(incoming.headers.authorization, token);
    if (incoming.url?.split('?')[0] !== '/mcp') throw new GalleyError('NOT_FOUND', 'The address is /mcp.');
    if (!['GET', 'POST', 'DELETE'].includes(incoming.method ?? '')) return refuse(outgoing, { status: 405 });
    if (incoming.method === 'POST' && !isJson(incoming)) return refuse(outgoing, { status: 415 });
    const { request, body, release } = await readExchange(incoming, outgoing, bodies);
    try {
      if (body.kind === 'broken') return refuse(outgoing, { status: 400, number: -32700 });
      if (body.kind === 'crowded') return refuse(outgoing, { status: 413 });
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
        closeIdleResponse(outgoing, idleMs);
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
  const code = refusal === undefined ? number : jsonRpcNumber(refusal.code);
  const message = refusal?.message ?? 'Send one JSON-RPC 2.0 message as application/json by POST.';
  const data = refusal === undefined ? {} : { data: { code: refusal.code } };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, ...data } });
}

/** The one token of a server on this machine, if it has one. */
function checkToken(authorization: string | undefined, token: string | undefined): void {
  if (token === undefined) return;
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  // Digests have one length whatever was given, so the comparison tells nothing by its time.
  if (!timingSafeEqual(Buffer.from(hashText(given)), Buffer.from(hashText(token)))) {
    throw new GalleyError(
      'UNAUTHENTICATED',
      'Send the token of GALLEY_MCP_TOKEN as "Authorization: Bearer …".',
    );
  }
}

interface Exchange {
  readonly request: Request;
  /** Of a POST; nothing otherwise. */
  readonly body: JsonBody;
  /** Gives the room of the body back. */
  release(): void;
}

/**
 * One exchange of node:http as the web's Request and Response. The body is read within a limit; a caller that goes away aborts.
 */
async function readExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bodies: BodyReader,
): Promise<Exchange> {
  const { method = 'GET', url = '/', headers } = incoming;
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const read = method === 'POST' ? await bodies.read(incoming, outgoing) : undefined;
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
    signal: gone.signal,
    ...(read === undefined ? {} : { body: new Uint8Array(read.bytes) }),
  });
  const body: JsonBody = read === undefined ? { kind: 'value', value: undefined } : parseJsonBody(read.bytes);
  return { request, body, release: () => read?.release() };
}

async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  // Whether the connection is kept is for its two ends to agree on.
  const { connection: _, ...headers } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, { ...plainHeaders, ...headers });
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  // A caller that leaves in the middle is no failure.
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(
    () => undefined,
  );
}
