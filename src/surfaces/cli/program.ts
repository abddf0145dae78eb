// The command tree: all of it for help, completions and the reference; only the named command when one is run.
import { Command, Option } from 'commander';
import { galleyVersion } from '../../core/model/version.js';
import { type CommandName, commandNames, commands, isCommandName } from './commands.js';
import { addExamples } from './examples.js';
import { exitCodeWords } from './exit-codes.js';
import { helpLayout } from './help-layout.js';
import { helpWidth } from './help-width.js';
import { languages } from './words/language.js';
import { word } from './words/word.js';
import { wrapped } from './wrap.js';

export function wholeProgram(): Command {
  return programWith(commandNames);
}

/** With the one command when there is one of that name, with all of them otherwise; completions look at the whole tree. */
export function programFor(name: string | undefined): Command {
  return isCommandName(name) && name !== 'completion' ? programWith([name]) : wholeProgram();
}

function programWith(names: readonly CommandName[]): Command {
  const program = new Command('galley');
  program
    .description(word('about.galley'))
    .version(galleyVersion, '-v, --version', word('help.version'))
    // Read before anything else; here so that help and completions know it.
    .addOption(new Option('--lang <language>', word('help.lang')).choices(languages))
    .helpOption('-h, --help', word('help.help'))
    .helpCommand('help [command]', word('help.command'))
    .configureHelp(helpLayout)
    .enablePositionalOptions()
    .exitOverride()
    // What it says against a command line becomes a refusal like any other.
    .configureOutput({
      outputError: () => undefined,
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    });
  program.addHelpText('after', () =>
    wrapped(
      ['', word('help.alone'), '', exitCodeWords(), word('help.environment')].join('\n').trimEnd(),
      helpWidth(),
    ),
  );
  for (const name of names) commands[name](program.command(name).description(word(`${name}.about`)));
  addExamples(program);
  return program;
}
