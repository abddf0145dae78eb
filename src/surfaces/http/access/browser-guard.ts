// Keeps web pages away from a server on the user's machine: the Host must be a name that cannot be rebound by a stranger, the
// Origin must be our own or an allowed one.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { GalleyError } from '../../../core/model/error.js';

export interface GuardOptions {
  /** What the server listens on. */
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
}

export function guardBrowser(headers: IncomingHttpHeaders, options: GuardOptions): void {
  const host = headers.host ?? '';
  if (!mayName(hostName(host), options)) {
    throw new GalleyError(
      'FORBIDDEN',
      'The Host header names another machine; use the address the server printed, or start it with --allow-host.',
    );
  }
  const { origin } = headers;
  if (origin !== undefined) {
    if (origin === `http://${host}` || options.allowOrigins.includes(origin)) return;
    throw refusedPage();
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  // Following a link to one of our pages is fine; embedding or fetching it from elsewhere is not.
  if (headers['sec-fetch-mode'] !== 'navigate') throw refusedPage();
}

export function isLoopback(host: string): boolean {
  const name = bare(host);
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function mayName(name: string, { host, allowHosts }: GuardOptions): boolean {
  if (name === '') return false;
  if (isLoopback(name) || name === bare(host) || allowHosts.some((allowed) => bare(allowed) === name))
    return true;
  // An address cannot be rebound, but on loopback none but loopback's own makes sense.
  return !isLoopback(host) && isIP(name) !== 0;
}

function hostName(header: string): string {
  return bare(header.replace(/:\d{1,5}$/, ''));
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function refusedPage(): GalleyError {
  return new GalleyError(
    'FORBIDDEN',
    'A page of another origin may not call this server; name the origin with --allow-origin if it may.',
  );
}
