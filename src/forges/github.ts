// GitHub, and GitHub Enterprise under its own address. Threads and what became of them are read by GraphQL, which alone knows them;
// everything is written by REST but the resolving of threads.
import * as z from 'zod';
import { isGalleyError } from '../core/model/error.js';
import { basicHeader, githubCalls, writerOf } from './common-calls.js';
import type {
  Check,
  Forge,
  ForgeComment,
  ForgeThread,
  LineComment,
  PullRequest,
  PullState,
} from './forge.js';
import type { ForgeHttp } from './forge-http.js';
import {
  answered,
  commentOf,
  listQuery,
  meantByAnswer,
  meantByErrors,
  pullOf,
  stateQuery,
  threadOf,
} from './github-answers.js';

export interface GitHubOptions {
  readonly http: ForgeHttp;
  /** Address of GraphQL below that of the API: Enterprise has it beside. */
  readonly graphql: ForgeHttp;
  /** `owner/name`. */
  readonly repository: string;
  /** Of the pages for people, for example `https://github.com`. */
  readonly server: string;
  readonly token: string;
}

const needs = {
  read: '"pull-requests: read" and "contents: read"',
  comments: '"pull-requests: write"',
  // Odd, and so: nothing of the contents is written.
  threads: '"contents: write" and "pull-requests: write"',
  checks: '"checks: write" or "statuses: write"',
  people: '"metadata: read"',
} as const;

const pullsAtOnce = 100;
const annotationsAtOnce = 50;

export function github({ http, graphql, repository, server, token }: GitHubOptions): Forge {
  const [owner = '', name = ''] = repository.split('/');
  const base = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const write = writerOf(http, { base, needs: needs.comments });
  const shared = githubCalls({ http, base, write, pushers: ['admin', 'write'], needs });
  const ask = async (query: string, variables: Record<string, unknown>) => {
    const { data } = await graphql.read(
      {
        method: 'POST',
        path: '',
        body: { query, variables: { owner, name, ...variables } },
        onlyReads: true,
        needs: needs.read,
        meant: meantByAnswer,
      },
      answered,
    );
    return data;
  };
  const listPulls = async (states: readonly string[], most: number): Promise<PullRequest[]> => {
    const found: PullRequest[] = [];
    for (let after: string | null = null; ; ) {
      const first = Math.min(most - found.length, pullsAtOnce);
      const data = await ask(listQuery, { states, first, after });
      const { nodes = [], pageInfo: page } = data?.repository?.pullRequests ?? {};
      found.push(...nodes.map(pullOf));
      after = page?.endCursor ?? null;
      if (page?.hasNextPage !== true || after === null || found.length >= most) return found;
    }
  };

  return {
    kind: 'github',
    title: 'GitHub',
    repository,
    abilities: {
      commentCharacters: 65_536,
      linesAtOnce: 30,
      ranges: true,
      resolvesThreads: true,
      suggestionFence: () => 'suggestion',
    },
    git: { url: `${server}/${repository}.git`, header: basicHeader('x-access-token', token) },
    headRef: (number) => `refs/pull/${number}/head`,
    fileBase: (commit) => `${server}/${repository}/blob/${commit}`,

    async pullOf({ name: branch, commit }) {
      const list = z.object({ number: z.number(), state: z.string() });
      const path =
        branch === undefined
          ? // Knows no commit that only a fork has.
            `${base}/commits/${encodeURIComponent(commit ?? '')}/pulls`
          : `${base}/pulls?state=open&head=${encodeURIComponent(branch.includes(':') ? branch : `${owner}:${branch}`)}`;
      const found = await http.list(path, list, { needs: needs.read, most: 100 });
      return found.find(({ state }) => state === 'open')?.number;
    },

    mergedPulls: (most) => listPulls(['MERGED'], most),
    recentPulls: (most) => listPulls(['MERGED', 'OPEN'], most),

    async read(number): Promise<PullState> {
      const comments: ForgeComment[] = [];
      const threads: ForgeThread[] = [];
      const after: { comments: string | null; threads: string | null } = { comments: null, threads: null };
      const done = { comments: false, threads: false };
      for (;;) {
        const data = await ask(stateQuery, { number, ...after });
        const state = data!.repository!.pullRequest!;
        if (!done.comments) comments.push(...state.comments.nodes.map(commentOf));
        if (!done.threads)
          threads.push(...state.reviewThreads.nodes.map((each) => threadOf(each, data?.viewer?.login)));
        const [moreComments, moreThreads] = [state.comments.pageInfo, state.reviewThreads.pageInfo];
        done.comments ||= moreComments?.hasNextPage !== true;
        done.threads ||= moreThreads?.hasNextPage !== true;
        after.comments = moreComments?.endCursor ?? after.comments;
        after.threads = moreThreads?.endCursor ?? after.threads;
        if (done.comments && done.threads) return { pull: pullOf(state), comments, threads };
      }
    },

    ...shared,

    // GitHub does not say which line it refuses.
    addLineComments: (number, head, comments) =>
      shared.addReview(number, { commit_id: head, event: 'COMMENT', comments: comments.map(reviewComment) }),
    async deleteLineComment(_, { comments: [first] }) {
      if (first !== undefined) await write('DELETE', `/pulls/comments/${first.id}`);
    },
    async reply(number, { comments: [first] }, body) {
      if (first !== undefined) await write('POST', `/pulls/${number}/comments/${first.id}/replies`, { body });
    },
    async resolveThreads(_, threads) {
      if (threads.length === 0) return;
      const parts = threads.map(
        (_each, at) => `r${at}: resolveReviewThread(input: { threadId: $t${at} }) { thread { id } }`,
      );
      const names = threads.map((_each, at) => `$t${at}: ID!`).join(', ');
      await graphql.call({
        method: 'POST',
        path: '',
        body: {
          query: `mutation Resolve(${names}) { ${parts.join(' ')} }`,
          variables: Object.fromEntries(threads.map(({ id }, at) => [`t${at}`, id])),
        },
        // Resolving twice is resolving once.
        onlyReads: true,
        needs: needs.threads,
        meant: meantByErrors,
        // What is gone need not be resolved.
        accept: [404],
      });
    },

    async setCheck(head, check) {
      try {
        await addCheckRun(http, base, { head, check });
      } catch (error) {
        // Only apps have check runs; a token of a person sets a status.
        if (!isGalleyError(error) || error.code !== 'FORBIDDEN') throw error;
        await shared.setStatus(head, check);
      }
    },
  };
}

