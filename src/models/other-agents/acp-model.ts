// Any agent that speaks the Agent Client Protocol as a model: one process, one session, one prompt. The protocol has no place for
// system text, so it stands in the prompt.
import { GalleyError } from '../../core/model/error.js';
import { type JsonObject, parseEvent, pick, pickCount, pickText } from '../answer/json-fields.js';
import { type AgentName, cancelledRun, notStarted, stoppedBy } from '../cli/cli-failure.js';
import { type Channel, type LineNews, runProcess } from '../cli/run-process.js';
import type { AgentEvent, Permission } from '../contract/agent-event.js';
import {
  type Finish,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  maxAnswer,
  type RunOptions,
} from '../contract/model.js';
import { checkRequest } from '../contract/placement.js';
import { acpUpdates, acpUsage } from './acp-events.js';
import { type AgentStart, startEnvironment } from './plain-agent.js';

const authRequired = -32_000;

export function acpModel(options: AgentStart): Model {
  const { agent } = options;
  const self: Model = {
    id: `acp/${agent.name}`,
    family: 'cli',
    systemInPrompt: () => true,
    readsAsCommand: (prompt) => prompt.startsWith('/'),
    run: async (request, run) => {
      checkRequest(self, request);
      if (run.signal.aborted) throw cancelledRun(agent, run.signal);
      run.onEvent?.({ kind: 'warning', ...itAsksItself });
      return converse(options, request, run);
    },
  };
  return self;
}

const itAsksItself = {
  about: 'asks-by-itself',
  message:
    'The agent itself decides what it asks permission for; nothing keeps it from what it does without asking, but galley agent undo takes it back.',
};

async function converse(
  start: AgentStart,
  request: ModelRequest,
  { signal, onText, onEvent }: RunOptions,
): Promise<ModelAnswer> {
  const { agent, folder, may, graceMs = 2000 } = start;
  const [command, ...args] = start.command;
  const stop = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  // Its process has nothing more to do; one that stays is ended.
  const leave = (why?: unknown) => {
    grace ??= setTimeout(() => stop.abort(why), graceMs);
  };
  let spoken = '';
  let isRefused = false;
  const talk = openTalk({
    ...{ folder, may, prompt: request.prompt },
    onText: (text) => {
      spoken += text;
      onText?.(text);
      onEvent?.({ kind: 'text', text });
    },
    onEvent: (event) => {
      isRefused ||= event.kind === 'refused';
      onEvent?.(event);
    },
    onSettled: () => leave(),
  });
  const cancel = () => {
    talk.cancel();
    leave(signal.reason);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const end = await runProcess({
      ...{ command, args, folder, input: '', timeouts: request.timeouts, graceMs },
      environment: startEnvironment(start),
      signal: stop.signal,
      maxLine: 2 * maxAnswer,
      onOpen: talk.begin,
      onLine: (line) => (spoken.length > maxAnswer ? 'too-large' : talk.hear(line)),
    });
    if (end.kind === 'not-started') throw notStarted(agent, end.cause);
    if (signal.aborted) throw cancelledRun(agent, signal);
    const said = talk.outcome();
    if (said === undefined && end.stopped !== undefined) throw stoppedBy(agent, end.stopped, { signal, end });
    if (said === undefined) throw failed(agent, 'ended before it had answered');
    return answerOf(agent, said, { text: spoken, isRefused, onEvent });
  } finally {
    clearTimeout(grace);
    signal.removeEventListener('abort', cancel);
  }
}

/** What the agent answered to the prompt, or to what came before it when that failed. */
type Said = { readonly result: unknown } | { readonly error: unknown };

interface Heard {
  readonly text: string;
  /** Some have nothing more to say once they were refused something. */
  readonly isRefused: boolean;
  readonly onEvent: RunOptions['onEvent'];
}

