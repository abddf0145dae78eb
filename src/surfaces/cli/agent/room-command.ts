// galley agent room: conversations of people and agents, told as people tell them: who said what, and when.

import { userInfo } from 'node:os';
import { agentTypes } from '../../../agents/assembler-input.js';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf, OperationId, RequestOf } from '../../../operations/table.js';
import { exportedStore, isThere, storePath } from '../../shared-store.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext, projectHere } from '../shell/local-context.js';
import { parseJson, readTextFile, wholeNumber } from '../shell/read-input.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, whenWords } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { jsonScreen, refusedExit, talkScreen } from './agent-run-command.js';
import { messageLines, roomLine } from './room-words.js';

interface RoomOptions {
  readonly store?: string;
  readonly json?: boolean;
}

type Ask = <Id extends OperationId>(id: Id, request?: object) => Promise<AnswerOf<Id>>;

/** The rooms of the folder one is in. Whoever only looks makes no file. */
async function inRooms(
  { store: named, reads = false }: RoomOptions & { readonly reads?: boolean },
  work: (ask: Ask) => Promise<void>,
  listeners: Pick<OperationContext, 'onText' | 'onEvent'> = {},
): Promise<void> {
  const isKept = !reads || isThere(storePath(process.cwd(), named));
  const store = isKept ? named : ':memory:';
  const context = localContext(store === undefined ? {} : { store });
  try {
    const isInside = (named ?? exportedStore()) === undefined;
    const projectId = await projectHere(context.store, context.folder, { isInside });
    const streaming = { ...context, signal: runSignal(context.signal), ...listeners };
    await work(async <Id extends OperationId>(id: Id, request: object = {}) => {
      return (await call(id, { projectId, ...request }, streaming)) as AnswerOf<Id>;
    });
  } finally {
    await context.close();
  }
}

export async function listRooms(options: RoomOptions): Promise<void> {
  await inRooms({ ...options, reads: true }, async (ask) => {
    const answer = await ask('agents:rooms:list');
    if (options.json) return printJson(answer);
    if (answer.rooms.length === 0) {
      const command = 'galley agent room new login --agent max=claude';
      return say(`${word('room.none', { command })}\n`);
    }
    const columns = [
      { title: word('room.col.room') },
      { title: word('room.col.messages'), align: 'right' as const },
      { title: word('room.col.last') },
      { title: word('room.col.agents'), shrink: true },
    ];
    const rows = answer.rooms.map(({ room, messages, changedAt, agents, closedAt }) => [
      closedAt === undefined ? room : word('room.closed', { room }),
      String(messages),
      whenWords(changedAt),
      agents.map(({ name }) => name).join(', '),
    ]);
    print(textTable(columns, rows, { width: terminalWidth() }));
  });
}

interface NewOptions extends RoomOptions {
  readonly agent?: readonly string[];
  readonly file?: string;
  readonly task?: string;
  readonly maxTokens?: string;
}

export async function newRoom(room: string, options: NewOptions): Promise<void> {
  const { agent = [], file, task, maxTokens } = options;
  const limit = maxTokens === undefined ? {} : { maxTokens: wholeNumber(maxTokens, '--max-tokens', 1) };
  const given = file === undefined ? [] : parseJson(await readTextFile(file), 'The file of --file');
  const agents = [
    ...(Array.isArray(given) ? given : [given]),
    ...(await Promise.all(agent.map(agentSpoken))),
  ];
  if (agents.length === 0) throw wrong('--agent', 'a room needs somebody to answer; give one as max=claude');
  await inRooms(options, async (ask) => {
    const request = { room, agents: agents.map((one) => ({ ...limit, ...Object(one) })), task };
    const answer = await ask('agents:rooms:create', defined(request));
    if (options.json) return printJson(answer);
    say(`${word('room.made', { room })}\n`);
    const [first] = answer.agents;
    say(`${word('room.try', { command: `galley agent room say ${room} "@${first?.name} …"` })}\n`);
  });
}

/** `max=claude`. */
async function agentSpoken(text: string): Promise<{ name: string; agentType: string }> {
  const [name = '', agentType = ''] = text.split('=');
  if (name === '' || agentType === '') throw wrong('--agent', 'must be a name and a type, as in max=claude');
  const { otherAgents } = await import('../../../models/other-agents/other-agents.js');
  const known = ['claude', 'codex', 'gemini', ...Object.keys(await otherAgents())];
  if (known.includes(agentType) || agentTypes.some((type) => type === agentType)) return { name, agentType };
  throw wrong(
    '--agent',
    `there is no such type; it can be ${known.join(', ')}, or unknown for a model without tools`,
  );
}

interface SayOptions extends RoomOptions {
  readonly from?: string;
  readonly to?: string;
  readonly pin?: boolean;
  readonly rule?: boolean;
  readonly priority?: string;
}

