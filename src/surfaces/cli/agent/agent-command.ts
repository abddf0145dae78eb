// galley agent: a conversation on stdin becomes one turn on stdout. galley agent run: the agent's answer comes there as it is
// said, everything else goes to stderr.

import { agentTypeOf, agentTypes } from '../../../agents/agent-type.js';
import type { TurnAnswer } from '../../../agents/run/run-turn.js';
import type { Receipt } from '../../../core/model/receipt.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import { runSignal } from '../shell/cancellation.js';
import { closestWord } from '../shell/did-you-mean.js';
import { localContext, projectHere, runOperation } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { printJson } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { agentOverview } from './agent-overview.js';
import { agentRequest, type TurnFlags } from './agent-request.js';

export interface AgentOptions extends TurnFlags {
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function agentCommand(options: AgentOptions): Promise<void> {
  const request = await agentRequest(options);
  if (request === undefined) return agentOverview();
  const turn = await runOperation('agents:assemble', request);
  for (const line of agentTalk(options.agent, turn.receipt)) process.stderr.write(`galley: ${line}\n`);
  if (options.explain) process.stderr.write(explainReceipt(turn.receipt));
  if (options.json) printJson(turn);
  else {
    process.stdout.write(`${turn.prompt}\n`);
    if (turn.systemFlag !== undefined) {
      process.stderr.write(`galley: ${word('agent.apart')}\n`);
    }
  }
}

export interface AgentRunOptions extends TurnFlags {
  readonly timeout?: string;
  readonly firstByteTimeout?: string;
  readonly trim?: string;
  readonly model?: string;
  readonly native?: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function agentRunCommand(options: AgentRunOptions): Promise<void> {
  const request = await runRequest(options);
  if (request === undefined) return agentOverview();
  let spoken = '';
  const onText = (text: string) => {
    spoken += text;
    process.stdout.write(text);
  };
  const context = localContext();
  const streaming: OperationContext = {
    ...context,
    signal: runSignal(context.signal),
    ...(options.json ? {} : { onText }),
  };
  try {
    const isInside = process.env.GALLEY_STORE === undefined;
    const projectId = await projectHere(context.store, context.folder, { isInside });
    const turn = (await call('agents:run', { ...request, projectId }, streaming)) as TurnAnswer;
    for (const line of agentTalk(options.agent, turn.receipt)) process.stderr.write(`galley: ${line}\n`);
    if (options.explain) process.stderr.write(explainReceipt(turn.receipt));
    if (options.json) printJson(turn);
    else finishText(spoken, turn);
  } catch (error) {
    // What has been printed is no answer; the refusal starts on a line of its own.
    if (spoken !== '' && !spoken.endsWith('\n')) process.stdout.write('\n');
    throw error;
  } finally {
    await context.close();
  }
}

async function runRequest(options: AgentRunOptions): Promise<Record<string, unknown> | undefined> {
  const seconds = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : wholeNumber(text, flag, 0) * 1000;
  const given = {
    timeoutMs: seconds(options.timeout, '--timeout'),
    firstByteTimeoutMs: seconds(options.firstByteTimeout, '--first-byte-timeout'),
    trim: options.trim,
    model: options.model,
    native: options.native,
  };
  const extra = Object.entries(given).filter(([, value]) => value !== undefined);
  const turn = await agentRequest(options);
  return turn === undefined ? undefined : { ...turn, ...Object.fromEntries(extra) };
}

function finishText(spoken: string, { answer, finish, usage }: TurnAnswer): void {
  if (!spoken.endsWith(answer)) {
    // An agent that lost its connection half-way says it all again.
    if (spoken !== '') process.stderr.write(`\ngalley: ${word('agent.anew')}\n`);
    process.stdout.write(answer);
  }
  if (!answer.endsWith('\n')) process.stdout.write('\n');
  const cached =
    usage?.cachedInputTokens === undefined ? '' : word('agent.cached', { n: usage.cachedInputTokens });
  const tokens =
    usage === undefined
      ? ''
      : word('agent.tokens', { input: usage.inputTokens, cached, output: usage.outputTokens });
  const cut = finish === 'length' ? word('agent.cut') : '';
  process.stderr.write(`galley: ${word('agent.whole')}${cut}${tokens}\n`);
}

const known = ['claude', 'codex', 'gemini', ...agentTypes];

/**
 * What a person should hear about a turn without asking: the current message did not fit, or the agent's name looks misspelt.
 */
export function agentTalk(name: string, { ledger }: Pick<Receipt, 'ledger'>): string[] {
  const meant = agentTypeOf(name) === 'unknown' && name !== 'unknown' ? closestWord(name, known) : undefined;
  const current = ledger.find(({ fragment }) => fragment === 'message:current');
  return [
    ...(meant === undefined ? [] : [word('agent.plain', { name: `"${name}"`, meant })]),
    ...(current === undefined || current.verdict === 'kept' ? [] : [word('agent.cut-message')]),
  ];
}
