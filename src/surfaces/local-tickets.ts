// Tickets as a program of the user's tells them, for doors on the user's own machine. The program is named by the environment alone: a
// repository that could name one would run it.
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { GalleyError } from '../core/model/error.js';
import type { TicketSource } from '../review/change/open-review.js';

const usualPattern = /\b[A-Z][A-Z\d]{1,9}-\d{1,7}\b/;
const maxBytes = 64 * 1024;
const patienceMs = 20_000;

/** Looked for when a review first needs it; undefined where nobody named a program. */
export function localTickets(
  environment: NodeJS.ProcessEnv = process.env,
): () => Promise<TicketSource | undefined> {
  return async () => {
    const [program, ...args] = wordsIn(environment.GALLEY_TICKET_COMMAND ?? '');
    if (program === undefined) return undefined;
    const { findOnPath } = await import('../models/cli/find-agent-cli.js');
    const command = isAbsolute(program) ? program : await findOnPath(program, environment);
    if (command === undefined)
      throw invalid('GALLEY_TICKET_COMMAND', 'must begin with a name on the PATH or an absolute path');
    return {
      pattern: patternIn(environment.GALLEY_TICKET_PATTERN ?? ''),
      read: (id, signal = new AbortController().signal) =>
        readTicket({ command, args: [...args, id], environment, signal }),
    };
  };
}

/** Words with blanks between them, or a JSON list of words that may hold blanks. */
function wordsIn(command: string): string[] {
  const text = command.trim();
  if (!text.startsWith('[')) return text.split(/\s+/).filter((word) => word !== '');
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((word) => typeof word === 'string' && word !== '')) return list;
  } catch {
    // Said below.
  }
  throw invalid('GALLEY_TICKET_COMMAND', 'is not a JSON list of words');
}

function patternIn(text: string): RegExp {
  if (text === '') return usualPattern;
  try {
    return new RegExp(text, 'u');
  } catch {
    throw invalid('GALLEY_TICKET_PATTERN', 'is not a regular expression');
  }
}

interface TicketCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Not in the folder of the review, where a name could mean a file of the change. */
async function readTicket(call: TicketCall): Promise<string | undefined> {
  const { runProcess } = await import('../models/cli/run-process.js');
  const lines: string[] = [];
  let bytes = 0;
  const end = await runProcess({
    ...{ command: call.command, args: call.args, signal: call.signal },
    environment: Object.fromEntries(
      Object.entries(call.environment).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
    folder: tmpdir(),
    input: '',
    timeouts: { firstByteMs: patienceMs, totalMs: patienceMs },
    maxLine: maxBytes,
    graceMs: 1000,
    onLine(line) {
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > maxBytes) return 'too-large';
      lines.push(line);
      return 'begun';
    },
  });
  const isWhole = end.kind === 'ended' && (end.exit === 0 || end.stopped === 'too-large');
  return isWhole ? lines.join('\n') : undefined;
}

function invalid(variable: string, says: string): GalleyError {
  return new GalleyError('CONFIG_INVALID', `${variable} ${says}.`, { details: { field: variable } });
}