export async function sayInRoom(room: string, text: string, options: SayOptions): Promise<void> {
  const { from = whoAmI(), to, pin, rule, priority } = options;
  await inRooms(options, async (ask) => {
    const request: Omit<RequestOf<'agents:rooms:say'>, 'projectId'> = {
      ...{ room, from, content: text },
      ...(to === undefined ? {} : { to }),
      ...(pin ? { pinned: true } : {}),
      ...(rule ? { role: 'system' as const } : {}),
      ...(priority === undefined ? {} : { priority: wholeNumber(priority, '--priority') }),
    };
    const message = await ask('agents:rooms:say', request);
    if (options.json) printJson(message);
    else say(`${word('room.said', { n: message.number })}\n`);
  });
}

/** The name one has on this machine, where it can be mentioned. */
function whoAmI(): string {
  const { username } = userInfo();
  return /^[\p{L}\p{N}](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}])?$/u.test(username) ? username : 'user';
}

interface SpeakOptions extends RoomOptions {
  readonly timeout?: string;
  readonly firstByteTimeout?: string;
}

const limitsOf = ({ timeout, firstByteTimeout }: SpeakOptions) => ({
  ...(timeout === undefined ? {} : { timeoutMs: wholeNumber(timeout, '--timeout', 0) * 1000 }),
  ...(firstByteTimeout === undefined
    ? {}
    : { firstByteTimeoutMs: wholeNumber(firstByteTimeout, '--first-byte-timeout', 0) * 1000 }),
});

export async function runInRoom(
  room: string,
  agent: string | undefined,
  options: SpeakOptions,
): Promise<void> {
  const screen = options.json ? jsonScreen() : talkScreen();
  const work = async (ask: Ask) => {
    const answer = await ask('agents:rooms:run', defined({ room, agent, ...limitsOf(options) }));
    const { number, from, content } = answer.message;
    if (options.json) printJson({ kind: 'answer', ...answer });
    else {
      screen.finish({ ...answer, answer: String(content) });
      say(`galley: ${word('room.answered', { from, n: number })}\n`);
    }
    if (answer.refusals.length > 0) process.exitCode = refusedExit;
  };
  await inRooms(options, work, screen.listeners).catch((error: unknown) => {
    screen.giveUp();
    if (isGalleyError(error) && error.details?.reason === 'mention') say(`galley: ${word('room.mention')}\n`);
    throw error;
  });
}

export async function showRoom(
  room: string,
  options: RoomOptions & { readonly last?: string },
): Promise<void> {
  await inRooms({ ...options, reads: true }, async (ask) => {
    const answer = await ask('agents:rooms:get', { room });
    const last = options.last === undefined ? undefined : wholeNumber(options.last, '--last', 1);
    const messages = last === undefined ? answer.messages : answer.messages.slice(-last);
    if (options.json) return printJson({ ...answer, messages });
    say(roomLine(answer.room));
    print(messages.map(messageLines).join(''));
  });
}

export async function closeRoom(room: string, options: RoomOptions): Promise<void> {
  await inRooms(options, async (ask) => {
    const answer = await ask('agents:rooms:close', { room });
    if (options.json) printJson(answer);
    else say(`${word('room.now-closed', { room })}\n`);
  });
}

interface CompactOptions extends SpeakOptions {
  readonly first?: string;
  readonly last?: string;
  readonly keep?: string;
  readonly text?: string;
  readonly from?: string;
  readonly agent?: string;
}

export async function compactRoom(room: string, options: CompactOptions): Promise<void> {
  const { first, last, keep, text, agent } = options;
  const number = (given: string | undefined, flag: string, least: number) =>
    given === undefined ? undefined : wholeNumber(given, flag, least);
  await inRooms(options, async (ask) => {
    const request = {
      ...{ room, text, agent, ...limitsOf(options) },
      first: number(first, '--first', 1),
      last: number(last, '--last', 1),
      keep: number(keep, '--keep', 0),
      from: text === undefined ? undefined : (options.from ?? whoAmI()),
    };
    const answer = await ask('agents:rooms:compact', defined(request));
    if (options.json) return printJson(answer);
    print(messageLines(answer.message));
    const command = `galley agent room expand ${room}`;
    say(`${word('room.compacted', { messages: counted(answer.replaced, 'message'), command })}\n`);
  });
}

export async function expandRoom(
  room: string,
  summary: string | undefined,
  options: RoomOptions,
): Promise<void> {
  await inRooms(options, async (ask) => {
    const number = summary === undefined ? undefined : wholeNumber(summary, 'summary', 1);
    const answer = await ask('agents:rooms:expand', defined({ room, summary: number }));
    if (options.json) printJson(answer);
    else say(`${word('room.expanded', { first: answer.first, last: answer.last })}\n`);
  });
}

const defined = (request: object): object =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));

function wrong(flag: string, says: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${flag}: ${says}.`, { details: { field: flag } });
}
