// Who is calling, and what may they do? A caller is a token of the list, or the user of this machine when there is no list. The
// list holds hashes only: who reads the file cannot call the server.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import * as z from 'zod';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { parseInput, textField } from '../../../core/model/input.js';
import type { Grant } from '../../../operations/operation.js';

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

/** The person in front of this machine, by the cookie of the page they opened. */
export function callerOfPage(
  { headers }: Pick<IncomingMessage, 'headers'>,
  page: Cookies | undefined,
): Caller | undefined {
  if (page === undefined) return undefined;
  const given = cookieOf(headers.cookie, page.cookieName);
  return given !== undefined && page.knows(given) ? { ...localUser, mark: 'page' } : undefined;
}

interface Cookies {
  readonly cookieName: string;
  knows(cookie: string): boolean;
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(/; */)) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at) === name) return pair.slice(at + 1);
  }
  return undefined;
}

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

export const grantNames = ['read', 'write', 'inspect', 'run'] as const satisfies readonly Grant[];

export interface AccessToken {
  readonly digest: Buffer;
  readonly grants: ReadonlySet<Grant>;
  readonly projects: '*' | ReadonlySet<string>;
  readonly folders: boolean;
}

const entry = z.strictObject({
  /** For the person who keeps the list. */
  note: textField(200).optional(),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  projects: z.union([z.literal('*'), z.array(textField(512).min(1)).max(10_000)]),
  grants: z.array(z.enum(grantNames)).max(grantNames.length),
  folders: z.boolean().optional(),
});

const tokenFile = z.strictObject({ tokens: z.array(entry).max(10_000) });

export async function readTokenFile(path: string): Promise<readonly AccessToken[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new GalleyError(
      'CONFIG_INVALID',
      'The token file cannot be read; check --tokens or GALLEY_TOKENS.',
      {
        cause,
      },
    );
  });
  return parseTokens(text);
}

export function parseTokens(text: string): readonly AccessToken[] {
  try {
    return parseInput(tokenFile, parse(text, { maxAliasCount: 0 })).tokens.map(
      ({ hash, projects, grants, folders }) => ({
        digest: Buffer.from(hash.slice('sha256:'.length), 'hex'),
        grants: new Set(grants),
        projects: projects === '*' ? projects : new Set(projects),
        folders: folders ?? projects === '*',
      }),
    );
  } catch (error) {
    const why = isGalleyError(error) ? error.message : 'it is neither YAML nor JSON.';
    throw new GalleyError('CONFIG_INVALID', `The token file is not valid: ${why}`);
  }
}

/** The token itself is shown once and kept nowhere. */
export function newToken(): { token: string; hash: string } {
  const token = `galley_${randomBytes(32).toString('base64url')}`;
  return { token, hash: `sha256:${createHash('sha256').update(token).digest('hex')}` };
}
