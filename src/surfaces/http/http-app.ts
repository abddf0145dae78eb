// The routes of the server. Every request passes the guard first and is counted and logged last, as a digest.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { operationIds } from '../../operations/table.js';
import type { PageDoor } from '../page/page-door.js';
import { type GuardOptions, guardBrowser } from './access/browser-guard.js';
import { type AnswerForm, admitCaller, answerCall, type Exchange } from './answer-call.js';
import { closeIdleResponse } from './careful-server.js';
import type { DoorRoute } from './door-route.js';
import {
  answerFile,
  answerId,
  answerKey,
  answerShell,
  answerStart,
  type PageAnswer,
} from './pages/app-page.js';
import { docsPage } from './pages/docs-page.js';
import type { Gauges } from './pages/metrics.js';
import { eventsPath, openApi, operationPages, operationPath } from './pages/open-api.js';
import { createReadiness, soonOrNothing } from './pages/readiness.js';
import { httpRefusal, responseHeaders } from './response.js';
import { recordRequest, type ServerState } from './server-state.js';

interface Environment {
  Bindings: HttpBindings;
  Variables: { operation: string; caller: string; refusal: unknown; headers: Record<string, string> };
}

type Here = Context<Environment>;

export function httpApp(
  state: ServerState,
  doors: readonly (readonly DoorRoute[])[] = [],
): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use(async (c, next) => {
    const startedAt = state.options.now();
    state.arrivals += 1;
    closeIdleResponse(c.env.outgoing, state.options.limits.idleMs);
    c.set('headers', responseHeaders(c.env.incoming.headers, state));
    try {
      await next();
    } finally {
      const { operation = 'none', caller = 'unknown', refusal = c.error } = c.var;
      recordRequest(state, { method: c.req.method, operation, caller, refusal, startedAt });
    }
  });
  const guard = guardOf(state);
  app.use(async (c, next) => {
    guardBrowser(c.env.incoming, guard);
    checkPath(c.env.incoming.url);
    await next();
  });
  routeOperations(app, state);
  for (const each of doors.flat()) routeDoor(app, each, state);
  routePages(app, state);
  app.all('*', () => {
    throw nothingThere();
  });
  app.onError((error, c) => refuse(c, error, { state, words: httpRefusal }));
  return app;
}

/** Who sends too much, or without a token, is one that may not stop: its refusals go out when it is their turn. */
async function refuse(
  c: Here,
  refusal: unknown,
  { state, words }: { readonly state: ServerState; readonly words: DoorRoute['refuse'] },
): Promise<Response> {
  const code = isGalleyError(refusal) ? refusal.code : undefined;
  if (code === 'CONTEXT_BACKPRESSURE' || code === 'UNAUTHENTICATED')
    await state.refusals.turn(c.var.caller ?? 'unknown', c.env.outgoing);
  const { status, headers, body } = words(refusal);
  return send(c, body, { status, headers });
}

function guardOf({ options }: ServerState): GuardOptions {
  const { host, allowHosts, allowOrigins, tls } = options;
  const remedies = {
    host: 'start it with --allow-host',
    origin: 'name the origin with --allow-origin if it may',
  };
  return {
    scheme: tls === undefined ? 'http' : 'https',
    host,
    allowHosts,
    allowOrigins,
    links: true,
    remedies,
  };
}

