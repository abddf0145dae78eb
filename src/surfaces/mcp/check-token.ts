// The one token of a server on this machine, if it has one.
import { timingSafeEqual } from 'node:crypto';
import { GalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';

export function checkToken(authorization: string | undefined, token: string | undefined): void {
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
