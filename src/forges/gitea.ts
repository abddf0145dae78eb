// Gitea and Forgejo. A remark stands on one line, there are no threads to resolve over the API, and suggestions are plain code.
import * as z from 'zod';
import { basicHeader, githubCalls, mergedOf, writerOf } from './common-calls.js';
import { type DiffTexts, readDiffTexts, stillStands } from './diff-text.js';
import type { Forge, ForgeComment, ForgeThread, LineComment, PullRequest, PullState } from './forge.js';
import type { ForgeHttp } from './forge-http.js';

export interface GiteaOptions {
  readonly http: ForgeHttp;
  readonly repository: string;
  readonly server: string;
  readonly token: string;
}

const needs = {
  read: 'read:repository',
  comments: 'write:issue and write:repository',
  checks: 'write:repository',
  user: 'read:user',
  people: 'an account that administers the repository',
} as const;

const user = z.object({ login: z.string() }).nullish();
const side = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ full_name: z.string() }).nullish(),
});
const pull = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  html_url: z.string(),
  draft: z.boolean().nullish(),
  state: z.string(),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  user,
  base: side,
  head: side,
});
const comment = z.object({ id: z.number(), body: z.string(), user, created_at: z.string().nullish() });
const review = z.object({ id: z.number(), comments_count: z.number().nullish(), user });
const lineComment = comment.extend({
  path: z.string(),
  /** Lines of either side; the other one is 0. */
  position: z.number().nullish(),
  original_position: z.number().nullish(),
  diff_hunk: z.string().nullish(),
  resolver: user,
});
type LineNote = z.output<typeof lineComment>;

const reactions = z.array(z.object({ content: z.string() })).nullish();

const withdrawn = 'Withdrawn: it is said elsewhere on this pull request.';

export function gitea({ http, repository, server, token }: GiteaOptions): Forge {
  const [owner = '', name = ''] = repository.split('/');
  const base = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  let login: Promise<string> | undefined;
  const own = () => {
    login ??= http
      .read({ method: 'GET', path: '/user', needs: needs.user }, z.object({ login: z.string() }))
      .then((read) => read.login);
    return login;
  };
  const write = writerOf(http, { base, needs: needs.comments });
  const shared = githubCalls({ http, base, write, pushers: ['owner', 'admin', 'write'], needs });
  const commentOf = (
    { id, body, user: author, created_at: at }: z.output<typeof comment>,
    us: string,
  ): ForgeComment => ({
    id: String(id),
    body,
    author: author?.login ?? 'ghost',
    isOurs: author?.login === us,
    against: 0,
    ...(at ? { at } : {}),
  });
  const listPulls = async (
    state: 'closed' | 'all',
    isWanted: (read: z.output<typeof pull>) => boolean,
    most: number,
  ): Promise<PullRequest[]> => {
    const found = await http.list(`${base}/pulls?state=${state}&sort=recentupdate`, pull, {
      needs: needs.read,
      most: most * 2,
    });
    return found.filter(isWanted).slice(0, most).map(pullOf);
  };

  return {
    kind: 'gitea',
    title: 'Gitea',
    repository,
    abilities: { commentCharacters: 65_536, linesAtOnce: 30, ranges: false, resolvesThreads: false },
    git: { url: `${server}/${repository}.git`, header: basicHeader('galley', token) },
    headRef: (number) => `refs/pull/${number}/head`,
    fileBase: (commit) => `${server}/${repository}/src/commit/${commit}`,

    async pullOf({ name: branch, commit }) {
      const open = await http.list(`${base}/pulls?state=open`, pull, { needs: needs.read, most: 500 });
      const isIt = ({ head }: z.output<typeof pull>) =>
        branch === undefined ? head.sha === commit : head.ref === branch;
      const found = open.filter(isIt);
      // A fork may have a branch of the same name.
      return (found.find((each) => !isFork(each)) ?? found[0])?.number;
    },
    mergedPulls: (most) => listPulls('closed', ({ merged }) => merged === true, most),
    recentPulls: (most) => listPulls('all', ({ merged, state }) => merged === true || state === 'open', most),

    async read(number): Promise<PullState> {
      const [read, us] = await Promise.all([
        http.read({ method: 'GET', path: `${base}/pulls/${number}`, needs: needs.read }, pull),
        own(),
      ]);
      const asked = { needs: needs.read };
      const comments = await http.list(`${base}/issues/${number}/comments`, comment, asked);
      const reviews = await http.list(`${base}/pulls/${number}/reviews`, review, asked);
      const found: Remark[] = [];
      for (const { id, comments_count: count } of reviews) {
        if (count === 0) continue;
        const path = `${base}/pulls/${number}/reviews/${id}/comments`;
        found.push(...remarksOf(id, await http.list(path, lineComment, asked)));
      }
      const diff = found.length === 0 ? undefined : await readDiff(number);
      const threads: ForgeThread[] = [];
      for (const { reviewId, notes } of found) {
        const [first] = notes as [LineNote, ...LineNote[]];
        // Reactions cost a call each, so only those to our own open remarks are read.
        const isRead = first.user?.login === us && !isClosed(first);
        const against = isRead ? await thumbsDown(first.id) : 0;
        threads.push({
          id: `${reviewId}/${first.id}`,
          path: first.path,
          isResolved: isClosed(first),
          // Nobody but people can: there is no call for it.
          isResolvedByPeople: isClosed(first),
          isOutdated: diff !== undefined && isOutdated(first, diff),
          ...linesOf(first),
          comments: notes.map((note, at) => ({ ...commentOf(note, us), ...(at === 0 ? { against } : {}) })),
        });
      }
      return { pull: pullOf(read), comments: comments.map((each) => commentOf(each, us)), threads };
    },

    ...shared,
    setCheck: shared.setStatus,

    addLineComments: (number, head, comments) =>
      shared.addReview(number, {
        ...{ commit_id: head, event: 'COMMENT', body: '', comments: comments.map(reviewComment) },
      }),
    /** The API deletes whole reviews only: where others stand in it, a remark says no more than that it is withdrawn. */
    async deleteLineComment(number, { id, comments: [first] }) {
      const [reviewId = ''] = id.split('/');
      const path = `/pulls/${number}/reviews/${reviewId}`;
      const inside = await http.list(`${base}${path}/comments`, lineComment, { needs: needs.read });
      if (inside.length > 1 && first !== undefined)
        await write('PATCH', `/issues/comments/${first.id}`, { body: withdrawn });
      else await write('DELETE', path);
    },
    async reply(number, _, body) {
      await write('POST', `/issues/${number}/comments`, { body });
    },
    async resolveThreads() {},
  };

  async function readDiff(number: number): Promise<DiffTexts> {
    const path = `${base}/pulls/${number}.diff`;
    return readDiffTexts((await http.call({ method: 'GET', path, needs: needs.read })).text);
  }

  async function thumbsDown(id: number): Promise<number> {
    const path = `${base}/issues/comments/${id}/reactions`;
    const found = await http.read({ method: 'GET', path, needs: needs.read }, reactions);
    return (found ?? []).filter(({ content }) => content === '-1').length;
  }
}

