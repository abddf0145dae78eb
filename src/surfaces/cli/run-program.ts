// Runs a command line. What commander says against it becomes a refusal like any other.
import { type Command, CommanderError } from 'commander';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { commandNames, commandPaths, isCommandName } from './commands/commands.js';
import { programFor } from './program.js';
import { didYouMean } from './shell/read-input.js';
import type { SpokenLanguage } from './words/language.js';
import { speak } from './words/word.js';

export async function runCommandLine(args: readonly string[], language: SpokenLanguage): Promise<void> {
  await speak(language);
  await (args.length === 0 ? runAlone() : runProgram(args));
}

async function runProgram(typed: readonly string[]): Promise<void> {
  const args = spelledOut(typed);
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

const range = /^[\w@][\w@^~{}/.-]*?\.{2,3}[\w@^~{}/.-]*$/;

/** `help agent run` asks for what `agent run --help` does; a range of commits alone is looked at like the current change. */
function spelledOut(typed: readonly string[]): readonly string[] {
  const [first = '', ...words] = typed;
  if (!isCommandName(first) && range.test(first)) return ['review', ...typed];
  return first === 'help' && isCommandName(words[0]) ? [...words, '--help'] : typed;
}

/** The command line before `--`, and behind it the paths of a change or another command. */
function pathsApart(args: readonly string[]): {
  before: readonly string[];
  paths?: readonly string[];
} {
  const at = args.indexOf('--');
  if (at < 0 || !['review', 'report', 'watch'].includes(args[0] ?? '')) return { before: args };
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

/** The command that was asked for, if there is one of that name: `write people add`. */
export function commandIn(args: readonly string[]): string | undefined {
  const at = args.findIndex(isCommandName);
  let path = args[at];
  for (const word of args.slice(at + 1).filter((each) => !each.startsWith('-'))) {
    const next = commandPaths.find((each) => each === `${path} ${word}`);
    if (next === undefined) break;
    path = next;
  }
  return path;
}

/** Help is asked for by commands that are there; of one that is not, the command above would show its own. */
function refuseUnknown(args: readonly string[]): void {
  const asked = (word: string) => word === '--help' || word === '-h';
  const isHelp = args[0] === 'help';
  if (!isHelp && !args.some(asked)) return;
  const words = isHelp ? args.slice(1) : args.filter((word) => !asked(word));
  const { command, given } = namedBy(words);
  if (given === undefined || command.registeredArguments.length > 0) return;
  throw command.commands.length > 0 ? unknownCommand(command, given) : strayWord(command, given);
}

interface Named {
  readonly command: Command;
  /** The first word behind it that names no command. */
  readonly given?: string | undefined;
}

/** The last command that the words name. */
function namedBy(words: readonly string[]): Named {
  let command = programFor(words[0]);
  for (let rest = [...words]; ; ) {
    let parsed: ReturnType<typeof command.parseOptions>;
    try {
      parsed = command.parseOptions(rest);
    } catch {
      // An option with a wrong value: help says what is right.
      return { command };
    }
    const [given = '', ...others] = parsed.operands;
    const next = command.commands.find((each) => [each.name(), ...each.aliases()].includes(given));
    if (next === undefined) return { command, given: parsed.operands[0] };
    rest = [...others, ...parsed.unknown];
    command = next;
  }
}

function unknownCommand(command: Command, given: string): GalleyError {
  const names = command.parent === null ? commandNames : command.commands.map((each) => each.name());
  const known = `Unknown command '${pathOf(command)} ${given}'; there is ${names.join(', ')}`;
  return new GalleyError('INVALID_ARGUMENT', `${known}${didYouMean(given, names)}`);
}

function strayWord(command: Command, given: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `'${pathOf(command)}' takes no word '${given}'.`);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** A word too many is a misspelt command where there are commands, and a revision or a file after review. */
function excessOf({ code }: CommanderError, args: readonly string[]): GalleyError | undefined {
  const [name] = args;
  if (code !== 'commander.excessArguments' || !isCommandName(name)) return undefined;
  if (name === 'review')
    return new GalleyError(
      'INVALID_ARGUMENT',
      'review takes one range; name other changes with --base <branch>, --commit <revision>, --staged or --working, and files after --.',
    );
  const { command, given } = namedBy(args);
  if (command.commands.length === 0 || given === undefined || /^\d/.test(given)) return undefined;
  return unknownCommand(command, given);
}

function refusalOf({ message }: CommanderError): GalleyError {
  const words = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return new GalleyError('INVALID_ARGUMENT', `${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}
