// Tokens of a server on the command line: who may call, how far, how much in a month, and until when.
import { type CommandRow, flag, jsonFlag, storeFlag } from './command-row.js';

const common = [storeFlag, jsonFlag];
const token = flag('<token>', 'token.token');
const isList = true;
const terms = [
  flag('--note <words>', 'token.note', { field: 'note' }),
  flag('--project <id>', 'token.project', { isList, field: 'projects' }),
  flag('--grant <name>', 'token.grant', { isList, field: 'grants' }),
  flag('--folders', 'token.folders', { field: 'folders' }),
  flag('--expires <time>', 'token.expires'),
  flag('--limit-calls <n>', 'token.limit-calls', { field: 'limits.calls' }),
  flag('--limit-tokens <n>', 'token.limit-tokens', { field: 'limits.tokens' }),
  flag('--limit-dollars <n>', 'token.limit-dollars', { field: 'limits.dollars' }),
  flag('--weight <n>', 'token.weight', { field: 'weight' }),
];

export const tokenCommands = {
  token: {
    about: 'token.about',
    flags: common,
    examples: ['galley token', 'galley token create --note "laptop of Lin" --project novel --grant write'],
  },
  'token create': {
    about: 'token.create.about',
    flags: [...terms, ...common],
    examples: [
      'galley token create --note "laptop of Lin" --project novel --grant read --grant write --expires 30d',
      'galley token create --note prometheus --grant metrics',
      'galley token create --note ci --grant run --limit-dollars 20 --limit-calls 10000',
    ],
  },
  'token list': {
    about: 'token.list.about',
    flags: common,
    examples: ['galley token list', 'galley token list --json'],
  },
  'token show': {
    about: 'token.show.about',
    takes: [token],
    flags: common,
    examples: ['galley token show 3f9a'],
  },
  'token change': {
    about: 'token.change.about',
    takes: [token],
    flags: [...terms, ...common],
    notes: ['token.change.notes'],
    examples: ['galley token change 3f9a --limit-dollars 50', 'galley token change 3f9a --expires never'],
  },
  'token revoke': {
    about: 'token.revoke.about',
    takes: [token],
    flags: common,
    examples: ['galley token revoke 3f9a'],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
