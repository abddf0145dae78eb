// Notes and discussions of merge requests over GitLab's API.
import { type HostSetup, roleOf } from '../host/host.js';
import { creationLimits } from '../host/limits.js';
import type { Comment, Pull } from '../host/records.js';
import type { Answer, Exchange, Parameters, Route } from '../host/request.js';
import type { FoundComment } from '../host/world.js';
import { discussionId } from './bodies.js';
import { type ApiSetup, list, mergeRequestPath, pullAt } from './merge-request-routes.js';
import { type Position, readPosition } from './position.js';
import { badNote, narrowScope, notFound, refusal, tooOften } from './refusals.js';

const longest = 1_000_000;
/** As on gitlab.com; others have more. */
const notesAMinute = 60;

export function noteRoutes(setup: ApiSetup): Route[] {
  const { world, bodies } = setup;
  const limits = creationLimits([{ count: notesAMinute, ms: 60_000 }], setup.now);
  type Run = (pull: Pull, exchange: Exchange, at: Parameters) => Answer | Promise<Answer>;
  const on = (method: string, path: string, run: Run): Route => ({
    method,
    path: `${mergeRequestPath}${path}`,
    run(exchange, at) {
      const pull = pullAt(setup, at.iid);
      if (pull === undefined) return notFound();
      if (method !== 'GET' && !exchange.account.rights.includes('comment')) return narrowScope('api');
      return run(pull, exchange, at);
    },
  });
  /** A text becomes a note, or is refused; what is a command is carried out and not shown. */
  const create = (
    path: string,
    run: (pull: Pull, exchange: Exchange, said: Said) => Answer | Promise<Answer>,
  ) =>
    on('POST', path, (pull, exchange, at) => {
      if (limits.refusedFor(exchange.account.login) !== undefined) return tooOften();
      const { body } = (exchange.body ?? {}) as { body?: unknown };
      if (typeof body !== 'string') return refusal(400, 'body is missing');
      const { text, commands } = readCommands(body);
      if (commands.includes('close')) Object.assign(pull, { state: 'closed', closedAt: world.now() });
      if (text === '' && commands.length > 0) return { status: 202, body: { commands_changes: {} } };
      const problem = noteProblem(text);
      if (problem !== undefined) return badNote(problem);
      pull.updatedAt = world.now();
      return run(pull, exchange, { text, at });
    });
  const own = (method: string, run: (found: FoundComment, exchange: Exchange) => Answer | Promise<Answer>) =>
    on(method, '/notes/{id}', (pull, exchange, { id }) => {
      const found = world.findComment(Number(id));
      if (found === undefined || found.pull !== pull) return notFound();
      return mayChange(found.comment, exchange, setup) ? run(found, exchange) : refusal(403, '403 Forbidden');
    });

  return [
    create('/notes', (pull, { account }, { text }) => {
      const comment = world.newComment(account.login, text);
      pull.comments.push(comment);
      return { status: 201, body: bodies.plain(comment) };
    }),
    own('PUT', ({ comment }, { body: asked }) => {
      const { body } = asked as { body?: string };
      if (typeof body !== 'string' || body.trim() === '') return refusal(400, 'body is empty');
      const problem = noteProblem(body);
      if (problem !== undefined) return badNote(problem);
      Object.assign(comment, { body, updatedAt: world.now() });
      return { status: 200, body: bodies.plain(comment) };
    }),
    own('DELETE', ({ comment }) => {
      world.removeComment(comment.id);
      return { status: 204 };
    }),
    on('GET', '/notes/{id}/award_emoji', (pull, exchange, { id }) => {
      const found = world.findComment(Number(id));
      if (found === undefined || found.pull !== pull) return notFound();
      const names: Record<string, string> = { '-1': 'thumbsdown', '+1': 'thumbsup' };
      return list(setup, exchange, found.comment.reactions, ({ login, content }) => ({
        name: names[content] ?? content,
        user: bodies.user(login),
      }));
    }),
    on('GET', '/discussions', async (pull, exchange) => {
      const diff = await world.diffOf(pull);
      const all = [
        ...pull.comments.map((comment) => ({ id: comment.id, shown: bodies.individual(comment) })),
        ...pull.pushes.map((push) => ({ id: push.id, shown: bodies.pushed(push, pull.author) })),
        ...pull.threads.map((thread) => ({
          id: thread.comments[0]!.id,
          shown: bodies.thread(pull, thread, diff),
        })),
      ];
      return list(
        setup,
        exchange,
        all.toSorted((left, right) => left.id - right.id),
        ({ shown }) => shown,
      );
    }),
    create('/discussions', async (pull, exchange, { text }) => {
      const { position } = exchange.body as { position?: Position };
      if (position === undefined) return refusal(501, 'The loopback forge has discussions on lines only.');
      const place = await readPosition(world, pull, position);
      if (typeof place === 'string') return badNote(place);
      const thread = await world.addThread(pull, place, {
        ...{ commit: pull.head.commit, reviewId: 0, author: exchange.account.login },
        body: text,
      });
      return { status: 201, body: bodies.thread(pull, thread, await world.diffOf(pull)) };
    }),
    create('/discussions/{discussion}/notes', (pull, { account }, { text, at }) => {
      const thread = pull.threads.find(({ id }) => id === at.discussion);
      if (thread === undefined) {
        // A note of its own becomes a discussion when somebody answers.
        const known = pull.comments.some(({ id }) => discussionId(id) === at.discussion);
        return known ? refusal(501, 'The loopback forge answers on lines only.') : notFound('Discussion');
      }
      const comment = world.newComment(account.login, text);
      thread.comments.push(comment);
      return { status: 201, body: bodies.plain(comment) };
    }),
    on('PUT', '/discussions/{discussion}', async (pull, { account, query, body }, { discussion }) => {
      const thread = pull.threads.find(({ id }) => id === discussion);
      if (thread === undefined) return notFound('Discussion');
      const asked = query.get('resolved') ?? String((body as { resolved?: boolean } | undefined)?.resolved);
      if (asked !== 'true' && asked !== 'false') return refusal(400, 'resolved is missing');
      if (!mayResolve(pull, account.login, setup)) return refusal(403, '403 Forbidden');
      const isResolved = asked === 'true';
      Object.assign(thread, { isResolved, resolvedBy: isResolved ? account.login : undefined });
      return { status: 200, body: bodies.thread(pull, thread, await world.diffOf(pull)) };
    }),
  ];
}

interface Said {
  readonly text: string;
  readonly at: Parameters;
}

function mayChange(comment: Comment, { account }: Exchange, setup: HostSetup): boolean {
  return comment.author === account.login || roleOf(account.login, setup) === 'admin';
}

function mayResolve(pull: Pull, login: string, setup: HostSetup): boolean {
  const role = roleOf(login, setup);
  return pull.author === login || role === 'admin' || role === 'write';
}

function noteProblem(text: string): string | undefined {
  if (text.trim() === '') return ':note=>["can\'t be blank"]';
  const isLong = text.length > longest && [...text].length > longest;
  return isLong ? `:note=>["is too long (maximum is ${longest} characters)"]` : undefined;
}

/** A line that begins with a slash commands, unless it is code. */
function readCommands(body: string): { readonly text: string; readonly commands: readonly string[] } {
  const commands: string[] = [];
  let fence: string | undefined;
  const kept = body.split('\n').filter((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    const command = fence === undefined ? /^\/([a-z_]+)(?:\s|$)/.exec(line)?.[1] : undefined;
    if (command !== undefined) commands.push(command);
    return command === undefined;
  });
  return { text: commands.length === 0 ? body : kept.join('\n').trim(), commands };
}
