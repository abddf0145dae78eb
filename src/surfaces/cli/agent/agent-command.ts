// galley agent: a conversation on stdin becomes one turn on stdout; everything else goes to stderr.
import { agentTypeOf, agentTypes } from '../../../agents/assembler-input.js';
import { GalleyError } from '../../../core/model/error.js';
import type { Receipt } from '../../../core/model/receipt.js';
import { runOperation } from '../shell/local-context.js';
import { closestWord, parseJson, readStdin, readTextFile, wholeNumber } from '../shell/read-input.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { printJson } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { agentOverview } from './agent-overview.js';

export interface TurnFlags {
  readonly agent: string;
  readonly task?: string;
  readonly message?: string;
  readonly systemFile?: string;
  readonly maxBytes?: string;
  readonly maxTokens?: string;
  readonly meter?: string;
  readonly trim?: string;
  readonly withCode?: string;
}

interface AgentOptions extends TurnFlags {
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function agentCommand(options: AgentOptions): Promise<void> {
  const request = await agentRequest(options);
  if (request === undefined) return agentOverview();
  const turn = await runOperation('agents:assemble', request);
  for (const line of agentTalk(options, turn.receipt)) process.stderr.write(`galley: ${line}\n`);
  if (options.explain) process.stderr.write(explainReceipt(turn.receipt));
  if (options.json) printJson(turn);
  else {
    process.stdout.write(`${turn.prompt}\n`);
    if (turn.systemFlag !== undefined) {
      process.stderr.write(`galley: ${word('agent.apart')}\n`);
    }
  }
}

const known = ['claude', 'codex', 'gemini', ...agentTypes];

/**
 * What a person should hear about a turn without asking: the current message did not fit, no code was found for it, or the agent's
 * name looks misspelt.
 */
export function agentTalk(
  { agent: name, withCode }: TurnFlags,
  { ledger }: Pick<Receipt, 'ledger'>,
): string[] {
  const meant = agentTypeOf(name) === 'unknown' && name !== 'unknown' ? closestWord(name, known) : undefined;
  const current = ledger.find(({ fragment }) => fragment === 'message:current');
  const isWithoutCode = withCode !== undefined && ledger.every(({ fragment }) => fragment !== 'code');
  return [
    ...(meant === undefined ? [] : [word('agent.plain', { name: `"${name}"`, meant })]),
    ...(current === undefined || current.verdict === 'kept' ? [] : [word('agent.cut-message')]),
    ...(isWithoutCode ? [word('agent.no-code')] : []),
  ];
}

/**
 * The turn that flags and a conversation on stdin describe. Undefined where nobody said anything; a program that reads JSON is
 * refused instead.
 */
export async function agentRequest(
  flags: TurnFlags & { readonly json?: boolean },
  timeoutMs?: number,
): Promise<Record<string, unknown> | undefined> {
  const messages = process.stdin.isTTY ? [] : readMessages(await readStdin(timeoutMs));
  if (messages.length === 0 && (flags.message ?? flags.task ?? flags.systemFile) === undefined) {
    if (flags.json) throw nothingToSay();
    return undefined;
  }
  const current = flags.message ?? contentOf(messages.pop());
  return {
    agentType: flags.agent,
    contextMessages: messages,
    currentMessage: current,
    teamTask: flags.task ?? null,
    ...(flags.systemFile === undefined ? {} : { systemInstruction: await readTextFile(flags.systemFile) }),
    ...(flags.maxBytes === undefined ? {} : { maxBytes: wholeNumber(flags.maxBytes, '--max-bytes', 0) }),
    ...(flags.maxTokens === undefined ? {} : { maxTokens: wholeNumber(flags.maxTokens, '--max-tokens', 0) }),
    ...(flags.meter === undefined ? {} : { meter: flags.meter }),
    ...(flags.trim === undefined ? {} : { trim: flags.trim }),
    ...(flags.withCode === undefined ? {} : { withCode: wholeNumber(flags.withCode, '--with-code', 200) }),
  };
}

/** A JSON array, or one JSON value per line. */
function readMessages(input: string): unknown[] {
  const text = input.trim();
  if (text === '') return [];
  if (text.startsWith('[')) {
    const parsed = parseJson(text, 'Standard input');
    return Array.isArray(parsed) ? parsed : [parsed];
  }
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [parseJson(line, `Line ${index + 1} of standard input`)],
    );
}

function nothingToSay(): GalleyError {
  return new GalleyError(
    'INVALID_ARGUMENT',
    'There is no message; give one with --message, or a conversation on standard input.',
  );
}

function contentOf(message: unknown): unknown {
  if (message === undefined) return '';
  if (typeof message === 'object' && message !== null && 'content' in message) return message.content;
  throw new GalleyError('INVALID_ARGUMENT', 'The last message on standard input has no "content".');
}
