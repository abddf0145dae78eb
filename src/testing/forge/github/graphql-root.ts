// What GitHub's GraphQL finds under its root: pull requests, their comments and threads, and the resolving of threads.
import type { GraphQLResolveInfo, SelectionNode } from 'graphql';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import type { HostSetup } from '../host/host.js';
import type { Comment, Issue, Pull, Thread } from '../host/records.js';
import type { Exchange } from '../host/request.js';

import { isBot, nodeId, stamp } from './places.js';
import { withoutRight } from './refusals.js';

interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

interface PullsArguments extends PageArguments {
  readonly states?: readonly string[] | null;
  readonly orderBy?: { readonly field: string; readonly direction: 'ASC' | 'DESC' } | null;
}

const mostAtOnce = 100;
const reactions = {
  THUMBS_UP: '+1',
  THUMBS_DOWN: '-1',
  LAUGH: 'laugh',
  HOORAY: 'hooray',
  CONFUSED: 'confused',
  HEART: 'heart',
  ROCKET: 'rocket',
  EYES: 'eyes',
};

/** An error that names its type, as GitHub's do. */
export function refuse(type: string, message: string): GalleyError {
  return new GalleyError('FORGE_REFUSED', message, { details: { type } });
}

export function typeOf(error: unknown): unknown {
  return isGalleyError(error) ? error.details?.type : undefined;
}