/** A path is what it says: whoever stands before us and decides by it must read the same. */
function checkPath(url = ''): void {
  const path = url.replace(/[?#].*$/su, '');
  if (/\/(\.|%2e){1,2}(\/|$)|%2f|%5c|\\/i.test(path)) throw nothingThere();
}

function nothingThere(): GalleyError {
  return new GalleyError(
    'UNKNOWN_OPERATION',
    'There is nothing at this path; /openapi.json lists what there is.',
  );
}

function routeOperations(app: Hono<Environment>, state: ServerState): void {
  const route = (path: string, id: string, as: AnswerForm) => {
    app.post(path, async (c) => {
      c.set('operation', id);
      const outcome = await answerCall({ id, as }, exchangeOf(c), state);
      if (outcome.kind === 'json') return sendText(c, outcome.json, 'application/json');
      c.set('refusal', outcome.refusal);
      return RESPONSE_ALREADY_SENT;
    });
    app.all(path, (c) => otherMethod(c, 'POST, OPTIONS'));
  };
  for (const id of operationIds) {
    route(operationPath(id), id, 'json');
    route(eventsPath(id), id, 'events');
  }
}

function routeDoor(app: Hono<Environment>, route: DoorRoute, state: ServerState): void {
  const { path, method, name } = route;
  app.on(method, path, async (c) => {
    c.set('operation', name);
    try {
      const outcome = await route.answer(exchangeOf(c), state);
      if (outcome.kind === 'sent') {
        c.set('refusal', outcome.refusal);
        return RESPONSE_ALREADY_SENT;
      }
      const { json, status = 200, headers = {} } = outcome;
      return send(c, json, { status, headers: { 'content-type': 'application/json', ...headers } });
    } catch (refusal) {
      c.set('refusal', refusal);
      return refuse(c, refusal, { state, words: route.refuse });
    }
  });
  app.all(path, (c) => otherMethod(c, `${method}, OPTIONS`));
}

function routePages(app: Hono<Environment>, state: ServerState): void {
  // Bytes made once: a thousand readers that never read hold one copy.
  const page = once(async () => {
    const { html, policy } = docsPage(await operationPages());
    return { bytes: Buffer.from(html), type: 'text/html; charset=utf-8', policy };
  });
  const description = once(async () => Buffer.from(JSON.stringify(openApi(await operationPages()))));
  const sendPage = async (c: Here) => {
    const { bytes, type, policy } = await page();
    const headers = { 'content-type': type, 'content-security-policy': policy };
    return send(c, bytes, { status: 200, headers });
  };
  const { store, now } = state.options;
  const readiness = createReadiness({ store, now, isClosing: () => state.isLeaving });
  const gets: Record<string, (c: Here) => Response | Promise<Response>> = {
    ...(state.options.page === undefined ? { '/': sendPage } : pageGets(state.options.page)),
    '/docs': sendPage,
    '/openapi.json': async (c) => sendText(c, await description(), 'application/json'),
    '/healthz': (c) => sendStatus(c, state.isLeaving ? 'closing' : 'ok', !state.isLeaving),
    '/readyz': async (c) => {
      const status = await readiness();
      return sendStatus(c, status, status === 'ready');
    },
    '/metrics': async (c) => {
      const { metrics } = await admitCaller(exchangeOf(c), state);
      if (!metrics)
        throw new GalleyError(
          'FORBIDDEN',
          'The counters need a token for all projects with the grant "metrics".',
        );
      const text = state.metrics.text({ ...gauges(state), ...(await jobGauges(state)) });
      return sendText(c, text, 'text/plain; version=0.0.4; charset=utf-8');
    },
  };
  for (const [path, handler] of Object.entries(gets)) {
    app.get(path, handler);
    app.all(path, (c) => otherMethod(c, 'GET, HEAD, OPTIONS'));
  }
}

/** The addresses of the page for a person. */
function pageGets(page: PageDoor): Record<string, (c: Here) => Promise<Response>> {
  const by = (answer: (c: Here) => Promise<PageAnswer> | PageAnswer) => async (c: Here) => {
    const { body, ...rest } = await answer(c);
    return send(c, body, rest);
  };
  return {
    '/': by((c) => answerShell(c.env.incoming)),
    '/open/:key': by((c) => answerKey(c.req.param('key') ?? '', c.req.query('view') ?? '', page)),
    '/page/assets/:name': by((c) => answerFile(c.req.param('name') ?? '')),
    '/page/start': by((c) => answerStart(c.env.incoming, page)),
    '/page/id': by(() => answerId(page)),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

function otherMethod(c: Here, allow: string): Response {
  if (c.req.method === 'OPTIONS') return send(c, '', { status: 204, headers: { allow } });
  const refusal = new GalleyError('INVALID_ARGUMENT', `This path takes ${allow}.`, { details: { allow } });
  c.set('refusal', refusal);
  const { headers, body } = httpRefusal(refusal);
  return send(c, body, { status: 405, headers: { ...headers, allow } });
}

function sendStatus(c: Here, status: string, isWell: boolean): Response {
  const headers = { 'content-type': 'application/json' };
  return send(c, JSON.stringify({ status }), { status: isWell ? 200 : 503, headers });
}

function sendText(c: Here, body: string | Buffer, type: string): Response {
  return send(c, body, { status: 200, headers: { 'content-type': type } });
}

/** Straight to the socket: a stream around every short answer costs as much as refusing a call. */
function send(
  c: Here,
  body: string | Buffer,
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

/** Of all servers and workers of the store; without these lines while it is away. */
async function jobGauges({ options }: ServerState): Promise<Gauges> {
  const census = await soonOrNothing(async () => (await options.store()).jobs.census());
  if (census === undefined) return {};
  const { longestWaitMs, ...counts } = census;
  return { galley_jobs: counts, galley_job_longest_wait_seconds: longestWaitMs / 1000 };
}

function gauges({ groups }: ServerState): Record<string, number> {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    galley_calls_running: groups.running(),
    galley_calls_waiting: groups.waiting(),
    process_cpu_seconds: (user + system) / 1e6,
    process_resident_memory_bytes: rss,
    nodejs_heap_size_used_bytes: heapUsed,
  };
}
