// The way out for every call over HTTP: through the proxy that the environment names, else straight. Node's own fetch knows these
// variables only in newer versions and only when told to.
import type { Agent, Dispatcher, ProxyAgent } from 'undici';
import { type ErrorCode, GalleyError } from '../core/model/error.js';
import { causesOf, networkCode } from './error-codes.js';
import { findProxy, type NamedProxy, namedProxies } from './find-proxy.js';

export type Fetch = typeof globalThis.fetch;

/** A proxy that does not let a call through is told under the code of the caller. */
export function outgoingFetch(environment: NodeJS.ProcessEnv, code: ErrorCode): Fetch {
  if (namedProxies(environment).length === 0) return globalThis.fetch;
  return async (input, init) => {
    const proxy = findProxy(new URL(input instanceof Request ? input.url : input), environment);
    if (proxy === undefined) return fetch(input, init);
    const send = await fetchThrough(proxy, code);
    return send(input, init).catch((error: unknown) => {
      throw proxyFailure(error, proxy, code) ?? error;
    });
  };
}

const agents = new Map<string, ProxyAgent>();

async function fetchThrough({ variable, url }: NamedProxy, code: ErrorCode): Promise<Fetch> {
  if (url === undefined) throw malformed(variable, code);
  const undici = await import('undici');
  const { href } = url;
  const dispatcher = agents.get(href) ?? new undici.ProxyAgent(proxyOptions(url));
  agents.set(href, dispatcher);
  // The package and the platform have the same types twice.
  const send = undici.fetch as unknown as (input: unknown, init: object) => Promise<Response>;
  return (input, init) => send(input, { ...init, dispatcher });
}

function proxyOptions({ origin, username, password }: URL): ProxyAgent.Options {
  const login = [username, password].map(decodeURIComponent).join(':');
  return {
    uri: origin,
    // Many proxies tunnel to port 443 alone.
    proxyTunnel: false,
    ...(username === '' ? {} : { token: `Basic ${Buffer.from(login).toString('base64')}` }),
  };
}

export type OutgoingRequest = (
  base: URL,
  // The types of the package misspell the last one.
  request: Omit<Dispatcher.RequestOptions, 'origin'> & { readonly responseHeaders?: 'raw' },
) => Promise<Dispatcher.ResponseData>;

/** For requests that must go out exactly as they are, body and headers; the same way out. */
export async function outgoingDispatcher(
  environment: NodeJS.ProcessEnv,
  options: Agent.Options,
): Promise<OutgoingRequest> {
  const undici = await import('undici');
  const known = new Map<string, Dispatcher>();
  return async (base, request) => {
    const proxy = findProxy(base, environment);
    if (proxy !== undefined && proxy.url === undefined) throw malformed(proxy.variable, 'MODEL_UNAVAILABLE');
    const key = proxy?.url?.href ?? '';
    const dispatcher =
      known.get(key) ??
      (proxy?.url === undefined
        ? new undici.Agent(options)
        : new undici.ProxyAgent({ ...options, ...proxyOptions(proxy.url) }));
    known.set(key, dispatcher);
    return dispatcher.request({ ...request, origin: base.origin });
  };
}

/** Nothing is ever connected to but the proxy, so what cannot be connected to is the proxy. */
const neverConnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/** Undefined where the proxy is not to blame, or only for a while. */
function proxyFailure(error: unknown, { variable }: NamedProxy, code: ErrorCode): GalleyError | undefined {
  const refuse = (reason: string, says: string) => failure(code, variable, reason, says);
  const status = refusalOf(error);
  if (status === 407)
    return refuse('proxy-login', 'names a proxy that wants a login; put user and password into the address');
  if (status !== undefined && status < 500)
    return refuse(
      'proxy-refused',
      'names a proxy that does not let this call through; have the host allowed there, or list it in NO_PROXY',
    );
  if (neverConnected.test(networkCode(error) ?? ''))
    return refuse(
      'proxy-unreachable',
      'names a proxy that cannot be reached; correct or unset it, or list the host in NO_PROXY',
    );
  return undefined;
}

/** The status a proxy answered with instead of passing the call on; the package tells it in words alone. */
function refusalOf(error: unknown): number | undefined {
  for (const { message } of causesOf(error)) {
    const status = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1];
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

const malformed = (variable: string, code: ErrorCode) =>
  failure(code, variable, 'proxy-malformed', 'is not an http or https address; set it to one');

function failure(code: ErrorCode, variable: string, reason: string, says: string): GalleyError {
  return new GalleyError(code, `${variable} ${says}.`, { details: { reason, variable } });
}
