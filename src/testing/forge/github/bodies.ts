// What GitHub's REST API says of things.
import type { CheckRun, Comment, Pull, Review, Status, Thread } from '../host/records.js';
import type { World } from '../host/world.js';
import { type Addresses, nodeId, repositoryBody, stamp, userBody } from './places.js';

export function bodies(world: World, { url, api }: Addresses) {
  const home = `${url}/${world.owner}/${world.name}`;
  const repos = `${api}/repos/${world.owner}/${world.name}`;
  const user = (login: string) => userBody(login, { url, api });
  const repository = (owner: string) =>
    repositoryBody({ owner, name: world.name, isFork: owner !== world.owner }, { url, api });
  const link = (href: string) => ({ href });
  const issueComment = (pull: Pull, comment: Comment) => ({
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    url: `${repos}/issues/comments/${comment.id}`,
    html_url: `${home}/pull/${pull.number}#issuecomment-${comment.id}`,
    issue_url: `${repos}/issues/${pull.number}`,
    body: comment.body,
    user: user(comment.author),
    created_at: stamp(comment.createdAt),
    updated_at: stamp(comment.updatedAt),
    author_association: 'NONE',
  });
  const reviewComment = (pull: Pull, thread: Thread, comment: Comment) => {
    const [first] = thread.comments;
    const where = thread.side === 'new' ? 'RIGHT' : 'LEFT';
    const isRange = thread.startLine !== thread.line;
    const [self, html] = [
      `${repos}/pulls/comments/${comment.id}`,
      `${home}/pull/${pull.number}#discussion_r${comment.id}`,
    ];
    const of = `${repos}/pulls/${pull.number}`;
    return {
      id: comment.id,
      node_id: nodeId('PRRC', comment.id),
      pull_request_review_id: thread.reviewId,
      diff_hunk: thread.hunk,
      path: thread.path,
      body: comment.body,
      user: user(comment.author),
      commit_id: thread.now === undefined ? thread.commit : pull.head.commit,
      original_commit_id: thread.commit,
      side: where,
      line: thread.now?.line ?? null,
      original_line: thread.line,
      start_line: isRange ? (thread.now?.startLine ?? null) : null,
      original_start_line: isRange ? thread.startLine : null,
      start_side: isRange ? where : null,
      ...(first === undefined || first.id === comment.id ? {} : { in_reply_to_id: first.id }),
      ...{ url: self, html_url: html, pull_request_url: of },
      _links: { self: link(self), html: link(html), pull_request: link(of) },
      created_at: stamp(comment.createdAt),
      updated_at: stamp(comment.updatedAt),
      author_association: 'NONE',
    };
  };
  /** As lists show it. */
  const pull = (read: Pull) => {
    const [self, html] = [`${repos}/pulls/${read.number}`, `${home}/pull/${read.number}`];
    const addresses = {
      comments: `${repos}/issues/${read.number}/comments`,
      commits: `${self}/commits`,
      review_comments: `${self}/comments`,
      review_comment: `${repos}/pulls/comments{/number}`,
      statuses: `${repos}/statuses/${read.head.commit}`,
    };
    return {
      id: read.id,
      node_id: nodeId('PR', read.id),
      number: read.number,
      state: read.state === 'open' ? 'open' : 'closed',
      locked: false,
      title: read.title,
      body: read.description === '' ? null : read.description,
      user: user(read.author),
      draft: read.isDraft,
      ...{ url: self, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch` },
      issue_url: `${repos}/issues/${read.number}`,
      ...Object.fromEntries(Object.entries(addresses).map(([name, href]) => [`${name}_url`, href])),
      _links: {
        ...Object.fromEntries(Object.entries(addresses).map(([name, href]) => [name, link(href)])),
        ...{ self: link(self), html: link(html), issue: link(`${repos}/issues/${read.number}`) },
      },
      ...{ labels: [], milestone: null, assignee: null, assignees: [], auto_merge: null },
      author_association: 'NONE',
      created_at: stamp(read.createdAt),
      updated_at: stamp(read.updatedAt),
      closed_at: read.closedAt === undefined ? null : stamp(read.closedAt),
      merged_at: read.state === 'merged' ? stamp(read.closedAt ?? read.updatedAt) : null,
      merge_commit_sha: read.mergeCommit ?? null,
      head: side(read.head.owner, read.head.branch, read.head.commit),
      base: side(world.owner, read.base.branch, read.base.commit),
    };
  };
  const side = (owner: string, ref: string, sha: string) => ({
    ...{ label: `${owner}:${ref}`, ref, sha },
    user: user(owner),
    repo: repository(owner),
  });
  return {
    user,
    repository,
    issueComment,
    reviewComment,
    pull,
    /** Alone it is counted, too. */
    async wholePull(read: Pull) {
      const lines = (await world.diffOf(read)).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
      const range = `${read.mergeBase}..${read.head.commit}`;
      return {
        ...pull(read),
        merged: read.state === 'merged',
        merged_by: read.state === 'merged' ? user(read.author) : null,
        ...{ mergeable: null, mergeable_state: 'unknown', maintainer_can_modify: false, rebaseable: null },
        comments: read.comments.length,
        review_comments: read.threads.reduce((sum, { comments }) => sum + comments.length, 0),
        commits: Number(await world.repository.git(['rev-list', '--count', range])),
        additions: lines.filter(({ kind }) => kind === 'added').length,
        deletions: lines.filter(({ kind }) => kind === 'removed').length,
        changed_files: (await world.diffOf(read)).length,
      };
    },
    review: (read: Pull, review: Review) => ({
      id: review.id,
      node_id: nodeId('PRR', review.id),
      user: user(review.author),
      body: review.body,
      state: review.state,
      html_url: `${home}/pull/${read.number}#pullrequestreview-${review.id}`,
      pull_request_url: `${repos}/pulls/${read.number}`,
      _links: {
        html: link(`${home}/pull/${read.number}#pullrequestreview-${review.id}`),
        pull_request: link(`${repos}/pulls/${read.number}`),
      },
      submitted_at: stamp(review.submittedAt),
      commit_id: review.commit,
      author_association: 'NONE',
    }),
    status: (status: Status, at: Date) => ({
      id: status.id,
      node_id: nodeId('SC', status.id),
      url: `${repos}/statuses/${status.commit}`,
      state: status.state,
      description: status.description,
      context: status.context,
      target_url: null,
      avatar_url: null,
      creator: user(status.author),
      created_at: stamp(at),
      updated_at: stamp(at),
    }),
    checkRun: (run: CheckRun, at: Date) => ({
      id: run.id,
      node_id: nodeId('CR', run.id),
      head_sha: run.commit,
      name: run.name,
      status: run.status,
      conclusion: run.conclusion ?? null,
      url: `${repos}/check-runs/${run.id}`,
      html_url: `${home}/runs/${run.id}`,
      details_url: null,
      external_id: '',
      started_at: stamp(at),
      completed_at: run.status === 'completed' ? stamp(at) : null,
      output: {
        title: run.output.title,
        summary: run.output.summary,
        text: run.output.text,
        annotations_count: run.annotations.length,
        annotations_url: `${repos}/check-runs/${run.id}/annotations`,
      },
      check_suite: null,
      app: null,
      pull_requests: [],
    }),
  };
}

export type Bodies = ReturnType<typeof bodies>;
