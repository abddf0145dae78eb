// What more than one host does the same way. Gitea's API follows GitHub's, so that the two share their calls for comments, reviews,
// statuses and people.
import * as z from 'zod';
import type { Check, Forge, LineCommentsOutcome, PullRequest } from './forge.js';
import type { ForgeAnswer, ForgeCall, ForgeHttp } from './forge-http.js';

export type Write = (
  method: Exclude<ForgeCall['method'], 'GET'>,
  path: string,
  body?: unknown,
) => Promise<ForgeAnswer>;

/** Calls that change something, under one right. */
export function writerOf(
  http: Pick<ForgeHttp, 'call'>,
  { base, needs }: { readonly base: string; readonly needs: string },
): Write {
  return (method, path, body) =>
    http.call({
      method,
      path: `${base}${path}`,
      needs,
      ...(body === undefined ? {} : { body }),
      // What is to be gone may be gone already.
      ...(method === 'DELETE' ? { accept: [404] } : {}),
    });
}

export interface GitHubCalls
  extends Pick<Forge, 'addComment' | 'editComment' | 'deleteComment' | 'setDescription' | 'mayWrite'> {
  /** Nothing of it is posted where one line is refused, and none is named. */
  addReview(number: number, review: object): Promise<LineCommentsOutcome>;
  setStatus(head: string, check: Pick<Check, 'name' | 'conclusion' | 'title'>): Promise<void>;
}

interface GitHubCallsOptions {
  readonly http: ForgeHttp;
  /** Of the repository, below the address of the API. */
  readonly base: string;
  readonly write: Write;
  /** Permissions that let an account push, in the host's words. */
  readonly pushers: readonly string[];
  readonly needs: { readonly comments: string; readonly checks: string; readonly people: string };
}

export function githubCalls({ http, base, write, pushers, needs }: GitHubCallsOptions): GitHubCalls {
  return {
    async addComment(number, body) {
      await write('POST', `/issues/${number}/comments`, { body });
    },
    async editComment(_, id, body) {
      await write('PATCH', `/issues/comments/${id}`, { body });
    },
    async deleteComment(_, id) {
      await write('DELETE', `/issues/comments/${id}`);
    },
    async setDescription(number, body) {
      await write('PATCH', `/pulls/${number}`, { body });
    },
    async addReview(number, body) {
      const path = `${base}/pulls/${number}/reviews`;
      const { status } = await http.call({
        ...{ method: 'POST', path, body, needs: needs.comments, accept: [422] },
      });
      return status === 422 ? { posted: false, refused: [] } : { posted: true };
    },
    setStatus: (head, check) =>
      setStatus(http, `${base}/statuses/${head}`, {
        body: { ...statusOf(check, 'failure'), context: check.name },
        needs: needs.checks,
      }),
    async mayWrite(login) {
      const path = `${base}/collaborators/${encodeURIComponent(login)}/permission`;
      const { permission = '' } = await http.read(
        { method: 'GET', path, needs: needs.people, accept: [404] },
        z.object({ permission: z.string().optional() }),
      );
      return pushers.includes(permission);
    },
  };
}

/** A status of the same name replaces the one before. */
export async function setStatus(
  http: Pick<ForgeHttp, 'call'>,
  path: string,
  { body, needs }: { readonly body: object; readonly needs: string },
): Promise<void> {
  await http.call({ method: 'POST', path, body, onlyReads: true, needs });
}

/** As short as hosts want it. */
export function statusOf(
  { conclusion, title }: Pick<Check, 'conclusion' | 'title'>,
  failed: 'failure' | 'failed',
): { readonly state: string; readonly description: string } {
  return {
    state: conclusion === 'failure' ? failed : 'success',
    description: [...title].slice(0, 140).join(''),
  };
}

export function basicHeader(user: string, token: string): string {
  return `Authorization: Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
}

/** For hosts that say both, one or neither. */
export function mergedOf(
  at: string | null | undefined,
  commit: string | null | undefined,
): Pick<PullRequest, 'merged'> {
  if (at === null || at === undefined) return {};
  return { merged: { at, ...(commit ? { commit } : {}) } };
}
