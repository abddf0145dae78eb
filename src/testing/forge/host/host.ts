// What each of the three hosts is to the server in front of it.
import type { Account, Role } from './accounts.js';
import type { Answer, Exchange } from './request.js';
import type { World } from './world.js';

export interface Host {
  /** Addresses of the API begin with it. */
  readonly apiPath: string;
  answer(exchange: Exchange): Promise<Answer>;
  /** To a call without a token, or with one that counts for nothing. */
  unauthorized(kind: 'stranger' | 'nobody'): Answer;
  /** An error of this status in the host's own form. */
  failure(status: number, message: string): Answer;
  /** What the environment of its CI says; the token is that of the account. */
  environment(facts: { readonly url: string; readonly token: string }): Readonly<Record<string, string>>;
}

export interface HostSetup {
  readonly world: World;
  readonly url: string;
  /** Accounts of people beside those of tokens, by what they may do with the repository. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly accounts: Readonly<Record<string, Account>>;
  readonly now: () => number;
  /** Says that the stand-in itself is wrong. */
  defect(text: string): void;
}

/** What an account may do with the repository; undefined for one nobody has heard of. */
export function roleOf(login: string, { world, roles, accounts }: HostSetup): Role | undefined {
  if (Object.hasOwn(roles, login)) return roles[login];
  if (Object.values(accounts).some((account) => account.login === login)) return 'write';
  const said = [...world.pulls.values()].flatMap(({ author, comments, threads }) => [
    author,
    ...comments.map((comment) => comment.author),
    ...threads.flatMap((thread) => thread.comments.map((comment) => comment.author)),
  ]);
  return said.includes(login) ? 'none' : undefined;
}
