// Keeps web pages away from a server on the user's machine: the Host must be a name that cannot be rebound by a stranger, the
// Origin must be our own or an allowed one. Every door that listens asks here; how strict it is, it says itself.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { GalleyError } from '../../../core/model/error.js';

export interface GuardOptions {
  readonly scheme: 'http' | 'https';
  /** What the server listens on. */
  readonly host: string;
  /** When given, the Host must name it; behind proxies it differs. */
  readonly port?: number | undefined;
  /** When given, no other name is ours: not even other addresses of this machine. */
  readonly onlyHosts?: readonly string[] | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  readonly allowOrigins?: readonly string[] | undefined;
  /** Whether links of other pages may lead here. */
  readonly links: boolean;
  /** What someone refused may do about it. */
  readonly remedies?: { readonly host: string; readonly origin: string } | undefined;
}

type Asked = Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'method' | 'url'>;

export function guardBrowser(incoming: Asked, options: GuardOptions): void {
  const { headers } = incoming;
  const { scheme, allowOrigins = [], links } = options;
  const { host = '', origin } = headers;
  if (!isOurs(incoming, options)) throw refusedHost(options);
  if (origin !== undefined) {
    if (origin === `${scheme}://${host}` || allowOrigins.includes(origin)) return;
    throw refusedPage(options);
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  // Following a link to one of our pages is fine; embedding, fetching or sending forms from elsewhere is not.
  if (!links || !isLinkFollowed(incoming)) throw refusedPage(options);
}

export function isLoopback(host: string): boolean {
  const name = bare(host);
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function isOurs({ headersDistinct, url = '' }: Asked, options: GuardOptions): boolean {
  const [host = '', ...others] = headersDistinct.host ?? [];
  const [, authority = host] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  // Two names, or one in the address and another in the header: whoever reads the other one is fooled.
  if (others.length > 0 || authority !== host) return false;
  const [, name = '', port = ''] = /^(.*?)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return isPort(port, options) && mayName(bare(name), options);
}

function isPort(given: string, { port, scheme }: GuardOptions): boolean {
  return port === undefined || Number(given || (scheme === 'http' ? 80 : 443)) === port;
}

function mayName(name: string, { host, onlyHosts, allowHosts = [] }: GuardOptions): boolean {
  if (name === '') return false;
  if (onlyHosts !== undefined) return onlyHosts.includes(name);
  if (isLoopback(name) || name === bare(host) || allowHosts.some((allowed) => bare(allowed) === name))
    return true;
  // An address cannot be rebound, but on loopback none but loopback's own makes sense.
  return !isLoopback(host) && isIP(name) !== 0;
}

function isLinkFollowed({ headers, method }: Asked): boolean {
  const into = headers['sec-fetch-dest'];
  const isWhole = into === undefined || into === 'document';
  return isWhole && headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD');
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function refusedHost({ remedies }: GuardOptions): GalleyError {
  const remedy = remedies === undefined ? '' : `, or ${remedies.host}`;
  return new GalleyError(
    'FORBIDDEN',
    `The Host header names another machine; use the address the server printed${remedy}.`,
  );
}

function refusedPage({ remedies }: GuardOptions): GalleyError {
  const remedy = remedies === undefined ? '' : `; ${remedies.origin}`;
  return new GalleyError('FORBIDDEN', `A page of another origin may not call this server${remedy}.`);
}