function answerOf(agent: AgentName, said: Said, { text, isRefused, onEvent }: Heard): ModelAnswer {
  if ('error' in said) {
    if (pick(said.error, 'code') === authRequired) {
      const message = `${agent.title} has no valid login or key; log in with it first.`;
      throw new GalleyError('MODEL_NOT_CONFIGURED', message, { details: { cli: agent.name } });
    }
    throw failed(agent, 'could not get an answer from its provider');
  }
  const reason = pickText(said.result, 'stopReason');
  if (reason === 'refusal')
    throw new GalleyError('MODEL_REFUSED', `${agent.title} declined to answer.`, {
      details: { cli: agent.name },
    });
  if (text.trim() === '' && !isRefused)
    throw new GalleyError('MODEL_ANSWER_INVALID', `${agent.title} gave an empty answer.`, {
      details: { cli: agent.name, reason: 'empty' },
    });
  const finish = finishOf(reason);
  const { usage } = acpUsage(said.result);
  if (usage !== undefined) onEvent?.({ kind: 'usage', ...usage });
  onEvent?.({ kind: 'end', finish });
  return { text, finish, ...(usage === undefined ? {} : { usage }) };
}

function finishOf(reason: string | undefined): Finish {
  if (reason === 'end_turn') return 'stop';
  return reason === 'max_tokens' || reason === 'max_turn_requests' ? 'length' : 'unknown';
}

function failed(agent: AgentName, says: string): GalleyError {
  return new GalleyError('MODEL_UNAVAILABLE', `${agent.title} ${says}.`, { details: { cli: agent.name } });
}

interface TalkOptions {
  readonly folder: string;
  readonly may: Permission;
  readonly prompt: string;
  onText(text: string): void;
  onEvent(event: AgentEvent): void;
  /** Nothing more is awaited of the agent. */
  onSettled(): void;
}

/** The talk itself: three requests of ours in a row, and whatever the agent tells and asks in between. */
function openTalk({ folder, may, prompt, onText, onEvent, onSettled }: TalkOptions) {
  const updates = acpUpdates(may, folder);
  let channel: Channel | undefined;
  let session: string | undefined;
  let said: Said | undefined;
  let hasSpoken = false;
  let isNext = false;
  const send = (message: object) => channel?.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const settle = (outcome: Said) => {
    said ??= outcome;
    channel?.end();
    onSettled();
  };
  const steps: readonly ((result: unknown) => void)[] = [
    () => send({ id: 2, method: 'session/new', params: { cwd: folder, mcpServers: [] } }),
    (result) => {
      session = pickText(result, 'sessionId');
      onEvent({ kind: 'session' });
      const text = [{ type: 'text', text: prompt }];
      send({ id: 3, method: 'session/prompt', params: { sessionId: session, prompt: text } });
    },
    (result) => settle({ result }),
  ];
  const answered = (message: JsonObject): void => {
    if (message.error !== undefined) settle({ error: message.error });
    else steps[(pickCount(message, 'id') ?? 0) - 1]?.(message.result);
  };
  const asked = ({ id, method, params }: JsonObject): void => {
    if (method !== 'session/request_permission') {
      send({ id, error: { code: -32_601, message: 'not offered' } });
      return;
    }
    const { option, events } = updates.decide((params ?? {}) as JsonObject);
    for (const event of events) onEvent(event);
    const outcome =
      option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option };
    send({ id, result: { outcome } });
  };
  const told = (params: unknown): LineNews => {
    const { text, events } = updates.read((pick(params, 'update') ?? {}) as JsonObject);
    for (const event of events) onEvent(event);
    // What it says behind a tool is a paragraph of its own.
    if (events.length > 0) isNext = hasSpoken;
    if (text !== undefined) {
      onText(isNext ? `\n\n${text}` : text);
      isNext = false;
      hasSpoken = true;
    }
    return text === undefined && events.length === 0 ? 'nothing' : 'begun';
  };
  return {
    begin(opened: Channel): void {
      channel = opened;
      const fs = { readTextFile: false, writeTextFile: false };
      const params = { protocolVersion: 1, clientCapabilities: { fs, terminal: false } };
      send({ id: 1, method: 'initialize', params });
    },
    hear(line: string): LineNews {
      const message = parseEvent(line);
      if (message === undefined) return 'nothing';
      if (message.method === 'session/update') return told(message.params);
      if (message.method === undefined) answered(message);
      else if (message.id !== undefined) asked(message);
      return 'nothing';
    },
    cancel(): void {
      if (session !== undefined) send({ method: 'session/cancel', params: { sessionId: session } });
    },
    outcome: () => said,
  };
}
