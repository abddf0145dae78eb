// Runs a command line. What commander says against it becomes a refusal like any other.
import { CommanderError } from 'commander';
import { GalleyError } from '../../core/model/error.js';
import { programFor } from './program.js';

export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await programFor(args[0]).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    // A command that needs a word of its own has shown its help.
    if (error.code !== 'commander.help') throw refusalOf(error);
    process.exitCode = 2;
  }
}

function refusalOf({ message }: CommanderError): GalleyError {
  const words = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return new GalleyError('INVALID_ARGUMENT', `${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}
