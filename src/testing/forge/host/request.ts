// A call of the API as a host sees it, the answer to it, and which rule answers which path.
import type { Account } from './accounts.js';

/** What is remembered of every request; never a token, never what was sent. */
export interface ForgeRequest {
  /** Since faults were last set; the first is 1. */
  readonly number: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly kind: 'api' | 'git';
  /** 0 as long as there is no answer, or where none was given. */
  status: number;
}

export interface Exchange {
  readonly method: string;
  /** Below the address of the API. */
  readonly path: string;
  readonly query: URLSearchParams;
  header(name: string): string;
  /** Undefined where nothing, or no JSON, was sent. */
  readonly body: unknown;
  readonly account: Account;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Parameters = Readonly<Record<string, string>>;

export interface Route {
  readonly method: string;
  /** `{name}` stands for one part of the path. */
  readonly path: string;
  /** Says no before what was sent is looked at. */
  readonly refuse?: (exchange: Exchange) => Answer | undefined;
  run(exchange: Exchange, parameters: Parameters): Answer | Promise<Answer>;
}

export function findRoute(
  routes: readonly Route[],
  { method, path }: Pick<Exchange, 'method' | 'path'>,
): { readonly route: Route; readonly parameters: Parameters } | undefined {
  for (const route of routes) {
    if (route.method !== method) continue;
    const parameters = match(route.path, path);
    if (parameters !== undefined) return { route, parameters };
  }
  return undefined;
}

function match(pattern: string, path: string): Parameters | undefined {
  const [want, have] = [pattern.split('/'), path.split('/')];
  if (want.length !== have.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, part] of want.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== have[at]) return undefined;
    if (name !== undefined) found[name] = decodeURIComponent(have[at]!);
  }
  return found;
}
