// The command line. Commands are loaded when they are named, so that --help starts quickly.
import { Command, CommanderError } from 'commander';
import { galleyVersion } from '../../core/model/version.js';
import { registerAgent } from './register-agent.js';
import { registerCall } from './register-call.js';
import { registerMcp } from './register-mcp.js';
import { registerReport } from './register-report.js';
import { registerReview } from './register-review.js';
import { registerServe } from './register-serve.js';
import { registerWrite } from './register-write.js';
import { reportError } from './report-error.js';

// A reader that has seen enough (`galley … | head`) is no failure; commands with work to end listen for it themselves.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const program = new Command('galley');

program
  .description(
    'Sets the text that goes to a language model, and says what went in, what stayed out, and why.',
  )
  .version(galleyVersion, '-v, --version')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });

registerCall(program);
registerReview(program);
registerReport(program);
registerAgent(program);
registerWrite(program);
registerMcp(program);
registerServe(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else reportError(error, { json: process.argv[2] === 'call' || process.argv.includes('--json') });
}
