// A refusal as the caller wants it: JSON on stdout for programs; for people one line on stderr and the next step in their
// language; the exit code of the table.
import { toGalleyError } from '../../core/model/error.js';
import { errorTable } from '../../core/model/error-table.js';
import { outputExit } from './output-failure.js';
import { cancelledExit } from './shell/cancellation.js';
import { word } from './words/word.js';

export interface Asker {
  readonly json: boolean;
  /** The command that was asked for, if there is one of that name. */
  readonly command?: string | undefined;
}

export function reportError(error: unknown, { json, command }: Asker): void {
  const refusal = toGalleyError(error);
  const { code, message } = refusal;
  // Cancelled because nobody can read the answer: that has been said already.
  if (code === 'CANCELLED' && outputExit() !== undefined) {
    process.exitCode = outputExit();
    return;
  }
  if (json) process.stdout.write(`${JSON.stringify({ error: refusal })}\n`);
  else {
    const help = command === undefined ? 'galley --help' : `galley ${command} --help`;
    const next = code === 'INVALID_ARGUMENT' ? word('next.INVALID_ARGUMENT', { help }) : word(`next.${code}`);
    // A file's fields are called there what they are called here, not as flags.
    const said = code === 'CONFIG_INVALID' ? message : inFlags(message, command);
    process.stderr.write(`galley: ${said} (${code})\n  ${word('next.label')}${next}\n`);
  }
  process.exitCode = code === 'CANCELLED' ? cancelledExit() : errorTable[code].exit;
}

// Requests name fields, people type flags: refusals of these commands speak of what was typed.
const flags: Readonly<Record<string, string>> = {
  agentType: '--agent',
  currentMessage: '--message',
  teamTask: '--task',
  systemInstruction: '--system-file',
  maxBytes: '--max-bytes',
  base: '--base',
  head: '--head',
  commit: '--commit',
  skill: '--skill',
  linter: '--linter',
  maxChunkTokens: '--max-chunk',
  maxPromptTokens: '--budget',
  maxRuleTokens: '--max-rules',
  maxPages: '--max-pages',
  maxOutputTokens: '--max-output',
  timeoutMs: '--timeout',
  firstByteTimeoutMs: '--first-byte-timeout',
  concurrency: '--concurrency',
  language: '--language',
  format: '--format',
  most: '--most',
  maxCost: '--max-cost',
};
const speaking: ReadonlySet<string> = new Set(['review', 'report', 'agent']);
const camelCase = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;

export function inFlags(message: string, command: string | undefined): string {
  if (command === undefined || !speaking.has(command)) return message;
  return message
    .replace(/^([A-Za-z]+)(?=: )/, (field) => flags[field] ?? field)
    .replaceAll(camelCase, (field) => flags[field] ?? field);
}
