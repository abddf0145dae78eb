// A flag with a fixed set of values; a wrong one is refused with the one that was probably meant.
import { InvalidArgumentError, Option } from 'commander';
import { didYouMean } from './shell/did-you-mean.js';

export interface Choice {
  readonly about: string;
  readonly choices: readonly string[];
  readonly preset?: string;
}

export function choiceOption(flags: string, { about, choices, preset }: Choice): Option {
  const option = new Option(flags, about)
    .choices(choices)
    .argParser((value: string) => chosen(value, choices));
  return preset === undefined ? option : option.default(preset);
}

export function chosen(value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value;
  throw new InvalidArgumentError(`Allowed are ${choices.join(', ')}${didYouMean(value, choices)}`);
}
