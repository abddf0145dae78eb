// Runs a command line. What commander says against it becomes a refusal like any other.
import { CommanderError } from 'commander';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { isCommandName } from './commands.js';
import { meantEnding } from './meant-ending.js';
import { programFor } from './program.js';
import type { Language } from './words/language.js';
import { speak } from './words/word.js';

export async function runCommandLine(args: readonly string[], language: Language): Promise<void> {
  await speak(language);
  await (args.length === 0 ? runAlone() : runProgram(args));
}

async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await programFor(args[0]).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    // A command that needs a word of its own has shown its help.
    if (error.code !== 'commander.help') throw excessOf(error, args) ?? refusalOf(error);
    process.exitCode = 2;
  }
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

/** A word too many is a misspelt command where there are commands, and a revision after review. */
function excessOf({ code }: CommanderError, args: readonly string[]): GalleyError | undefined {
  const [name, ...rest] = args;
  if (code !== 'commander.excessArguments' || !isCommandName(name)) return undefined;
  if (name === 'review')
    return new GalleyError(
      'INVALID_ARGUMENT',
      'review takes no argument; name the change with --base <branch>, --commit <revision>, --staged or --working.',
    );
  const command = programFor(name).commands.find((each) => each.name() === name);
  const names = command?.commands.map((each) => each.name()) ?? [];
  const given = rest.find((word) => !word.startsWith('-'));
  if (names.length === 0 || given === undefined) return undefined;
  const known = `Unknown command 'galley ${name} ${given}'; there is ${names.join(', ')}`;
  return new GalleyError('INVALID_ARGUMENT', `${known}${meantEnding(given, names)}`);
}

function refusalOf({ message }: CommanderError): GalleyError {
  const words = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return new GalleyError('INVALID_ARGUMENT', `${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}
