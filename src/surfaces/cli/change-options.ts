// The flags that name a change, the same wherever a change is meant.
import type { Command } from 'commander';
import { word } from './words/word.js';

export function withChangeOptions(command: Command): Command {
  return command
    .option('--repo <folder>', word('flag.repo'), '.')
    .option('--base <revision>', word('flag.base'))
    .option('--head <revision>', word('flag.head'))
    .option('--commit <revision>', word('flag.commit'))
    .option('--staged', word('flag.staged'))
    .option('--working', word('flag.working'));
}