interface Remark {
  readonly reviewId: number;
  /** The remark, and what was answered to it. */
  readonly notes: readonly LineNote[];
}

/** Answers are further remarks on the same line of the same review; the list has no order. */
function remarksOf(reviewId: number, notes: readonly LineNote[]): Remark[] {
  const byLine = new Map<string, LineNote[]>();
  for (const note of notes.toSorted((left, right) => left.id - right.id)) {
    const key = JSON.stringify([note.path, note.position ?? 0, note.original_position ?? 0]);
    // Two of ours on one line are two remarks.
    const isReply = byLine.get(key)?.[0]?.user?.login !== note.user?.login;
    const list = isReply ? byLine.get(key) : undefined;
    if (list === undefined) byLine.set(byLine.has(key) ? `${key} ${note.id}` : key, [note]);
    else list.push(note);
  }
  return [...byLine.values()].map((list) => ({ reviewId, notes: list }));
}

function isClosed({ resolver }: LineNote): boolean {
  return resolver !== undefined && resolver !== null;
}

/** Gitea does not say so, but it shows the line as it was. */
function isOutdated({ path, position, diff_hunk: hunk }: LineNote, diff: DiffTexts): boolean {
  return !stillStands(diff, { path, side: (position ?? 0) > 0 ? 'new' : 'old', hunk: hunk ?? '' });
}

function isFork({ head, base }: z.output<typeof pull>): boolean {
  return head.repo?.full_name !== base.repo?.full_name;
}

function pullOf(read: z.output<typeof pull>): PullRequest {
  return {
    number: read.number,
    title: read.title,
    description: read.body,
    author: read.user?.login ?? 'ghost',
    isDraft: read.draft === true,
    state: read.merged === true ? 'merged' : read.state === 'open' ? 'open' : 'closed',
    base: { branch: read.base.ref, commit: read.base.sha },
    head: { branch: read.head.ref, commit: read.head.sha },
    isFork: isFork(read),
    url: read.html_url,
    issues: [],
    ...mergedOf(read.merged_at, read.merge_commit_sha),
  };
}

/** On the new side its position, on the old one that of the base; one of them is 0. */
function linesOf({
  position,
  original_position: old,
}: z.output<typeof lineComment>): Pick<ForgeThread, 'lines'> {
  if (position) return { lines: { side: 'new', startLine: position, endLine: position } };
  return old ? { lines: { side: 'old', startLine: old, endLine: old } } : {};
}

function reviewComment({ path, side: where, last, body }: LineComment) {
  return where === 'new'
    ? { path, new_position: last.newLine, old_position: 0, body }
    : { path, new_position: 0, old_position: last.oldLine, body };
}
