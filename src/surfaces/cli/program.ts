// The command tree, made from the table: all of it for help, completions and the reference; only the named command when one is
// run.
import { Argument, Command, type HelpConfiguration, InvalidArgumentError, Option } from 'commander';
import { galleyVersion } from '../../core/model/version.js';
import { actions } from './actions.js';
import type { CommandRow, FlagRow } from './commands/command-row.js';
import {
  type CommandName,
  type CommandPath,
  commandNames,
  commandPaths,
  commands,
  isCommandName,
} from './commands/commands.js';
import { helpWidth } from './prebuilt-help.js';
import { didYouMean } from './shell/read-input.js';
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
  addExamples(program, [
    'galley',
    'galley review --staged',
    'galley doctor',
    'galley --lang zh review --help',
  ]);
  const wanted = new Set<string>(names);
  const made = new Map<string, Command>([['', program]]);
  for (const path of commandPaths) {
    const words = path.split(' ');
    if (!wanted.has(words[0] ?? '')) continue;
    const parent = made.get(words.slice(0, -1).join(' ')) ?? program;
    made.set(path, declare(parent.command(words.at(-1) ?? path), path));
  }
  return program;
}

function declare(command: Command, path: CommandPath): Command {
  const row: CommandRow = commands[path];
  const { about, alias, takes = [], usage, flags, notes = [], examples } = row;
  command.description(word(about)).action(actions[path]);
  if (alias !== undefined) command.alias(alias);
  for (const argument of takes) command.addArgument(argumentOf(argument));
  if (usage !== undefined) command.usage(usage);
  for (const flag of flags) command.addOption(optionOf(flag));
  if (notes.length > 0) {
    const said = () => notes.map((key) => (key === '' ? '' : word(key))).join('\n');
    command.addHelpText('after', () => `\n${wrapped(said(), helpWidth())}`);
  }
  addExamples(command, examples);
  return command;
}

function argumentOf({ form, about, choices }: FlagRow): Argument {
  const argument = new Argument(form, about === undefined ? undefined : word(about));
  if (choices === undefined) return argument;
  return argument.choices(choices).argParser((value: string) => chosen(value, choices));
}

function optionOf({ form, about, choices, preset, isList, isNeeded }: FlagRow): Option {
  const option = new Option(form, about === undefined ? undefined : word(about));
  if (choices !== undefined) option.choices(choices).argParser((value: string) => chosen(value, choices));
  if (preset !== undefined) option.default(preset);
  if (isList) option.default([]).argParser((value: string, before: string[]) => [...before, value]);
  return isNeeded ? option.makeOptionMandatory() : option;
}

/** A wrong value is refused with the one that was probably meant. */
function chosen(value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value;
  throw new InvalidArgumentError(`Allowed are ${choices.join(', ')}${didYouMean(value, choices)}`);
}

function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', () =>
    ['', word('help.examples'), ...examples.map((line) => `  ${line}`)].join('\n'),
  );
}

const titles: Readonly<Record<string, () => string>> = {
  'Usage:': () => word('help.usage'),
  'Arguments:': () => word('help.arguments'),
  'Options:': () => word('help.options'),
  'Commands:': () => word('help.commands'),
};

/**
 * How help looks in either language: translated titles, columns that count Chinese characters as two places, lines that wrap.
 */
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

/** What the process's exit code says, for `galley --help`. */
export const exitCodes = [0, 1, 2, 3, 4, 5, 6, 7, 70, 124, 129, 130, 143] as const;

function exitCodeWords(): string {
  const lines = exitCodes.map((code) => `  ${String(code).padStart(3)}  ${word(`exit.${code}`)}\n`);
  return `${word('help.exits')}\n${lines.join('')}`;
}
