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
  environment(token: string): Readonly<Record<string, string>>;
  /** What a workflow is told of something that happened; undefined where a host has no such thing. */
  readonly event?: (asked: AskedEvent) => Promise<unknown>;
}

export interface AskedEvent {
  readonly name: 'pull_request' | 'issue_comment' | 'pull_request_review_comment' | 'workflow_run';
  /** As GitHub calls it; the usual one of its kind when left out. */
  readonly action?: string;
  /** Of the pull request. */
  readonly number: number;
  /** Id of the comment it is about. */
  readonly comment?: number;
  /** Who did it; the author of the comment, or of the pull request, when left out. */
  readonly sender?: string;
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
