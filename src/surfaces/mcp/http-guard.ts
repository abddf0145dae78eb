// Who may speak to the local server: programs on this machine that name it by its own address, with the token if there is one.
// A web page of another origin, or one whose name was made to point here, is refused before its body is read.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';

export interface GuardOptions {
  readonly port: number;
  readonly token?: string | undefined;
}

export function checkCaller({ headers }: IncomingMessage, { port, token }: GuardOptions): void {
  const names = ['127.0.0.1', 'localhost', '[::1]'].flatMap((host) =>
    port === 80 ? [host, `${host}:80`] : [`${host}:${port}`],
  );
  if (!names.includes(headers.host?.toLowerCase() ?? '')) {
    throw new GalleyError('FORBIDDEN', 'The Host header is not an address of this server.');
  }
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isForeign = origin !== undefined && !names.some((name) => origin.toLowerCase() === `http://${name}`);
  if (isForeign || site === 'cross-site' || site === 'same-site') {
    throw new GalleyError('FORBIDDEN', 'Web pages of other origins may not call this server.');
  }
  if (token === undefined) return;
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  // Digests have one length whatever was given, so the comparison tells nothing by its time.
  if (!timingSafeEqual(Buffer.from(hashText(given)), Buffer.from(hashText(token)))) {
    throw new GalleyError(
      'UNAUTHENTICATED',
      'Send the token of GALLEY_MCP_TOKEN as "Authorization: Bearer …".',
    );
  }
}