function reviewComment({ path, side, first, last, body }: LineComment) {
  const lineOf = ({ oldLine, newLine }: LineComment['last']) => (side === 'new' ? newLine : oldLine);
  const where = side === 'new' ? 'RIGHT' : 'LEFT';
  const [start, line] = [lineOf(first), lineOf(last)];
  return {
    ...{ path, side: where, line, body },
    ...(start === line ? {} : { start_line: start, start_side: where }),
  };
}

/** Annotations beyond the first fifty are added by further calls. */
async function addCheckRun(
  http: ForgeHttp,
  base: string,
  { head, check }: { readonly head: string; readonly check: Check },
): Promise<void> {
  const rows = check.annotations.map(({ path, startLine, endLine, level, title, message }) => ({
    path,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    title: title.slice(0, 255).toWellFormed(),
    message,
  }));
  const output = (from: number) => ({
    title: check.title,
    summary: check.summary.slice(0, 65_535).toWellFormed(),
    annotations: rows.slice(from, from + annotationsAtOnce),
  });
  const { id } = await http.read(
    {
      method: 'POST',
      path: `${base}/check-runs`,
      body: {
        name: check.name,
        head_sha: head,
        status: 'completed',
        conclusion: check.conclusion,
        output: output(0),
      },
      // The newest run of a name is the one that counts.
      onlyReads: true,
      needs: needs.checks,
    },
    z.object({ id: z.number() }),
  );
  for (let from = annotationsAtOnce; from < rows.length; from += annotationsAtOnce)
    await http.call({
      method: 'PATCH',
      path: `${base}/check-runs/${id}`,
      body: { output: output(from) },
      needs: needs.checks,
    });
}
