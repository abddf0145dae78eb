// The routes of the server. Every request passes the guard first and is counted and logged last, as a digest.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { GalleyError } from '../../core/model/error.js';
import { operationIds } from '../../operations/table.js';
import { guardBrowser } from './access/browser-guard.js';
import { admitCaller, answerCall, type Exchange } from './answer-call.js';
import type { Door } from './door.js';
import { httpRefusal } from './http-refusal.js';
import { operationPath } from './operation-path.js';
import { docsPage } from './pages/docs-page.js';
import { openApi, operationPages } from './pages/open-api.js';
import { recordRequest } from './record-request.js';
import { responseHeaders } from './response-headers.js';

interface Environment {
  Bindings: HttpBindings;
  Variables: { operation: string; caller: string; refusal: unknown; headers: Record<string, string> };
}

type Here = Context<Environment>;

export function httpApp(door: Door): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use(async (c, next) => {
    const startedAt = door.options.now();
    door.arrivals += 1;
    c.set('headers', responseHeaders(c.env.incoming.headers, door));
    try {
      await next();
    } finally {
      const { operation = 'none', caller = 'unknown', refusal } = c.var;
      recordRequest(door, {
        method: c.req.method,
        operation,
        caller,
        refusal: refusal ?? c.error,
        startedAt,
      });
    }
  });
  app.use(async (c, next) => {
    guardBrowser(c.env.incoming.headers, door.options);
    await next();
  });
  routeOperations(app, door);
  routePages(app, door);
  app.all('*', () => {
    throw new GalleyError(
      'UNKNOWN_OPERATION',
      'There is nothing at this path; /openapi.json lists what there is.',
    );
  });
  app.onError((error, c) => {
    const { status, headers, body } = httpRefusal(error);
    return send(c, body, { status, headers });
  });
  return app;
}

function routeOperations(app: Hono<Environment>, door: Door): void {
  for (const id of operationIds) {
    const path = operationPath(id);
    app.post(path, async (c) => {
      c.set('operation', id);
      const outcome = await answerCall(id, exchangeOf(c), door);
      if (outcome.kind === 'json') return sendText(c, outcome.json, 'application/json');
      c.set('refusal', outcome.refusal);
      return RESPONSE_ALREADY_SENT;
    });
    app.all(path, (c) => otherMethod(c, 'POST, OPTIONS'));
  }
}

function routePages(app: Hono<Environment>, door: Door): void {
  let pages: ReturnType<typeof operationPages> | undefined;
  const read = () => (pages ??= operationPages());
  const page = async (c: Here) => {
    const { html, policy } = docsPage(await read());
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    return send(c, html, { status: 200, headers });
  };
  const gets: Record<string, (c: Here) => Response | Promise<Response>> = {
    '/': page,
    '/docs': page,
    '/openapi.json': async (c) => sendText(c, JSON.stringify(openApi(await read())), 'application/json'),
    '/healthz': (c) => {
      const status = door.isClosing ? 503 : 200;
      const json = JSON.stringify({ status: door.isClosing ? 'closing' : 'ok' });
      return send(c, json, { status, headers: { 'content-type': 'application/json' } });
    },
    '/metrics': (c) => {
      admitCaller(exchangeOf(c), door);
      return sendText(c, door.metrics.text(gauges(door)), 'text/plain; version=0.0.4; charset=utf-8');
    },
  };
  for (const [path, handler] of Object.entries(gets)) {
    app.get(path, handler);
    app.all(path, (c) => otherMethod(c, 'GET, HEAD, OPTIONS'));
  }
}

function otherMethod(c: Here, allow: string): Response {
  if (c.req.method === 'OPTIONS') return send(c, '', { status: 204, headers: { allow } });
  const refusal = new GalleyError('INVALID_ARGUMENT', `This path takes ${allow}.`, { details: { allow } });
  c.set('refusal', refusal);
  const { headers, body } = httpRefusal(refusal);
  return send(c, body, { status: 405, headers: { ...headers, allow } });
}

function sendText(c: Here, body: string, type: string): Response {
  return send(c, body, { status: 200, headers: { 'content-type': type } });
}

/** Straight to the socket: a stream around every short answer costs as much as refusing a call. */
function send(
  c: Here,
  body: string,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
): Response {
  const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  c.env.outgoing.writeHead(status, { ...c.var.headers, ...headers, ...length }).end(body);
  return RESPONSE_ALREADY_SENT;
}

function exchangeOf(c: Here): Exchange {
  const { incoming, outgoing } = c.env;
  return { incoming, outgoing, headers: c.var.headers, onCaller: ({ mark }) => c.set('caller', mark) };
}

function gauges({ lanes }: Door): Record<string, number> {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    galley_calls_running: lanes.running(),
    galley_calls_waiting: lanes.waiting(),
    process_cpu_seconds: (user + system) / 1e6,
    process_resident_memory_bytes: rss,
    nodejs_heap_size_used_bytes: heapUsed,
  };
}
