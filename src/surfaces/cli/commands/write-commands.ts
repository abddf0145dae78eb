// The commands of a writing project, as rows of the command table.
import { bookCommands } from './book-commands.js';
import { type CommandRow, dryRunFlag, flag, jsonFlag, storeFlag } from './command-row.js';
import { runCommands } from './run-commands.js';
import { toldCommands } from './told-commands.js';
import { project } from './write-flags.js';

export const writeCommands = {
  write: {
    about: 'write.about',
    flags: [jsonFlag],
    examples: ['galley write', 'galley write init', 'galley write assemble 3 --explain'],
  },
  'write init': {
    about: 'write.init.about',
    flags: [...project, dryRunFlag],
    examples: ['galley write init --dry-run', 'galley write init'],
  },
  'write status': {
    about: 'write.status.about',
    flags: [...project, flag('--all', 'write.status.all')],
    examples: ['galley write status', 'galley write status --all'],
  },
  'write open': {
    about: 'write.open.about',
    flags: [flag('--port <n>', 'open.port'), flag('--no-browser', 'open.no-browser'), storeFlag],
    notes: ['open.notes'],
    examples: ['galley write open', 'galley write open --no-browser'],
  },
  'write index': { about: 'write.index.about', flags: project, examples: ['galley write index'] },
  ...toldCommands,
  ...runCommands,
  ...bookCommands,
} as const satisfies Readonly<Record<string, CommandRow>>;
