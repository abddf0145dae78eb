// A refusal as the caller wants it: JSON on stdout for programs; for people one line on stderr and the next step in their
// language; the exit code of the table.
import { errorTable, GalleyError, toGalleyError } from '../../core/model/error.js';
import type { CommandRow, FlagRow } from './commands/command-row.js';
import { commandPaths, commands } from './commands/commands.js';
import { outputExit } from './output-failure.js';
import { cancelledExit } from './shell/cancellation.js';
import { refusalWords, word } from './words/word.js';

export interface Asker {
  readonly json: boolean;
  /** The command that was asked for, if there is one of that name. */
  readonly command?: string | undefined;
}

export function reportError(error: unknown, { json, command }: Asker): void {
  const refusal = goneFolder(error) ?? toGalleyError(error);
  const { code, message } = refusal;
  // Cancelled because nobody can read the answer: that has been said already.
  if (code === 'CANCELLED' && outputExit() !== undefined) {
    process.exitCode = outputExit();
    return;
  }
  if (json) process.stdout.write(`${JSON.stringify({ error: refusal })}\n`);
  else {
    // A file's fields are called there what they are called here, not as flags.
    const said = code === 'CONFIG_INVALID' ? message : inFlags(message, command);
    process.stderr.write(
      `galley: ${refusalWords(said)} (${code})\n  ${word('next.label')}${nextStep(refusal, command)}\n`,
    );
  }
  process.exitCode = code === 'CANCELLED' ? cancelledExit() : errorTable[code].exit;
}

/** The one failure that no command can foresee: somebody deleted the folder the shell stands in. */
function goneFolder(error: unknown): GalleyError | undefined {
  const own = [error, Object(error).cause].some((each) => Object(each).syscall === 'uv_cwd');
  const message = 'The folder you are in no longer exists; go to another one.';
  return own ? new GalleyError('FILE_UNREADABLE', message, { cause: error }) : undefined;
}

/** A hint names no flag that the command lacks. */
function nextStep({ code, details, message }: GalleyError, command: string | undefined): string {
  const help = command === undefined ? 'galley --help' : `galley ${command} --help`;
  if (code === 'INVALID_ARGUMENT') return word('next.INVALID_ARGUMENT', { help });
  if (code === 'NOT_A_REPOSITORY' && nameOf(command) === 'agent') return word('agent.no-repository');
  if (code === 'NOT_A_REPOSITORY' && /^(?:race|take)$/.test(command ?? '')) return word('race.no-repository');
  if (details?.kind === 'EADDRINUSE') return word('next.port', { command: `galley ${command ?? 'open'}` });
  // Of addresses, ports, tokens and folders no configuration file knows anything; what is wrong in one names it.
  if (code === 'CONFIG_INVALID' && !message.includes('galley.config')) return word('next.setting');
  return word(`next.${code}`);
}

const nameOf = (command: string | undefined) => command?.split(' ')[0];

/** Requests name fields and operations, people type flags and commands: refusals of these commands speak of what was typed. */
const speaking: ReadonlySet<string | undefined> = new Set([
  'review',
  'report',
  'agent',
  'race',
  'take',
  'write',
]);
const operationId = /\b[a-z]+(?::[a-z]+)+\b/g;
const camelCase = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;

function inFlags(message: string, command: string | undefined): string {
  if (!speaking.has(nameOf(command))) {
    return message.replace(/^[A-Za-z]+(?=: )/, (field) => typedFlag(field, command) ?? field);
  }
  const flags = flagsByField();
  const flagOf = (field: string) => flags.get(field) ?? field;
  return message
    .replace(/^([A-Za-z]+)(?=: )/, flagOf)
    .replaceAll(operationId, commandFor)
    .replaceAll(camelCase, flagOf);
}

/** The flag of the command that has the name of the field. */
function typedFlag(field: string, command: string | undefined): string | undefined {
  const row = Object.entries(commands).find(([path]) => path === command)?.[1] as CommandRow | undefined;
  const flag = `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return row?.flags?.some(({ form }) => form.split(' ')[0] === flag) ? flag : undefined;
}

/** The command that prints what the operation answers. */
function commandFor(operation: string): string {
  const path = commandPaths.find((each) => (commands[each] as CommandRow).operation === operation);
  return path === undefined ? operation : `galley ${path}`;
}

function flagsByField(): Map<string, string> {
  const rows: readonly FlagRow[] = [
    ...commands.review.flags,
    ...commands.agent.flags,
    ...commands['write draft apply'].flags,
  ];
  return new Map(
    rows.flatMap(({ field, form }) => (field === undefined ? [] : [[field, form.split(' ')[0] ?? form]])),
  );
}
