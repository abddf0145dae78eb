// A server for the operation table. It never listens beyond this machine without tokens, gives slow callers no hold on it, and
// when it closes, it finishes what it began.
import { getRequestListener } from '@hono/node-server';
import { GalleyError } from '../../core/model/error.js';
import { isLoopback } from './access/browser-guard.js';
import { type CarefulServer, malformedRequest, startCarefulServer } from './careful-server.js';
import type { DoorRoute } from './door-route.js';
import { httpApp } from './http-app.js';
import { httpRefusal, plainHeaders } from './response.js';
import type { ServeOptions } from './serve-options.js';
import { createServerState, recordRequest, type ServerState } from './server-state.js';

export interface HttpServer {
  /** For example http://127.0.0.1:4000. */
  readonly address: string;
  /** Says that it is closing to whoever asks, and goes on answering calls until it is closed. */
  leave(): void;
  /** Takes no more calls, lets those that run finish for a while, then cancels them. */
  close(): Promise<void>;
  /** Cancels what runs. */
  cancel(): void;
}

export interface HttpServerOptions extends ServeOptions {
  /** What others add to the paths of this server. */
  readonly doors?: readonly (readonly DoorRoute[])[] | undefined;
}

export async function startHttpServer({ doors, ...options }: HttpServerOptions): Promise<HttpServer> {
  if (options.tokens === undefined && !isLoopback(options.host)) {
    throw new GalleyError(
      'CONFIG_INVALID',
      'Without tokens the server listens on this machine only; make one with galley token create or name a file with --tokens, or leave --host.',
    );
  }
  const state = createServerState(options);
  const { limits, tls } = options;
  const refuse = (refusal: GalleyError) => {
    recordRequest(state, { ...nobody(state), refusal });
    return httpRefusal(refusal).body;
  };
  const server = await startCarefulServer(options, {
    limits,
    tls,
    refuse,
    onRequest: requestListener(httpApp(state, doors), refuse),
    onConnection: () => {
      state.arrivals += 1;
    },
  });
  return {
    address: server.address,
    leave: () => {
      state.isLeaving = true;
    },
    close: () => closeServer(server, state),
    cancel: () => cancelCalls(state),
  };
}

function requestListener(app: ReturnType<typeof httpApp>, refuse: (refusal: GalleyError) => string) {
  return getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => {
      // Only what is no HTTP request for us comes here; the rest was answered inside.
      const refusal = malformedRequest();
      const { status, headers } = httpRefusal(refusal);
      const all = { ...plainHeaders, ...headers, connection: 'close' };
      return new Response(refuse(refusal), { status, headers: all });
    },
  });
}

const nobody = ({ options }: ServerState) => ({
  method: 'unknown',
  operation: 'none',
  caller: 'unknown',
  startedAt: options.now(),
});

async function closeServer(server: CarefulServer, state: ServerState): Promise<void> {
  const { graceMs } = state.options.limits;
  state.isLeaving = true;
  state.isClosing = true;
  state.refusals.releaseAll();
  const cancel = setTimeout(() => cancelCalls(state), graceMs);
  const force = setTimeout(() => server.endAll(), graceMs + 2000);
  await server.close();
  clearTimeout(cancel);
  clearTimeout(force);
}

function cancelCalls({ running }: ServerState): void {
  for (const call of running) call.abort();
}
