// GitLab. Every remark is a discussion of its own; a line is named by where it stands on both sides.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { basicHeader, mergedOf, setStatus, statusOf, writerOf } from './common-calls.js';
import type {
  DiffLine,
  Forge,
  ForgeComment,
  ForgeThread,
  LineComment,
  PullRequest,
  PullState,
} from './forge.js';
import type { ForgeHttp } from './forge-http.js';

export interface GitLabOptions {
  readonly http: ForgeHttp;
  /** `group/subgroup/name`. */
  readonly repository: string;
  readonly server: string;
  readonly token: string;
}

const needs = { read: 'read_api', write: 'api' } as const;

const user = z.object({ username: z.string() }).nullish();
const pull = z.object({
  iid: z.number(),
  title: z.string(),
  description: z.string().nullish(),
  web_url: z.string(),
  draft: z.boolean().nullish(),
  state: z.string(),
  author: user,
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.number().nullish(),
  target_project_id: z.number().nullish(),
  sha: z.string().nullish(),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  diff_refs: z.object({ base_sha: z.string(), start_sha: z.string(), head_sha: z.string() }).nullish(),
});
const rangeEnd = z.object({ new_line: z.number().nullish(), old_line: z.number().nullish() });
const note = z.object({
  id: z.number(),
  body: z.string(),
  author: user,
  created_at: z.string().nullish(),
  system: z.boolean().nullish(),
  resolvable: z.boolean().nullish(),
  resolved: z.boolean().nullish(),
  resolved_by: user,
  position: z
    .object({
      new_path: z.string().nullish(),
      old_path: z.string().nullish(),
      head_sha: z.string().nullish(),
      new_line: z.number().nullish(),
      old_line: z.number().nullish(),
      line_range: z.object({ start: rangeEnd.nullish() }).nullish(),
    })
    .nullish(),
});
const discussion = z.object({ id: z.string(), individual_note: z.boolean().nullish(), notes: z.array(note) });
const emoji = z.object({ name: z.string() });
const issue = z.object({ iid: z.number(), title: z.string(), description: z.string().nullish() });

/** From here on an account may push. */
const developer = 30;

export function gitlab({ http, repository, server, token }: GitLabOptions): Forge {
  const base = `/projects/${encodeURIComponent(repository)}`;
  const of = (number: number) => `${base}/merge_requests/${number}`;
  const account = z.object({ username: z.string(), bot: z.boolean().nullish() });
  let login: Promise<z.output<typeof account>> | undefined;
  const own = () => {
    login ??= http.read({ method: 'GET', path: '/user', needs: needs.read }, account);
    return login;
  };
  const write = writerOf(http, { base: '', needs: needs.write });
  const readPull = (number: number) =>
    http.read({ method: 'GET', path: of(number), needs: needs.read }, pull);
  const listPulls = async (state: string, most: number): Promise<PullRequest[]> => {
    const path = `${base}/merge_requests?state=${state}&order_by=updated_at`;
    const found: PullRequest[] = [];
    // A list does not tell the commits.
    for (const { iid } of await http.list(path, pull, { needs: needs.read, most }))
      found.push(pullOf(await readPull(iid), []));
    return found;
  };

  return {
    kind: 'gitlab',
    title: 'GitLab',
    repository,
    abilities: {
      commentCharacters: 1_000_000,
      linesAtOnce: 30,
      ranges: true,
      resolvesThreads: true,
      suggestionFence: (lines) => `suggestion:-${lines - 1}+0`,
    },
    git: { url: `${server}/${repository}.git`, header: basicHeader('oauth2', token) },
    headRef: (number) => `refs/merge-requests/${number}/head`,
    fileBase: (commit) => `${server}/${repository}/-/blob/${commit}`,

    async pullOf({ name: branch, commit }) {
      const query =
        branch === undefined
          ? `${base}/repository/commits/${encodeURIComponent(commit ?? '')}/merge_requests`
          : `${base}/merge_requests?state=opened&source_branch=${encodeURIComponent(branch)}`;
      const found = await http.list(query, pull, { needs: needs.read, most: 100 });
      const open = found.filter(({ state }) => state === 'opened');
      // A fork may have a branch of the same name.
      return (open.find(isFromHere) ?? open[0])?.iid;
    },
    mergedPulls: (most) => listPulls('merged', most),
    async recentPulls(most) {
      const lists = await Promise.all([listPulls('merged', most), listPulls('opened', most)]);
      return lists.flat().toSorted(byNumber).slice(0, most);
    },

    async read(number): Promise<PullState> {
      const asked = { needs: needs.read };
      const [read, { username: us, bot }] = await Promise.all([readPull(number), own()]);
      const [issues, discussions] = await Promise.all([
        http.list(`${of(number)}/closes_issues`, issue, asked),
        http.list(`${of(number)}/discussions`, discussion, asked),
      ]);
      const comments: ForgeComment[] = [];
      const threads: ForgeThread[] = [];
      for (const { id, notes } of discussions) {
        const said = notes.filter(({ system }) => system !== true);
        const [first] = said;
        if (first === undefined) continue;
        if (first.position === null || first.position === undefined) {
          comments.push(...said.map((each) => commentOf(each, us)));
          continue;
        }
        // Reactions cost a call each, so only those to our own open remarks are read.
        const isOurs = first.author?.username === us;
        const against = isOurs && first.resolved !== true ? await thumbsDown(number, first.id) : 0;
        threads.push({
          id,
          path: first.position.new_path ?? first.position.old_path ?? '',
          isResolved: first.resolved === true,
          // A person who lends us a token resolves under the same name.
          isResolvedByPeople:
            first.resolved === true && !(bot === true && first.resolved_by?.username === us),
          ...outdatedOrLines(first.position, read.diff_refs?.head_sha),
          comments: said.map((each, at) => ({ ...commentOf(each, us), ...(at === 0 ? { against } : {}) })),
        });
      }
      return { pull: pullOf(read, issues), comments, threads };
    },

    async addComment(number, body) {
      await write('POST', `${of(number)}/notes`, { body });
    },
    async editComment(number, id, body) {
      await write('PUT', `${of(number)}/notes/${id}`, { body });
    },
    async deleteComment(number, id) {
      await write('DELETE', `${of(number)}/notes/${id}`);
    },
    async addLineComments(number, head, comments) {
      const { diff_refs: refs } = await readPull(number);
      const refused: string[] = [];
      for (const each of comments) {
        if (refs === null || refs === undefined || refs.head_sha !== head) {
          refused.push(each.key);
          continue;
        }
        const { status } = await http.call({
          method: 'POST',
          path: `${of(number)}/discussions`,
          body: { body: each.body, position: { ...refs, ...positionOf(each) } },
          needs: needs.write,
          accept: [400],
        });
        if (status === 400) refused.push(each.key);
      }
      return refused.length === 0 ? { posted: true } : { posted: false, refused };
    },
    async deleteLineComment(number, { comments: [first] }) {
      if (first !== undefined) await write('DELETE', `${of(number)}/notes/${first.id}`);
    },
    async reply(number, { id }, body) {
      await write('POST', `${of(number)}/discussions/${id}/notes`, { body });
    },
    async resolveThreads(number, threads) {
      for (const { id } of threads) await write('PUT', `${of(number)}/discussions/${id}?resolved=true`);
    },
    setCheck: (head, check) =>
      setStatus(http, `${base}/statuses/${head}`, {
        body: { ...statusOf(check, 'failed'), name: check.name },
        needs: needs.write,
      }),
    async setDescription(number, description) {
      await write('PUT', of(number), { description });
    },
    async mayWrite(person) {
      const found = await http.list(
        `/users?username=${encodeURIComponent(person)}`,
        z.object({ id: z.number() }),
        { needs: needs.read, most: 1 },
      );
      const [member] = found;
      if (member === undefined) return false;
      const { access_level: level = 0 } = await http.read(
        { method: 'GET', path: `${base}/members/all/${member.id}`, needs: needs.read, accept: [404] },
        z.object({ access_level: z.number().optional() }),
      );
      return level >= developer;
    },
  };

  async function thumbsDown(number: number, id: number): Promise<number> {
    const found = await http.list(`${of(number)}/notes/${id}/award_emoji`, emoji, { needs: needs.read });
    return found.filter(({ name }) => name === 'thumbsdown').length;
  }
}

