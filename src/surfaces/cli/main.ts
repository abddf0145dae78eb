// The command line. Commands are loaded when they are named, so that --help starts quickly.
import { Command, CommanderError } from 'commander';
import { registerAgent } from './register-agent.js';
import { registerCall } from './register-call.js';
import { registerReview } from './register-review.js';
import { reportError } from './report-error.js';

const program = new Command('galley');

program
  .description(
    'Sets the text that goes to a language model, and says what went in, what stayed out, and why.',
  )
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });

registerCall(program);
registerReview(program);
registerAgent(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else reportError(error, { json: process.argv[2] === 'call' || process.argv.includes('--json') });
}
