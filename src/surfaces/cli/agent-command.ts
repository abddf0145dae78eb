// galley agent: a conversation on stdin becomes one turn on stdout.
import type { AssembledTurn } from '../../agents/assemble-turn.js';
import { GalleyError } from '../../core/model/error.js';
import { explainReceipt } from './explain-receipt.js';
import { parseJson, readStdin, readTextFile } from './read-input.js';
import { runOperation } from './run-operation.js';

export interface AgentOptions {
  readonly agent: string;
  readonly task?: string;
  readonly message?: string;
  readonly systemFile?: string;
  readonly maxBytes?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function agentCommand(options: AgentOptions): Promise<void> {
  const messages = process.stdin.isTTY ? [] : readMessages(await readStdin());
  const current = options.message ?? contentOf(messages.pop());
  const request = {
    agentType: options.agent,
    contextMessages: messages,
    currentMessage: current,
    teamTask: options.task ?? null,
    ...(options.systemFile === undefined
      ? {}
      : { systemInstruction: await readTextFile(options.systemFile) }),
    ...(options.maxBytes === undefined ? {} : { maxBytes: wholeNumber(options.maxBytes, '--max-bytes') }),
  };
  const turn = (await runOperation('agents:assemble', request)) as AssembledTurn;
  if (options.explain) process.stderr.write(explainReceipt(turn.receipt));
  if (options.json) process.stdout.write(`${JSON.stringify(turn)}\n`);
  else {
    process.stdout.write(`${turn.prompt}\n`);
    if (turn.systemFlag !== undefined) {
      process.stderr.write('galley: the system text travels apart for this agent; --json prints both.\n');
    }
  }
}

/** A JSON array, or one JSON value per line. */
function readMessages(input: string): unknown[] {
  const text = input.trim();
  if (text === '') return [];
  if (text.startsWith('[')) {
    const parsed = parseJson(text, 'Standard input');
    return Array.isArray(parsed) ? parsed : [parsed];
  }
  return text.split('\n').map((line, index) => parseJson(line, `Line ${index + 1} of standard input`));
}

function contentOf(message: unknown): unknown {
  if (message === undefined) return '';
  if (typeof message === 'object' && message !== null && 'content' in message) return message.content;
  throw new GalleyError('INVALID_ARGUMENT', 'The last message on standard input has no "content".');
}

function wholeNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new GalleyError('INVALID_ARGUMENT', `${flag} must be a whole number, zero or more.`);
}