function commentOf({ id, body, author, created_at: at }: z.output<typeof note>, us: string): ForgeComment {
  const login = author?.username ?? 'ghost';
  return { id: String(id), body, author: login, isOurs: login === us, against: 0, ...(at ? { at } : {}) };
}

/** A position is that of the head it was written for. */
function outdatedOrLines(
  position: NonNullable<z.output<typeof note>['position']>,
  head: string | undefined,
): Pick<ForgeThread, 'isOutdated' | 'lines'> {
  if (position.head_sha !== head) return { isOutdated: true };
  const side = position.new_line ? 'new' : 'old';
  const endLine = position[`${side}_line`];
  if (!endLine) return { isOutdated: false };
  const startLine = position.line_range?.start?.[`${side}_line`] ?? endLine;
  return { isOutdated: false, lines: { side, startLine, endLine } };
}

function byNumber(left: PullRequest, right: PullRequest): number {
  return right.number - left.number;
}

function pullOf(read: z.output<typeof pull>, issues: readonly z.output<typeof issue>[]): PullRequest {
  return {
    number: read.iid,
    title: read.title,
    description: read.description ?? '',
    author: read.author?.username ?? 'ghost',
    isDraft: read.draft === true,
    state: read.state === 'opened' ? 'open' : read.state === 'merged' ? 'merged' : 'closed',
    base: { branch: read.target_branch, commit: read.diff_refs?.start_sha ?? '' },
    head: { branch: read.source_branch, commit: read.diff_refs?.head_sha ?? read.sha ?? '' },
    isFork: !isFromHere(read),
    url: read.web_url,
    issues: issues.map(({ iid, title, description }) => ({ number: iid, title, text: description ?? '' })),
    // Moved along without a commit of its own, its head is what it became.
    ...mergedOf(read.merged_at, read.merge_commit_sha ?? read.squash_commit_sha ?? read.sha),
  };
}

function isFromHere({ source_project_id: from, target_project_id: to }: z.output<typeof pull>): boolean {
  return from === to;
}

function positionOf({ path, oldPath, first, last }: LineComment) {
  const isRange = first.position.old !== last.position.old || first.position.new !== last.position.new;
  return {
    position_type: 'text',
    old_path: oldPath,
    new_path: path,
    ...lineOf(last),
    ...(isRange ? { line_range: { start: endOf(path, first), end: endOf(path, last) } } : {}),
  };
}

function lineOf({ oldLine, newLine }: DiffLine) {
  return {
    ...(oldLine === undefined ? {} : { old_line: oldLine }),
    ...(newLine === undefined ? {} : { new_line: newLine }),
  };
}

function endOf(path: string, line: DiffLine) {
  const { old, new: next } = line.position;
  return {
    line_code: `${createHash('sha1').update(path).digest('hex')}_${old}_${next}`,
    type: line.oldLine === undefined ? 'new' : line.newLine === undefined ? 'old' : null,
    ...lineOf(line),
  };
}
