// The command tree: all of it for help, completions and the reference; only the named command when one is run.
import { type Argument, Command, type HelpConfiguration, Option } from 'commander';
import { galleyVersion } from '../../core/model/version.js';
import { type CommandName, commandNames, commands, isCommandName } from './commands.js';
import { addExamples } from './examples.js';
import { helpWidth } from './prebuilt-help.js';
import { widthOf, wrapped } from './terminal/text-width.js';
import { languages } from './words/language.js';
import { word } from './words/word.js';

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

// How help looks in either language: translated titles, columns that count Chinese characters as two places, lines that wrap.
const titles: Readonly<Record<string, () => string>> = {
  'Usage:': () => word('help.usage'),
  'Arguments:': () => word('help.arguments'),
  'Options:': () => word('help.options'),
  'Commands:': () => word('help.commands'),
};

const helpLayout: HelpConfiguration = {
  styleTitle: (title) => titles[title]?.() ?? title,
  displayWidth: widthOf,
  // Narrow columns are still easier to read than lines a terminal breaks inside a word.
  minWidthToWrap: 14,
  boxWrap: wrapped,
  optionDescription,
  // Which flags there are is for its own help to say.
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentPlace)].join(' '),
  argumentDescription: (argument) => withNotes(argument.description, choiceNotes(argument.argChoices)),
};

function argumentPlace(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionDescription(option: Option): string {
  const { defaultValue } = option;
  const notes = choiceNotes(option.argChoices);
  if (typeof defaultValue === 'string') notes.push(word('help.default', { value: defaultValue }));
  return withNotes(option.description, notes);
}

function choiceNotes(choices: readonly string[] | undefined): string[] {
  return choices === undefined ? [] : [word('help.choices', { list: choices.join(', ') })];
}

function withNotes(description: string, notes: readonly string[]): string {
  return notes.length === 0
    ? description
    : word('help.notes', { about: description, notes: notes.join(word('help.between')) });
}

// What the process's exit code says, for `galley --help`.
export const exitCodes = [0, 1, 2, 3, 4, 5, 6, 7, 70, 124, 129, 130, 143] as const;

function exitCodeWords(): string {
  const lines = exitCodes.map((code) => `  ${String(code).padStart(3)}  ${word(`exit.${code}`)}\n`);
  return `${word('help.exits')}\n${lines.join('')}`;
}
