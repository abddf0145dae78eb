// Answers what people ask of us in comments on a pull request, each once, in its own thread. Whoever may not push is not answered, and
// a command that fails is answered with the reason.
import { type ErrorCode, isGalleyError, toGalleyError, type Warning } from '../../core/model/error.js';
import { askOfChange } from '../ask/ask-of-change.js';
import { questionTask } from '../ask/question.js';
import { isReadBefore, type Omission } from '../change/omission.js';
import type { ReviewFinding } from '../findings/finding.js';
import { markdownLine, markdownText } from '../report/markdown.js';
import { reportLanguageOf } from '../report/report-words.js';
import type { Spent } from '../run/prepare-pages.js';
import type { RunContext } from '../run/run-review.js';
import { runReview } from '../run/run-review.js';
import { answerWords } from './answer-words.js';
import { type CommandKind, markAnswer, openCommands, type PullCommand } from './commands.js';
import { describeOpenPull } from './describe-pull.js';
import { readFinding } from './finding-marks.js';
import { type OpenPull, openPull, type PullContext } from './open-pull.js';
import { withPullChange } from './pull-change.js';
import type { PullAnswerRequest, PullReviewRequest } from './pull-requests.js';
import { reviewPull } from './review-pull.js';
import { mayPush } from './rightful-standing.js';

export interface AnsweredCommand {
  readonly command: CommandKind;
  readonly author: string;
  /** `skipped`: there is no model to ask, and nothing was posted. */
  readonly outcome: 'answered' | 'failed' | 'skipped' | 'would-answer';
  /** Why it failed. */
  readonly code?: ErrorCode;
}

export interface PullAnswers {
  readonly number: number;
  readonly url: string;
  readonly commands: readonly AnsweredCommand[];
  /** Commands of people who may not push. */
  readonly ignored: number;
  /** Commands that wait for another run. */
  readonly waiting: number;
  readonly dollars?: number;
  readonly warnings: readonly Warning[];
}

/** Of one run. */
const mostCommands = 10;

export async function answerPull(
  request: PullAnswerRequest,
  context: PullContext & RunContext,
): Promise<PullAnswers> {
  const opened = await openPull(request, context);
  const { forge, number, state } = opened;
  const all = openCommands(state);
  const allowed: PullCommand[] = [];
  for (const command of all)
    if (await mayPush(forge, command.comment.author, undefined)) allowed.push(command);
  const chosen = allowed.slice(0, mostCommands);
  const commands: AnsweredCommand[] = [];
  const warnings: Warning[] = [];
  let dollars: number | undefined;
  for (const command of chosen) {
    const facts = { command: command.kind, author: command.comment.author };
    if (request.dryRun) {
      commands.push({ ...facts, outcome: 'would-answer' });
      continue;
    }
    if (!(await isOpen(command, opened))) continue;
    const reply = await answerTo(command, { request, context, opened });
    const { code, spent } = reply;
    if (spent?.dollars !== undefined) dollars = (dollars ?? 0) + spent.dollars;
    warnings.push(...(reply.warnings ?? []));
    if (reply.text === undefined) {
      commands.push({ ...facts, outcome: 'skipped', ...(code && { code }) });
      continue;
    }
    // Somebody else may have been faster.
    if (!(await isOpen(command, opened))) continue;
    await say(command, reply.text, opened);
    commands.push({ ...facts, outcome: code === undefined ? 'answered' : 'failed', ...(code && { code }) });
  }
  return {
    ...{ number, url: state.pull.url, commands, warnings },
    ignored: all.length - allowed.length,
    waiting: allowed.length - chosen.length,
    ...(dollars === undefined ? {} : { dollars }),
  };
}

async function isOpen({ comment }: PullCommand, { forge, number }: OpenPull): Promise<boolean> {
  return openCommands(await forge.read(number)).some((open) => open.comment.id === comment.id);
}

const mostQuoted = 200;

/** In the thread; elsewhere the question stands above the answer, since other comments may stand between the two. */
async function say(command: PullCommand, text: string, { forge, number }: OpenPull): Promise<void> {
  const { thread, comment } = command;
  const [asked = ''] = comment.body.trim().split('\n', 1);
  const quote = `> ${markdownLine([...asked].slice(0, mostQuoted).join(''))}\n\n`;
  const isInThread = thread !== undefined && forge.kind !== 'gitea';
  const body = markAnswer(command, isInThread ? text : `${quote}${text}`);
  if (thread === undefined) await forge.addComment(number, body);
  else await forge.reply(number, thread, body);
}

interface Reply {
  /** Undefined where nothing is to be posted. */
  readonly text?: string;
  readonly code?: ErrorCode;
  readonly spent?: Spent | undefined;
  readonly warnings?: readonly Warning[];
}

interface Desk {
  readonly request: PullAnswerRequest;
  readonly context: PullContext & RunContext;
  readonly opened: OpenPull;
}

async function answerTo(command: PullCommand, desk: Desk): Promise<Reply> {
  const say = answerWords(reportLanguageOf(desk.request.language));
  try {
    return await answerers[command.kind](command, desk, say);
  } catch (error) {
    const { code, message } = toGalleyError(error);
    if (code === 'CANCELLED' || !isGalleyError(error)) throw error;
    // Without a model nothing is posted; another run may have one.
    if (code === 'MODEL_NOT_CONFIGURED') return { code, warnings: [{ code, message }] };
    return { text: say.failed(markdownText(message)), code };
  }
}

type Answerer = (
  command: PullCommand,
  desk: Desk,
  say: ReturnType<typeof answerWords>,
) => Reply | Promise<Reply>;

