// Who is calling, and what may they do? A caller is a token of the list, or the user of this machine when there is no list.
import { createHash, timingSafeEqual } from 'node:crypto';
import { GalleyError } from '../../../core/model/error.js';
import type { Grant } from '../../../operations/operation.js';
import type { AccessToken } from './access-tokens.js';

export interface Caller {
  /** A digest for logs and limits; it opens nothing. */
  readonly mark: string;
  readonly grants: ReadonlySet<Grant>;
  readonly projects: '*' | ReadonlySet<string>;
  /** Whether requests may name repositories and files, and use what belongs to no project. */
  readonly folders: boolean;
}

export const localUser: Caller = {
  mark: 'local',
  grants: new Set(['read', 'write', 'inspect', 'run']),
  projects: '*',
  folders: true,
};

export function identify(
  authorization: string | undefined,
  tokens: readonly AccessToken[] | undefined,
): Caller {
  if (tokens === undefined) return localUser;
  const given = /^Bearer +([\w.~+/=-]{1,512}) *$/i.exec(authorization ?? '')?.[1];
  const digest = createHash('sha256')
    .update(given ?? '')
    .digest();
  // Every entry is compared, so the time taken tells nothing about the list.
  let found: AccessToken | undefined;
  for (const token of tokens) if (timingSafeEqual(token.digest, digest)) found = token;
  if (given === undefined || found === undefined) {
    throw new GalleyError('UNAUTHENTICATED', 'Send a valid token in the header "Authorization: Bearer …".');
  }
  const { grants, projects, folders } = found;
  return { mark: digest.toString('hex').slice(0, 12), grants, projects, folders };
}
