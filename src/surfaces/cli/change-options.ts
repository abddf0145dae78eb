// What names a change on a command line, the same wherever a change is meant.
import type { Command } from 'commander';
import { GalleyError } from '../../core/model/error.js';
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

/** The command line before `--`, and the paths behind it for commands that take a change. */
export function pathsApart(args: readonly string[]): {
  before: readonly string[];
  paths?: readonly string[];
} {
  const at = args.indexOf('--');
  if (at < 0 || !['review', 'report'].includes(args[0] ?? '')) return { before: args };
  return { before: args.slice(0, at), ...(at + 1 < args.length ? { paths: args.slice(at + 1) } : {}) };
}

/** `base..head`, with two dots or three: a review starts where head left base. */
export function revisionsOf(
  range: string,
  flags: Readonly<Record<string, unknown>>,
): { base?: string; head?: string } {
  const [, base = '', head = ''] = /^(.*?)\.{2,3}(.*)$/.exec(range) ?? [];
  if (base === '' && head === '')
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'review takes a range, base..head; name one revision with --base <branch> or --commit <revision>, and files after --.',
    );
  const other = ['base', 'head', 'commit', 'staged', 'working'].find((flag) => flags[flag] !== undefined);
  if (other !== undefined)
    throw new GalleyError('INVALID_ARGUMENT', `A range and --${other} exclude each other; keep one.`);
  return { ...(base === '' ? {} : { base }), ...(head === '' ? {} : { head }) };
}