export function graphqlRoot({ world, url }: HostSetup, { account }: Exchange) {
  const home = `${url}/${world.owner}/${world.name}`;
  const { message: forbidden } = withoutRight(account).body as { readonly message: string };
  // Apps have their mark in REST only.
  const actor = (login: string) => ({
    __typename: isBot(login) ? 'Bot' : 'User',
    login: login.replace(/\[bot\]$/, ''),
  });

  const connect = <Item extends { readonly id: unknown }>(
    all: readonly Item[],
    { first, last, after, before }: PageArguments,
    info: GraphQLResolveInfo,
  ) => {
    const name = info.fieldName;
    const isRead = selects(info, 'nodes') || selects(info, 'edges');
    if (typeof first !== 'number' && typeof last !== 'number') {
      if (isRead)
        throw refuse(
          'MISSING_PAGINATION_BOUNDARIES',
          `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
        );
      return { totalCount: all.length };
    }
    if ((first ?? last ?? 0) > mostAtOnce)
      throw refuse(
        'EXCESSIVE_PAGINATION',
        `Requesting ${first ?? last} records on the \`${name}\` connection exceeds the \`first\` limit of ${mostAtOnce} records.`,
      );
    if (typeof first !== 'number' || typeof before === 'string')
      throw refuse('NOT_MODELLED', 'The loopback forge pages forwards only.');
    const at = typeof after === 'string' ? all.findIndex((item) => cursorOf(item) === after) : -1;
    if (typeof after === 'string' && at === -1)
      throw refuse('INVALID_CURSOR_ARGUMENTS', `\`${after}\` does not appear to be a valid cursor.`);
    const items = all.slice(at + 1, at + 1 + first);
    return {
      totalCount: all.length,
      nodes: items,
      edges: items.map((node) => ({ node, cursor: cursorOf(node) })),
      pageInfo: {
        hasNextPage: at + 1 + first < all.length,
        hasPreviousPage: at > -1,
        startCursor: items.length === 0 ? null : cursorOf(items[0]!),
        endCursor: items.length === 0 ? null : cursorOf(items.at(-1)!),
      },
    };
  };

  const comment = (kind: string, { id, body, author, createdAt, reactions: given }: Comment) => ({
    id: nodeId(kind, id),
    databaseId: null,
    fullDatabaseId: String(id),
    body,
    author: actor(author),
    viewerDidAuthor: author === account.login,
    createdAt: stamp(createdAt),
    reactionGroups: Object.entries(reactions).map(([content, name]) => ({
      content,
      users: { totalCount: given.filter((each) => each.content === name).length },
    })),
  });
  const thread = (read: Thread) => ({
    id: read.id,
    path: read.path,
    line: read.now?.line ?? null,
    startLine: read.now === undefined || read.now.startLine === read.now.line ? null : read.now.startLine,
    originalLine: read.line,
    diffSide: read.side === 'new' ? 'RIGHT' : 'LEFT',
    isResolved: read.isResolved,
    isOutdated: read.now === undefined,
    isCollapsed: read.isResolved || read.now === undefined,
    // Its type has no room for an app: those are told by their plain names.
    resolvedBy: read.resolvedBy === undefined ? null : actor(read.resolvedBy),
    comments: (page: PageArguments, _: unknown, info: GraphQLResolveInfo) =>
      connect(
        read.comments.map((each) => comment('PRRC', each)),
        page,
        info,
      ),
  });
  const issue = ({ number, title, text }: Issue) => ({
    id: nodeId('I', number),
    ...{ number, title, body: text },
  });
  const pull = (read: Pull) => ({
    id: nodeId('PR', read.id),
    number: read.number,
    title: read.title,
    body: read.description,
    url: `${home}/pull/${read.number}`,
    isDraft: read.isDraft,
    state: read.state.toUpperCase(),
    author: actor(read.author),
    baseRefName: read.base.branch,
    baseRefOid: read.base.commit,
    headRefName: read.head.branch,
    headRefOid: read.head.commit,
    isCrossRepository: read.head.owner !== world.owner,
    updatedAt: stamp(read.updatedAt),
    mergedAt: read.state === 'merged' ? stamp(read.closedAt ?? read.updatedAt) : null,
    mergeCommit: read.mergeCommit === undefined ? null : { oid: read.mergeCommit },
    closingIssuesReferences(page: PageArguments, _: unknown, info: GraphQLResolveInfo) {
      const found = connect(read.closes.map(issue), page, info);
      if (account.rights.includes('issues')) return found;
      // They are counted all the same.
      return { ...found, nodes: found.nodes?.map(() => refuse('FORBIDDEN', forbidden)) };
    },
    comments: (page: PageArguments, _: unknown, info: GraphQLResolveInfo) =>
      connect(
        read.comments.map((each) => comment('IC', each)),
        page,
        info,
      ),
    reviewThreads: (page: PageArguments, _: unknown, info: GraphQLResolveInfo) =>
      connect(read.threads.map(thread), page, info),
  });
  const turn =
    (isResolved: boolean) =>
    ({ input: { threadId } }: { input: { threadId: string } }) => {
      const found = world.findThread(threadId);
      if (found === undefined)
        throw refuse('NOT_FOUND', `Could not resolve to a node with the global id of '${threadId}'`);
      // Writing comments is not enough for it; writing contents is.
      if (!account.rights.includes('resolve')) throw refuse('FORBIDDEN', forbidden);
      Object.assign(found.thread, { isResolved, resolvedBy: isResolved ? account.login : undefined });
      found.pull.updatedAt = world.now();
      return { thread: thread(found.thread) };
    };

  return {
    viewer: () => ({ __typename: 'User', login: account.login }),
    repository({ owner, name }: { owner: string; name: string }) {
      if (owner !== world.owner || name !== world.name || !account.rights.includes('read'))
        throw refuse('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      return {
        pullRequest({ number }: { number: number }) {
          const found = world.pulls.get(number);
          if (found === undefined)
            throw refuse('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
          return pull(found);
        },
        pullRequests({ states, orderBy, ...page }: PullsArguments, _: unknown, info: GraphQLResolveInfo) {
          const found = [...world.pulls.values()].filter(
            ({ state }) => states === undefined || states === null || states.includes(state.toUpperCase()),
          );
          return connect(sorted(found, orderBy).map(pull), page, info);
        },
      };
    },
    resolveReviewThread: turn(true),
    unresolveReviewThread: turn(false),
  };
}

function sorted(pulls: readonly Pull[], orderBy: PullsArguments['orderBy']): Pull[] {
  const keyOf = ({ updatedAt, createdAt }: Pull) =>
    (orderBy?.field === 'UPDATED_AT' ? updatedAt : createdAt).getTime();
  const rising = pulls.toSorted((left, right) => keyOf(left) - keyOf(right) || left.number - right.number);
  return orderBy?.direction === 'DESC' ? rising.reverse() : rising;
}

function cursorOf({ id }: { readonly id: unknown }): string {
  return Buffer.from(`cursor:v2:${String(id)}`).toString('base64');
}

function selects({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const isIn = (selections: readonly SelectionNode[]): boolean =>
    selections.some((selection) =>
      selection.kind === 'Field'
        ? selection.name.value === name
        : selection.kind === 'InlineFragment'
          ? isIn(selection.selectionSet.selections)
          : isIn(fragments[selection.name.value]?.selectionSet.selections ?? []),
    );
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet?.selections ?? []));
}
