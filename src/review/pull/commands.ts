// What people ask of us in comments: a first line that begins with `@galley`. Only the words of those who may push to the repository
// count; an answer carries a mark with the comment it answers, so that nothing is answered twice.

import type { ForgeComment, ForgeThread, PullState } from '../../forges/forge.js';
import { hashText } from '../../meters/content-hash.js';

export const commandKinds = [
  'review',
  'explain',
  'why',
  'ask',
  'describe',
  'pause',
  'resume',
  'help',
] as const;

export type CommandKind = (typeof commandKinds)[number];

export interface PullCommand {
  readonly kind: CommandKind;
  /** What stands behind the word, on this line and below. */
  readonly text: string;
  readonly comment: ForgeComment;
  /** Where it was said; absent for a comment on the whole. */
  readonly thread?: ForgeThread | undefined;
}

const called = /^[^\S\n]*@galley(?:-?bot|\[bot\])?(?![\w-])[^\S\n]*[,:：，]?[^\S\n]*/i;

const spelled: readonly (readonly [CommandKind, RegExp])[] = [
  ['review', /^(?:re-?)?review\b|^(?:重新)?(?:评审|审查|审阅)/i],
  ['explain', /^explain\b|^解释|^说明/i],
  ['why', /^why\b|^为什么|^为何/i],
  ['ask', /^ask\b|^请?问|^提问/i],
  ['describe', /^describe\b|^描述/i],
  ['pause', /^(?:pause|stop|mute)\b|^暂停/i],
  ['resume', /^(?:resume|unpause|continue|unmute)\b|^恢复|^继续/i],
];

export function commandOf(body: string): Pick<PullCommand, 'kind' | 'text'> | undefined {
  const mention = called.exec(body);
  if (mention === null) return undefined;
  const said = body.slice(mention[0].length).trim();
  for (const [kind, form] of spelled) {
    const word = form.exec(said)?.[0];
    if (word !== undefined)
      return {
        kind,
        text: said
          .slice(word.length)
          .replace(/^[\s,:：，]+/, '')
          .trim(),
      };
  }
  return { kind: 'help', text: said };
}

/** Every command on a pull request, oldest first; what programs say is none. */
export function commandsOn({ comments, threads }: PullState): PullCommand[] {
  const found: PullCommand[] = [];
  const take = (comment: ForgeComment, thread?: ForgeThread) => {
    const command = comment.isByApp === true ? undefined : commandOf(comment.body);
    if (command !== undefined)
      found.push({ ...command, comment, ...(thread === undefined ? {} : { thread }) });
  };
  for (const comment of comments) take(comment);
  for (const thread of threads) for (const comment of thread.comments) take(comment, thread);
  return found.toSorted((left, right) => compare(left.comment.at ?? '', right.comment.at ?? ''));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const answerMark = /^<!-- galley:answer to=([0-9a-f]{16}) -->/;

/** A hidden first line of an answer. */
export function markAnswer({ comment, thread }: PullCommand, body: string): string {
  return `<!-- galley:answer to=${markOf(comment, thread)} -->\n${body}`;
}

/** Ids of remarks and of comments may be alike. */
function markOf({ id }: ForgeComment, thread: ForgeThread | undefined): string {
  return hashText(`${thread === undefined ? 'comment' : 'remark'}:${id}`).slice(0, 16);
}

export function isAnswer({ isOurs, body }: ForgeComment): boolean {
  return isOurs && answerMark.test(body);
}

/** Not answered yet. */
export function openCommands(state: PullState): PullCommand[] {
  const all = [...state.comments, ...state.threads.flatMap(({ comments }) => comments)];
  const answered = new Set(all.filter(isAnswer).map(({ body }) => answerMark.exec(body)?.[1]));
  return commandsOn(state).filter(({ comment, thread }) => !answered.has(markOf(comment, thread)));
}

/** Who asked for a pause, where the last word on it is one. */
export async function pausedBy(
  state: PullState,
  mayWrite: (login: string) => Promise<boolean>,
): Promise<string | undefined> {
  const said = commandsOn(state).filter(({ kind }) => kind === 'pause' || kind === 'resume');
  for (const { kind, comment } of said.toReversed()) {
    if (!(await mayWrite(comment.author))) continue;
    return kind === 'pause' ? comment.author : undefined;
  }
  return undefined;
}
