// The store on the command line: looked at, compared, brought up to date, moved to another engine.
import { type CommandRow, flag, jsonFlag, storeFlag } from './command-row.js';

const project = flag('--project <id>', 'store.project');
const checking = [storeFlag, flag('--against <store>', 'store.check.against'), project, jsonFlag];

export const storeCommands = {
  store: {
    about: 'store.about',
    flags: checking,
    examples: ['galley store', 'galley store copy --to postgres://galley@db.example/galley'],
  },
  'store check': {
    about: 'store.check.about',
    flags: checking,
    notes: ['store.password'],
    examples: ['galley store check', 'galley store check --against backup.db --project novel'],
  },
  'store copy': {
    about: 'store.copy.about',
    flags: [
      flag('--from <store>', 'store.copy.from'),
      flag('--to <store>', 'store.copy.to', { isNeeded: true }),
      project,
      jsonFlag,
    ],
    notes: ['store.copy.how', 'store.password'],
    examples: [
      'galley store copy --to postgres://galley@db.example/galley',
      'galley store copy --from postgres://galley@db.example/galley --to novel.db --project novel',
    ],
  },
  'store migrate': {
    about: 'store.migrate.about',
    flags: [storeFlag, jsonFlag],
    examples: ['galley store migrate', 'galley store migrate --json'],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