const answerers: Readonly<Record<CommandKind, Answerer>> = {
  help: ({ text }, _, say) => ({
    text: text === '' || /^help/i.test(text) ? say.help : `${say.unknown}\n\n${say.help}`,
  }),
  pause: ({ comment }, _, say) => ({ text: say.paused(comment.author) }),
  resume: (_, __, say) => ({ text: say.resumed }),

  async review({ text }, { request, context }, say) {
    const everything = /^(?:all|everything|全部|所有)/i.test(text);
    const asked: PullReviewRequest = { ...request, post: true, everything, evenPaused: true };
    const { review, posted, pull, complete, warnings } = await reviewPull(asked, context);
    if (pull.state !== 'open') return { text: say.ended(pull.state), warnings };
    if (review?.dryRun !== false || posted === undefined) return { text: say.nothingNew, warnings };
    const { open, lines } = posted;
    return { text: say.reviewed(pull.head, { open, lines, complete }), spent: review.spent, warnings };
  },

  async describe(_, { request, context, opened }, say) {
    const { spent, warnings } = await describeOpenPull(
      opened,
      { ...request, maxPages: request.maxPages ?? 3, write: true },
      context,
    );
    return { text: say.described, spent, warnings };
  },

  explain(command, desk, say) {
    const { standing } = desk.opened;
    const own = findingAbove(command, desk);
    const [id = ''] = /[0-9a-f]{4,}/i.exec(command.text) ?? [];
    const named = id === '' ? [] : standing.earlier.filter((each) => each.id.startsWith(id.toLowerCase()));
    const finding = own ?? (named.length === 1 ? named[0] : undefined);
    if (finding === undefined) return { text: say.noFinding(standing.earlier.slice(0, 20)) };
    const more = command.text.replace(id, '').trim();
    const text =
      `Explain the finding: what goes wrong, when it happens, and what would mend it. ${more}`.trim();
    return question({ text, finding }, desk);
  },

  ask(command, desk, say) {
    if (command.text === '') return { text: say.noQuestion };
    const finding = findingAbove(command, desk);
    const { thread } = command;
    const place =
      thread === undefined ? undefined : { path: thread.path, line: thread.lines?.startLine ?? 0 };
    return question({ text: command.text, finding, place }, desk);
  },

  why: ({ text }, desk, say) =>
    withPullChange(desk.opened, { ...desk, isFree: true }, async ({ request: asked, context }) => {
      const preview = await runReview({ ...asked, dryRun: true }, context);
      const left = preview.omitted.filter((omission) => !isReadBefore(omission));
      const pages = preview.pages.map(({ page, pieces }) => ({
        page,
        paths: pieces.map(({ path }) => path),
      }));
      const files = [...new Set([...pages.flatMap(({ paths }) => paths), ...left.map(({ path }) => path)])];
      const named = files.filter((path) => isNamed(path, text));
      const [missing] = named.length > 0 ? [] : (/[\w@./-]*[./][\w-]+/.exec(text) ?? []);
      if (missing !== undefined) return { text: say.notPart(missing) };
      const about = named.length > 0 ? named : [...new Set(left.map(({ path }) => path))];
      if (about.length === 0) return { text: say.nothingLeftOut };
      const lines = about.map((path) => {
        const omission = left.find((each) => each.path === path);
        const page = pages.find(({ paths }) => paths.includes(path))?.page ?? 1;
        return omission === undefined
          ? say.shown(path, page, pages.length)
          : say.leftOut(path, reasonOf(omission), omission.partial === true);
      });
      const more = lines.length > mostLines ? [say.more(lines.length - mostLines)] : [];
      return { text: [...lines.slice(0, mostLines), ...more].join('\n') };
    }),
};

/** What the thread is about that it was asked in. */
function findingAbove({ thread }: PullCommand, { request }: Desk): ReviewFinding | undefined {
  const [first] = thread?.comments ?? [];
  return first?.isOurs ? readFinding(first.body, request.key) : undefined;
}

const mostLines = 20;

function reasonOf({ reason, added, removed }: Omission): string {
  return added + removed === 0 ? markdownText(reason) : `${markdownText(reason)}, +${added} −${removed}`;
}

/** By its path or its name. */
function isNamed(path: string, text: string): boolean {
  const name = path.split('/').at(-1)!;
  return text.includes(path) || text.split(/[\s`"'“”，。？?]+/).includes(name);
}

function question(asked: Parameters<typeof questionTask>[0], desk: Desk): Promise<Reply> {
  const { language } = desk.request;
  const say = answerWords(reportLanguageOf(language));
  return withPullChange(desk.opened, desk, async ({ request, context }) => {
    const task = questionTask({ ...asked, language });
    const { answers, files, spent, warnings } = await askOfChange(request, context, task);
    const { page, answer } = answers[0]!;
    const seen = new Set(page.pieces.map(({ path }) => path)).size;
    return {
      text: `${markdownText(plainProse(answer))}\n\n<sub>${say.seen(seen, files.length)}</sub>`,
      ...{ spent, warnings },
    };
  });
}

const mostProse = 24;

/** What escaping would only make ugly: bold and headings are told by their words alone. */
function plainProse(answer: string): string {
  let isCode = false;
  const lines = answer.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    return isCode ? line : line.replace(/^#{1,6}\s+/, '').replaceAll(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2');
  });
  return lines.length <= mostProse ? lines.join('\n') : `${lines.slice(0, mostProse).join('\n')}\n…`;
}
