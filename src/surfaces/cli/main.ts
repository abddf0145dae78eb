// The command line. Only the named command is loaded, so that everything starts quickly.
import { galleyVersion } from '../../core/model/version.js';
import { readyHelp } from './ready-help.js';
import { askedLanguage, type Language } from './words/language.js';

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
  const page = readyPage(args, language);
  if (page === undefined) await (await import('./run-program.js')).runCommandLine(args, language);
  else process.stdout.write(page);
} catch (error) {
  const [{ commandIn }, { reportError }] = await Promise.all([
    import('./run-program.js'),
    import('./report-error.js'),
  ]);
  const command = commandIn(argv);
  reportError(error, { json: command === 'call' || argv.includes('--json'), command });
}

/** What needs nothing but to be shown. */
function readyPage(args: readonly string[], language: Language): string | undefined {
  const [only] = args.length === 1 ? args : [];
  if (only === '--version' || only === '-v') return `${galleyVersion}\n`;
  return only === '--help' || only === '-h' ? readyHelp(language) : undefined;
}
