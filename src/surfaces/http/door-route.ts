// A path that another door adds to this server: it passes the same guard and is counted and logged the same way, and speaks in a form
// of its own.
import type { CallOutcome, Exchange } from './answer-call.js';
import type { ServerState } from './server-state.js';

export interface DoorRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Under which it is counted and logged. */
  readonly name: string;
  answer(exchange: Exchange, state: ServerState): Promise<CallOutcome & { readonly status?: number }>;
  refuse(thrown: unknown): {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}
