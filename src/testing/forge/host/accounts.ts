// Who calls, and what the token lets them do. A right is what the least scope of a host gives, never more.
import type { IncomingMessage } from 'node:http';

/**
 * - `read`: pull requests, comments and the repository itself; `issues`: those a pull request closes, at GitHub;
 * - `comment`: comments, reviews and the description of a pull request;
 * - `resolve`: threads; GitHub asks for the right to write contents, GitLab and Gitea for no more than `comment`;
 * - `status`, `check`: of a commit; check runs are for apps only; `scan`: results of scanners.
 */
export type Right = 'read' | 'issues' | 'comment' | 'resolve' | 'status' | 'check' | 'scan';

export type Role = 'admin' | 'write' | 'read' | 'none';

export interface Account {
  readonly login: string;
  readonly rights: readonly Right[];
  /** An app, such as the one that runs workflows; GitHub writes `[bot]` behind its name. */
  readonly isApp?: boolean;
  readonly isExpired?: boolean;
}

export const everyRight: readonly Right[] = [
  'read',
  'issues',
  'comment',
  'resolve',
  'status',
  'check',
  'scan',
];

/** The token of a request, wherever the hosts and git put it. */
export function tokenOf({ headers }: IncomingMessage): string | undefined {
  const own = headers['private-token'];
  if (typeof own === 'string') return own;
  const [kind = '', value = ''] = (headers.authorization ?? '').split(' ', 2);
  if (/^(?:bearer|token)$/i.test(kind)) return value;
  if (!/^basic$/i.test(kind)) return undefined;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

export type Caller =
  | { readonly kind: 'known'; readonly account: Account }
  | { readonly kind: 'stranger' | 'nobody' };

export function callerOf(accounts: Readonly<Record<string, Account>>, token: string | undefined): Caller {
  if (token === undefined) return { kind: 'nobody' };
  const account = Object.hasOwn(accounts, token) ? accounts[token] : undefined;
  return account === undefined || account.isExpired === true
    ? { kind: 'stranger' }
    : { kind: 'known', account };
}
