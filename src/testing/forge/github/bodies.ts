// What GitHub's REST API says of things.
import type { CheckRun, Comment, Pull, Review, Status, Thread, World } from '../host/world.js';

export interface Addresses {
  readonly url: string;
  readonly api: string;
}

export function bodies(world: World, { url, api }: Addresses) {
  const home = `${url}/${world.owner}/${world.name}`;
  const repos = `${api}/repos/${world.owner}/${world.name}`;
  const user = (login: string) => ({
    login,
    id: numberFor(login),
    node_id: nodeId('U', numberFor(login)),
    type: isBot(login) ? 'Bot' : 'User',
    html_url: `${url}/${encodeURIComponent(login)}`,
    url: `${api}/users/${encodeURIComponent(login)}`,
    site_admin: false,
  });
  const repository = (owner: string) => ({
    id: numberFor(`${owner}/${world.name}`),
    name: world.name,
    full_name: `${owner}/${world.name}`,
    owner: user(owner),
    private: false,
    fork: owner !== world.owner,
    html_url: `${url}/${owner}/${world.name}`,
    clone_url: `${url}/${owner}/${world.name}.git`,
    default_branch: 'main',
  });
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
    return {
      id: comment.id,
      node_id: nodeId('PRRC', comment.id),
      pull_request_review_id: thread.reviewId,
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
      url: `${repos}/pulls/comments/${comment.id}`,
      html_url: `${home}/pull/${pull.number}#discussion_r${comment.id}`,
      pull_request_url: `${repos}/pulls/${pull.number}`,
      created_at: stamp(comment.createdAt),
      updated_at: stamp(comment.updatedAt),
      author_association: 'NONE',
    };
  };
  return {
    user,
    issueComment,
    reviewComment,
    pull: (pull: Pull) => ({
      id: pull.id,
      node_id: nodeId('PR', pull.id),
      number: pull.number,
      state: pull.state === 'open' ? 'open' : 'closed',
      locked: false,
      title: pull.title,
      body: pull.description === '' ? null : pull.description,
      user: user(pull.author),
      draft: pull.isDraft,
      url: `${repos}/pulls/${pull.number}`,
      html_url: `${home}/pull/${pull.number}`,
      created_at: stamp(pull.createdAt),
      updated_at: stamp(pull.updatedAt),
      closed_at: pull.closedAt === undefined ? null : stamp(pull.closedAt),
      merged_at: pull.state === 'merged' ? stamp(pull.closedAt ?? pull.updatedAt) : null,
      merge_commit_sha: pull.mergeCommit ?? null,
      head: {
        label: `${pull.head.owner}:${pull.head.branch}`,
        ref: pull.head.branch,
        sha: pull.head.commit,
        user: user(pull.head.owner),
        repo: repository(pull.head.owner),
      },
      base: {
        label: `${world.owner}:${pull.base.branch}`,
        ref: pull.base.branch,
        sha: pull.base.commit,
        user: user(world.owner),
        repo: repository(world.owner),
      },
    }),
    review: (pull: Pull, review: Review) => ({
      id: review.id,
      node_id: nodeId('PRR', review.id),
      user: user(review.author),
      body: review.body,
      state: review.state,
      html_url: `${home}/pull/${pull.number}#pullrequestreview-${review.id}`,
      pull_request_url: `${repos}/pulls/${pull.number}`,
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

export function nodeId(kind: string, id: number): string {
  return `${kind}_${Buffer.from(`loopback${id}`).toString('base64url')}`;
}

export function isBot(login: string): boolean {
  return login.endsWith('[bot]');
}

export function stamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function numberFor(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 100_000_007;
  return sum;
}
