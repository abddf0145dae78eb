// galley agent run: the agent's answer comes on stdout as it is said, what it does and everything else on stderr. With --json
// every event is a line on stdout, and the answer is the last one.

import { basename } from 'node:path';
import type { AgentEvent } from '../../../models/contract/agent-event.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf } from '../../../operations/table.js';
import { exportedStore } from '../../shared-store.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext, projectHere } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { printJson, say } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { agentRequest, agentTalk, type TurnFlags } from './agent-command.js';
import { agentOverview } from './agent-overview.js';
import { beforeLines, eventLines, refusalLines } from './event-lines.js';

export interface AgentRunOptions extends TurnFlags {
  readonly may?: string;
  readonly resume?: string;
  readonly keepSession?: boolean;
  readonly timeout?: string;
  readonly firstByteTimeout?: string;
  readonly trim?: string;
  readonly model?: string;
  readonly native?: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** The agent was refused something by the rules it ran under. */
export const refusedExit = 6;

export async function agentRunCommand(options: AgentRunOptions): Promise<void> {
  const request = await runRequest(options);
  if (request === undefined) return agentOverview();
  await runShown(request, options);
}

/** What a person sees of a turn depends on these. */
type ShownOptions = Pick<AgentRunOptions, 'agent' | 'may' | 'native' | 'explain' | 'json' | 'withCode'>;

/** Runs a turn and shows it while it runs; what was refused decides the exit code. */
export async function runShown(
  request: Readonly<Record<string, unknown>>,
  options: ShownOptions,
): Promise<void> {
  const context = localContext();
  const screen = options.json ? jsonScreen() : talkScreen();
  if (!options.json && !options.native)
    for (const line of beforeLines(options.may, basename(context.folder))) say(`galley: ${line}\n`);
  const streaming: OperationContext = { ...context, signal: runSignal(context.signal), ...screen.listeners };
  try {
    const isInside = exportedStore() === undefined;
    const projectId = await projectHere(context.store, context.folder, { isInside });
    const turn = (await call('agents:run', { ...request, projectId }, streaming)) as AnswerOf<'agents:run'>;
    for (const line of agentTalk(options, turn.receipt)) say(`galley: ${line}\n`);
    if (options.explain) say(explainReceipt(turn.receipt));
    screen.finish(turn, options);
    if (turn.refusals.length > 0) process.exitCode = refusedExit;
  } catch (error) {
    screen.giveUp();
    if (options.may === 'edit' || options.may === 'run') say(`galley: ${word('agent.can-undo-half')}\n`);
    throw error;
  } finally {
    await context.close();
  }
}

/** Of a turn what is told at its end, whichever operation ran it. */
type ShownTurn = Omit<AnswerOf<'agents:rooms:run'>, 'message' | 'receipt' | 'runs'> & {
  readonly answer: string;
};

interface Screen {
  readonly listeners: Pick<OperationContext, 'onText' | 'onEvent'>;
  finish(turn: ShownTurn, options?: Pick<ShownOptions, 'agent' | 'may'>): void;
  /** What has been printed is no answer. */
  giveUp(): void;
}

export function jsonScreen(): Screen {
  return {
    listeners: { onEvent: (event) => printJson(event) },
    finish: (turn) => printJson({ kind: 'answer', ...turn }),
    giveUp: () => undefined,
  };
}

export function talkScreen(): Screen {
  let spoken = '';
  const isWatched = process.stderr.isTTY === true;
  /** On a terminal both streams are one page; elsewhere the answer stays as it was said. */
  const isOnePage = process.stdout.isTTY === true;
  let isLineOpen = false;
  let isInterrupted = false;
  const breakLine = () => {
    if (isLineOpen) process.stdout.write('\n');
    isLineOpen = false;
  };
  /** What was used so far waits for what comes next, since the end tells it anyway. */
  let used: readonly string[] = [];
  const onEvent = (event: AgentEvent) => {
    const lines = eventLines(event, { isWatched });
    if (event.kind === 'usage') used = lines;
    else if (lines.length > 0) tell([...used, ...lines]);
  };
  const tell = (lines: readonly string[]) => {
    used = [];
    if (isOnePage) breakLine();
    for (const line of lines) say(`galley: ${line}\n`);
    isInterrupted ||= lines.length > 0;
  };
  return {
    listeners: {
      onText: (text) => {
        spoken += text;
        // What was told in between keeps two parts of an answer apart already.
        const shown = isOnePage && isInterrupted ? text.replace(/^\n+/, '') : text;
        if (shown === '') return;
        isInterrupted = false;
        isLineOpen = !shown.endsWith('\n');
        process.stdout.write(shown);
      },
      onEvent,
    },
    finish(turn, options) {
      finishText(spoken, turn);
      for (const line of refusalLines(turn.refusals, options)) say(`galley: ${line}\n`);
      if (turn.turn !== undefined) say(`galley: ${word('agent.can-undo')}\n`);
      if (turn.session !== undefined && options !== undefined)
        say(`galley: ${word('agent.session', { agent: options.agent, id: turn.session })}\n`);
    },
    giveUp: () => {
      breakLine();
      tell(used);
    },
  };
}

async function runRequest(options: AgentRunOptions): Promise<Record<string, unknown> | undefined> {
  const seconds = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : wholeNumber(text, flag, 0) * 1000;
  const given = {
    may: options.may,
    resume: options.resume,
    keepSession: options.keepSession,
    timeoutMs: seconds(options.timeout, '--timeout'),
    firstByteTimeoutMs: seconds(options.firstByteTimeout, '--first-byte-timeout'),
    trim: options.trim,
    model: options.model,
    native: options.native,
  };
  const extra = Object.entries(given).filter(([, value]) => value !== undefined);
  const turn = await agentRequest(options, given.timeoutMs);
  return turn === undefined ? undefined : { ...turn, ...Object.fromEntries(extra) };
}

function finishText(spoken: string, { answer, finish, usage, cost, filesChanged }: ShownTurn): void {
  const isSpoken = spoken.trimEnd().endsWith(answer.trimEnd());
  if (!isSpoken) {
    // An agent that lost its connection half-way says it all again.
    if (spoken !== '') say(`\ngalley: ${word('agent.anew')}\n`);
    process.stdout.write(answer);
  }
  if (!(isSpoken ? spoken : answer).endsWith('\n')) process.stdout.write('\n');
  const cached =
    usage?.cachedInputTokens === undefined ? '' : word('agent.cached', { n: usage.cachedInputTokens });
  const tokens =
    usage === undefined
      ? ''
      : word('agent.tokens', { input: usage.inputTokens, cached, output: usage.outputTokens });
  const dollars = cost === undefined ? '' : word('agent.dollars', { n: cost.dollars.toFixed(4) });
  const files = filesChanged.length === 0 ? '' : word('agent.files', { n: filesChanged.length });
  const cut = finish === 'length' ? word('agent.cut') : '';
  say(`galley: ${word('agent.whole')}${cut}${files}${tokens}${dollars}\n`);
}
