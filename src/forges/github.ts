// GitHub, and GitHub Enterprise under its own address. Threads and what became of them are read by GraphQL, which alone knows them;
// everything is written by REST but the resolving of threads.
import * as z from 'zod';
import { isGalleyError } from '../core/model/error.js';
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
} as const;

const actor = z.object({ login: z.string() }).nullish();
const reactions = z
  .array(z.object({ content: z.string(), users: z.object({ totalCount: z.number() }) }))
  .nullish();
const comment = z.object({
  /** As text: newer ids do not fit into GraphQL's numbers. */
  fullDatabaseId: z.union([z.string(), z.number()]).nullish(),
  body: z.string(),
  author: z.object({ login: z.string(), __typename: z.string().optional() }).nullish(),
  viewerDidAuthor: z.boolean(),
  createdAt: z.string().nullish(),
  reactionGroups: reactions,
});
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ nodes: z.array(item), pageInfo: pageInfo.optional() });
const thread = z.object({
  id: z.string(),
  path: z.string(),
  isResolved: z.boolean(),
  isOutdated: z.boolean(),
  line: z.number().nullish(),
  startLine: z.number().nullish(),
  diffSide: z.enum(['LEFT', 'RIGHT']).nullish(),
  resolvedBy: actor,
  comments: listOf(comment),
});
const pull = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  isDraft: z.boolean(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  author: actor,
  baseRefName: z.string(),
  baseRefOid: z.string(),
  headRefName: z.string(),
  headRefOid: z.string(),
  isCrossRepository: z.boolean(),
  mergedAt: z.string().nullish(),
  mergeCommit: z.object({ oid: z.string() }).nullish(),
  // Without the right to read issues they are there, and nothing in them.
  closingIssuesReferences: listOf(
    z.object({ number: z.number(), title: z.string(), body: z.string() }).nullable(),
  ).nullish(),
});
const errors = z.array(z.object({ type: z.string().optional() })).optional();
const answered = z.object({
  data: z
    .object({
      viewer: z.object({ login: z.string() }).nullish(),
      repository: z
        .object({
          pullRequest: pull.extend({ comments: listOf(comment), reviewThreads: listOf(thread) }).nullish(),
          pullRequests: listOf(pull).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  errors,
});
const resolved = z.object({ errors });

const pullFields = `number title body url isDraft state author { login } baseRefName baseRefOid headRefName headRefOid
  isCrossRepository mergedAt mergeCommit { oid } closingIssuesReferences(first: 10) { nodes { number title body } }`;
const commentFields =
  'fullDatabaseId body author { login __typename } viewerDidAuthor createdAt reactionGroups { content users { totalCount } }';
const stateQuery = `query State($owner: String!, $name: String!, $number: Int!, $comments: String, $threads: String) {
  viewer { login }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    ${pullFields}
    comments(first: 100, after: $comments) { nodes { ${commentFields} } pageInfo { hasNextPage endCursor } }
    reviewThreads(first: 100, after: $threads) {
      nodes {
        id path isResolved isOutdated line startLine diffSide resolvedBy { login }
        comments(first: 50) { nodes { ${commentFields} } }
      }
      pageInfo { hasNextPage endCursor }
    }
  } }
}`;
const listQuery = `query List($owner: String!, $name: String!, $states: [PullRequestState!], $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(states: $states, first: $first, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes { ${pullFields} } pageInfo { hasNextPage endCursor }
    }
  }
}`;
const pullsAtOnce = 100;

const annotationsAtOnce = 50;

export function github({ http, graphql, repository, server, token }: GitHubOptions): Forge {
  const [owner = '', name = ''] = repository.split('/');
  const base = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const write = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    http.call({
      method,
      path: `${base}${path}`,
      needs: needs.comments,
      ...(body === undefined ? {} : { body }),
      // What is to be gone may be gone already.
      ...(method === 'DELETE' ? { accept: [404] } : {}),
    });
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

    async addComment(number, body) {
      await write('POST', `/issues/${number}/comments`, { body });
    },
    async editComment(_, id, body) {
      await write('PATCH', `/issues/comments/${id}`, { body });
    },
    async deleteComment(_, id) {
      await write('DELETE', `/issues/comments/${id}`);
    },

    async addLineComments(number, head, comments) {
      const { status } = await http.call({
        method: 'POST',
        path: `${base}/pulls/${number}/reviews`,
        body: { commit_id: head, event: 'COMMENT', comments: comments.map(reviewComment) },
        needs: needs.comments,
        accept: [422],
      });
      // GitHub does not say which one.
      return status === 422 ? { posted: false, refused: [] } : { posted: true };
    },
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
        const state = check.conclusion === 'failure' ? 'failure' : 'success';
        const description = [...check.title].slice(0, 140).join('');
        await http.call({
          method: 'POST',
          path: `${base}/statuses/${head}`,
          body: { state, description, context: check.name },
          // A status of the same name replaces the one before.
          onlyReads: true,
          needs: needs.checks,
        });
      }
    },

    async setDescription(number, body) {
      await write('PATCH', `/pulls/${number}`, { body });
    },

    async mayWrite(login) {
      const { permission } = await http.read(
        {
          method: 'GET',
          path: `${base}/collaborators/${encodeURIComponent(login)}/permission`,
          needs: '"metadata: read"',
          accept: [404],
        },
        z.object({ permission: z.string().optional() }),
      );
      return permission === 'admin' || permission === 'write';
    },
  };
}

/** Errors beside what was asked for mean nothing; instead of it they do. */
function meantByAnswer(body: unknown): number | undefined {
  const { success, data: read } = answered.safeParse(body);
  const { pullRequest, pullRequests } = read?.data?.repository ?? {};
  const isThere = (pullRequest ?? pullRequests ?? undefined) !== undefined;
  return success && !isThere ? (meantByErrors(body) ?? 404) : undefined;
}

/** The worst first: what is missing may be missing. */
function meantByErrors(body: unknown): number | undefined {
  const statuses: Readonly<Record<string, number>> = { NOT_FOUND: 404, FORBIDDEN: 403, RATE_LIMITED: 429 };
  const kinds = resolved.safeParse(body).data?.errors ?? [];
  const meant = kinds.map(({ type = '' }) => statuses[type] ?? 502);
  return [502, 429, 403, 404].find((status) => meant.includes(status));
}

export function basicHeader(user: string, token: string): string {
  return `Authorization: Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
}

function pullOf(read: z.output<typeof pull>): PullRequest {
  return {
    number: read.number,
    title: read.title,
    description: read.body,
    author: read.author?.login ?? 'ghost',
    isDraft: read.isDraft,
    state: read.state === 'OPEN' ? 'open' : read.state === 'MERGED' ? 'merged' : 'closed',
    base: { branch: read.baseRefName, commit: read.baseRefOid },
    head: { branch: read.headRefName, commit: read.headRefOid },
    isFork: read.isCrossRepository,
    url: read.url,
    issues: (read.closingIssuesReferences?.nodes ?? []).flatMap((issue) =>
      issue === null ? [] : [{ number: issue.number, title: issue.title, text: issue.body }],
    ),
    ...mergedOf(read.mergedAt, read.mergeCommit?.oid),
  };
}

/** For hosts that say both, one or neither. */
export function mergedOf(
  at: string | null | undefined,
  commit: string | null | undefined,
): Pick<PullRequest, 'merged'> {
  if (at === null || at === undefined) return {};
  return { merged: { at, ...(commit ? { commit } : {}) } };
}

function commentOf({
  fullDatabaseId,
  body,
  author,
  viewerDidAuthor,
  createdAt,
  reactionGroups,
}: z.output<typeof comment>) {
  return {
    id: String(fullDatabaseId ?? ''),
    body,
    author: author?.login ?? 'ghost',
    isOurs: viewerDidAuthor,
    against: reactionGroups?.find(({ content }) => content === 'THUMBS_DOWN')?.users.totalCount ?? 0,
    ...(createdAt ? { at: createdAt } : {}),
    ...(author?.__typename === 'Bot' ? { isByApp: true } : {}),
  };
}

function threadOf(read: z.output<typeof thread>, viewer: string | undefined): ForgeThread {
  const { id, path, isResolved, isOutdated, resolvedBy, line, startLine, diffSide } = read;
  const side = diffSide === 'LEFT' ? 'old' : 'new';
  return {
    ...{ id, path, isResolved, isOutdated },
    // A person who lends us a token resolves under the same name.
    isResolvedByPeople:
      isResolved && !(isBot(viewer) && plainLogin(resolvedBy?.login) === plainLogin(viewer)),
    ...(line ? { lines: { side, startLine: startLine ?? line, endLine: line } } : {}),
    comments: read.comments.nodes.map(commentOf),
  };
}

/** An app has its mark in one place and not in another. */
function plainLogin(login: string | undefined): string | undefined {
  return login?.replace(/\[bot\]$/, '');
}

function isBot(login: string | undefined): boolean {
  return login?.endsWith('[bot]') === true;
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
