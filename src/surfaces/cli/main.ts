// The command line. Only the named command is loaded, so that everything starts quickly.
import { galleyVersion } from '../../core/model/version.js';
import { reportError } from './report-error.js';
import { askedLanguage } from './words/language.js';
import { speak } from './words/word.js';

// A reader that has seen enough (`galley … | head`) is no failure; commands with work to end listen for it themselves.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// Whoever read what is said to people has gone; that ends no server.
process.stderr.on('error', () => undefined);

const argv = process.argv.slice(2);
try {
  const { language, args } = askedLanguage(argv, process.env);
  await speak(language);
  await run(args);
} catch (error) {
  const { commandIn } = await import('./run-program.js');
  const command = commandIn(argv);
  reportError(error, { json: command === 'call' || argv.includes('--json'), command });
}

async function run(args: readonly string[]): Promise<void> {
  const [first] = args;
  if (args.length === 1 && (first === '--version' || first === '-v')) {
    process.stdout.write(`${galleyVersion}\n`);
    return;
  }
  const { runAlone, runProgram } = await import('./run-program.js');
  await (first === undefined ? runAlone() : runProgram(args));
}
