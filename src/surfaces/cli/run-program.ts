// Runs a command line. What commander says against it becomes a refusal like any other.
import { type Command, CommanderError } from 'commander';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { commandNames, isCommandName } from './commands/commands.js';
import { programFor } from './program.js';
import { didYouMean } from './shell/read-input.js';
import type { SpokenLanguage } from './words/language.js';
import { speak } from './words/word.js';

export async function runCommandLine(args: readonly string[], language: SpokenLanguage): Promise<void> {
  await speak(language);
  await (args.length === 0 ? runAlone() : runProgram(args));
}

async function runProgram(args: readonly string[]): Promise<void> {
  const { before, paths } = pathsApart(args);
  refuseUnknown(before);
  try {
    const program = programFor(args[0]);
    if (paths !== undefined)
      program.commands.find((command) => command.name() === args[0])?.setOptionValue('paths', paths);
    await program.parseAsync([...before], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    // A command that needs a word of its own has shown its help.
    if (error.code !== 'commander.help') throw excessOf(error, args) ?? refusalOf(error);
    process.exitCode = 2;
  }
}

/** The command line before `--`, and the paths behind it for commands that take a change. */
function pathsApart(args: readonly string[]): {
  before: readonly string[];
  paths?: readonly string[];
} {
  const at = args.indexOf('--');
  if (at < 0 || !['review', 'report'].includes(args[0] ?? '')) return { before: args };
  return { before: args.slice(0, at), ...(at + 1 < args.length ? { paths: args.slice(at + 1) } : {}) };
}

/** The plan of the current change, or a first page where there is no repository. */
async function runAlone(): Promise<void> {
  try {
    await runProgram(['review']);
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'NOT_A_REPOSITORY') throw error;
    process.stdout.write((await import('./front-page.js')).frontPage());
  }
}

/** The command that was asked for, if there is one of that name. */
export function commandIn(args: readonly string[]): string | undefined {
  return args.find(isCommandName);
}

/** Help is asked for by commands that are there; of one that is not, the command above would show its own. */
function refuseUnknown(args: readonly string[]): void {
  const asked = (word: string) => word === '--help' || word === '-h';
  const isHelp = args[0] === 'help';
  if (!isHelp && !args.some(asked)) return;
  const words = isHelp ? args.slice(1) : args.filter((word) => !asked(word));
  let command = programFor(words[0]);
  for (let rest = [...words]; command.commands.length > 0; ) {
    let parsed: ReturnType<typeof command.parseOptions>;
    try {
      parsed = command.parseOptions(rest);
    } catch {
      // An option with a wrong value: help says what is right.
      return;
    }
    const [given] = parsed.operands;
    if (given === undefined) return;
    const next = command.commands.find((each) => each.name() === given);
    if (next === undefined) throw unknownCommand(command, given);
    rest = [...parsed.operands.slice(1), ...parsed.unknown];
    command = next;
  }
}

function unknownCommand(command: Command, given: string): GalleyError {
  const names = command.parent === null ? commandNames : command.commands.map((each) => each.name());
  const path = command.parent === null ? 'galley' : `galley ${command.name()}`;
  const known = `Unknown command '${path} ${given}'; there is ${names.join(', ')}`;
  return new GalleyError('INVALID_ARGUMENT', `${known}${didYouMean(given, names)}`);
}

/** A word too many is a misspelt command where there are commands, and a revision or a file after review. */
function excessOf({ code }: CommanderError, args: readonly string[]): GalleyError | undefined {
  const [name, ...rest] = args;
  if (code !== 'commander.excessArguments' || !isCommandName(name)) return undefined;
  if (name === 'review')
    return new GalleyError(
      'INVALID_ARGUMENT',
      'review takes one range; name other changes with --base <branch>, --commit <revision>, --staged or --working, and files after --.',
    );
  const command = programFor(name).commands.find((each) => each.name() === name);
  const given = rest.find((word) => !word.startsWith('-'));
  if (command === undefined || command.commands.length === 0 || given === undefined) return undefined;
  return unknownCommand(command, given);
}

function refusalOf({ message }: CommanderError): GalleyError {
  const words = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return new GalleyError('INVALID_ARGUMENT', `${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}
