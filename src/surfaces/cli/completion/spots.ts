// Where can one stand on the command line, and what may come next there? Read from the command tree, so no shell can disagree.
import type { Command, Option } from 'commander';
import { meterIds } from '../../../meters/load-meter.js';
import { operationIds } from '../../../operations/table.js';
import { builtInSources } from '../../../skills/built-in/built-in-skills.js';
import { languages } from '../words/language.js';

export interface Named {
  readonly name: string;
  readonly about: string;
}

export interface Flag {
  readonly long: string;
  readonly short: string | undefined;
  readonly about: string;
  readonly takesValue: boolean;
  /** What the value may be; empty when it is free, for example a file. */
  readonly values: readonly string[];
  /** The value is a branch or a tag of the repository one is in: asked for when it is needed. */
  readonly revision: boolean;
}

export interface Spot {
  /** The words that lead here, the program's name first. */
  readonly path: string;
  readonly commands: readonly Named[];
  readonly flags: readonly Flag[];
  /** For each argument the values it may take; empty for free ones. */
  readonly places: readonly (readonly string[])[];
}

/** Values the tree does not list because they live in other rooms: by flag or argument, as help writes it. */
const known: Readonly<Record<string, readonly string[]>> = {
  '--meter <id>': meterIds,
  '--skill <id>': Object.keys(builtInSources.zh),
  '--agent <type>': ['claude', 'codex', 'gemini'],
  operation: [...operationIds].sort(),
  skill: Object.keys(builtInSources.zh),
  command: [],
};

/** Git says nothing outside a repository, and neither do we. */
export const listRevisions =
  "git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null";

export function spotsOf(command: Command, before = ''): Spot[] {
  const path = `${before} ${command.name()}`.trim();
  const children = command.commands.map((child) => ({ name: child.name(), about: child.description() }));
  const spot: Spot = {
    path,
    commands: children,
    flags: flagsOf(command),
    places: command.registeredArguments.map((place) => place.argChoices ?? known[place.name()] ?? []),
  };
  return [spot, ...command.commands.flatMap((child) => spotsOf(child, path))];
}

function flagsOf(command: Command): Flag[] {
  const options = command.createHelp().visibleOptions(command);
  const own = options.map((option) => flagOf(option));
  // It may stand anywhere.
  const lang = {
    long: '--lang',
    short: undefined,
    about: '',
    takesValue: true,
    values: languages,
    revision: false,
  };
  return own.some(({ long }) => long === '--lang') ? own : [...own, lang];
}

function flagOf(option: Option): Flag {
  return {
    long: option.long ?? option.flags,
    short: option.short,
    about: option.description,
    takesValue: option.required,
    values: option.argChoices ?? known[option.flags] ?? [],
    revision: option.flags.endsWith('<revision>'),
  };
}
