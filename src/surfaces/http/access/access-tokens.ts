// Who is calling, and what may they do? A caller is whom one of the server's tokens names, or the user of this machine when the
// server asks for none. Only digests are kept: who reads them cannot call the server.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import * as z from 'zod';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { parseInput, textField } from '../../../core/model/input.js';
import type { Grant } from '../../../operations/operation.js';
import type { AccountLimits } from '../../../operations/spending-model.js';

export interface Caller {
  /** A digest for logs and limits; it opens nothing. */
  readonly mark: string;
  readonly grants: ReadonlySet<Grant>;
  readonly projects: '*' | ReadonlySet<string>;
  /** Whether requests may name repositories and files, and use what belongs to no project. */
  readonly folders: boolean;
  /** Whether it may see the counters of the server, which are of everybody. */
  readonly metrics: boolean;
  /** Its share of a busy server, beside the shares of others. */
  readonly weight: number;
  /** Absent: what it does is not written down. */
  readonly budget?: TokenBudget;
}

export interface TokenBudget {
  /** Whose spending it is in the store. */
  readonly owner: string;
  /** In a month. */
  readonly limits: AccountLimits;
}

export const localUser: Caller = {
  mark: 'local',
  grants: new Set(['read', 'write', 'inspect', 'run']),
  projects: '*',
  folders: true,
  metrics: true,
  weight: 1,
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

/** Where tokens are looked for, anew with every request. */
export interface TokenSource {
  find(digest: Buffer): Promise<FoundToken | undefined>;
}

export interface FoundToken {
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly token: AccessToken;
}

export async function identify(
  authorization: string | undefined,
  tokens: TokenSource | undefined,
): Promise<Caller> {
  if (tokens === undefined) return localUser;
  const given = /^Bearer +([\w.~+/=-]{1,512}) *$/i.exec(authorization ?? '')?.[1];
  const digest = createHash('sha256')
    .update(given ?? '')
    .digest();
  const found = given === undefined ? undefined : await tokens.find(digest);
  if (found === undefined)
    throw new GalleyError('UNAUTHENTICATED', 'Send a valid token in the header "Authorization: Bearer …".');
  if (found.state !== 'valid') throw noLonger(found.state);
  const { token } = found;
  const mark = markOf(digest.toString('hex'));
  const { grants, projects, folders, metrics, weight } = token;
  return {
    ...{ mark, grants, projects, folders, metrics, weight },
    ...(token.limits === undefined ? {} : { budget: { owner: `token:${mark}`, limits: token.limits } }),
  };
}

function noLonger(state: 'expired' | 'revoked'): GalleyError {
  const words = state === 'expired' ? 'This token has expired' : 'This token was revoked';
  return new GalleyError('UNAUTHENTICATED', `${words}; ask the owner of the server for a new one.`, {
    details: { state },
  });
}

/** What names a token in logs and on the command line. */
export const markOf = (digest: string) => digest.slice(0, 12);

export const grantNames = ['read', 'write', 'inspect', 'run', 'metrics'] as const satisfies readonly (
  | Grant
  | 'metrics'
)[];

export interface AccessToken extends Omit<Caller, 'mark' | 'budget'> {
  /** Absent: what it does is not written down. */
  readonly limits?: AccountLimits | undefined;
}

const projects = z.union([z.literal('*'), z.array(textField(512).min(1)).max(10_000)]);

const limits = z.strictObject({
  calls: z.number().int().min(0).optional(),
  tokens: z.number().int().min(0).optional(),
  dollars: z.number().min(0).max(1e9).optional(),
});

/** What a token allows, in the store as in a file. */
export const tokenTerms = z.strictObject({
  /** For the person who keeps the list. */
  note: textField(200).optional(),
  projects,
  grants: z.array(z.enum(grantNames)).max(grantNames.length),
  folders: z.boolean().optional(),
  weight: z.number().min(0.01).max(1000).optional(),
  limits: limits.optional(),
});

export type TokenTerms = z.output<typeof tokenTerms>;

export function tokenOf({ projects, grants, folders, weight = 1, limits }: TokenTerms): AccessToken {
  const forOperations = grants.filter((grant) => grant !== 'metrics');
  return {
    grants: new Set(forOperations),
    projects: projects === '*' ? projects : new Set(projects),
    folders: folders ?? projects === '*',
    // Counters tell what all do, so whoever is confined to projects never sees them.
    metrics: projects === '*' && grants.includes('metrics'),
    weight,
    limits,
  };
}

const entry = tokenTerms.extend({
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  /** A day, or a time in full. */
  expires: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
});

const tokenFile = z.strictObject({ tokens: z.array(entry).max(10_000) });

export interface ListedToken {
  readonly digest: Buffer;
  readonly expiresAt?: number;
  readonly token: AccessToken;
}

export function parseTokens(text: string): readonly ListedToken[] {
  try {
    return parseInput(tokenFile, parse(text, { maxAliasCount: 0 })).tokens.map(
      ({ hash, expires, ...terms }) => ({
        digest: Buffer.from(hash.slice('sha256:'.length), 'hex'),
        ...(expires === undefined ? {} : { expiresAt: Date.parse(expires) }),
        token: tokenOf(terms),
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
