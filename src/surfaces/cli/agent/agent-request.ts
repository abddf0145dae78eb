// The turn that flags and a conversation on stdin describe.
import { GalleyError } from '../../../core/model/error.js';
import { parseJson, readStdin, readTextFile, wholeNumber } from '../shell/read-input.js';

export interface TurnFlags {
  readonly agent: string;
  readonly task?: string;
  readonly message?: string;
  readonly systemFile?: string;
  readonly maxBytes?: string;
}

/** Undefined where nobody said anything; a program that reads JSON is refused instead. */
export async function agentRequest(
  flags: TurnFlags & { readonly json?: boolean },
): Promise<Record<string, unknown> | undefined> {
  const messages = process.stdin.isTTY ? [] : readMessages(await readStdin());
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
