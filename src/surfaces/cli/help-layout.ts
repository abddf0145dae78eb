// How help looks in either language: translated titles, columns that count Chinese characters as two places, lines that wrap.
import type { Argument, HelpConfiguration, Option } from 'commander';
import { widthOf } from './text-width.js';
import { word } from './words/word.js';
import { wrapped } from './wrap.js';

const titles: Readonly<Record<string, () => string>> = {
  'Usage:': () => word('help.usage'),
  'Arguments:': () => word('help.arguments'),
  'Options:': () => word('help.options'),
  'Commands:': () => word('help.commands'),
};

export const helpLayout: HelpConfiguration = {
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
