// The command line. Only the named command is loaded, so that everything starts quickly.
import { galleyVersion } from '../../core/model/version.js';
import { watchOutput } from './output-failure.js';
import { prebuiltHelp } from './prebuilt-help.js';
import { askedLanguage, type SpokenLanguage } from './words/language.js';

watchOutput();

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
function readyPage(args: readonly string[], language: SpokenLanguage): string | undefined {
  const [only] = args.length === 1 ? args : [];
  if (only === '--version' || only === '-v') return `${galleyVersion}\n`;
  return only === '--help' || only === '-h' ? prebuiltHelp(language) : undefined;
}
