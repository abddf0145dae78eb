// What GitHub's GraphQL is asked, what it answers, and what that means here.
import * as z from 'zod';
import { mergedOf } from './common-calls.js';
import type { ForgeThread, PullRequest } from './forge.js';

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
export const answered = z.object({
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
export const stateQuery = `query State($owner: String!, $name: String!, $number: Int!, $comments: String, $threads: String) {
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
export const listQuery = `query List($owner: String!, $name: String!, $states: [PullRequestState!], $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(states: $states, first: $first, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes { ${pullFields} } pageInfo { hasNextPage endCursor }
    }
  }
}`;

/** Errors beside what was asked for mean nothing; instead of it they do. */
export function meantByAnswer(body: unknown): number | undefined {
  const { success, data: read } = answered.safeParse(body);
  const { pullRequest, pullRequests } = read?.data?.repository ?? {};
  const isThere = (pullRequest ?? pullRequests ?? undefined) !== undefined;
  return success && !isThere ? (meantByErrors(body) ?? 404) : undefined;
}

/** The worst first: what is missing may be missing. */
export function meantByErrors(body: unknown): number | undefined {
  const statuses: Readonly<Record<string, number>> = { NOT_FOUND: 404, FORBIDDEN: 403, RATE_LIMITED: 429 };
  const kinds = resolved.safeParse(body).data?.errors ?? [];
  const meant = kinds.map(({ type = '' }) => statuses[type] ?? 502);
  return [502, 429, 403, 404].find((status) => meant.includes(status));
}

export function pullOf(read: z.output<typeof pull>): PullRequest {
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

export function commentOf({
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

export function threadOf(read: z.output<typeof thread>, viewer: string | undefined): ForgeThread {
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
