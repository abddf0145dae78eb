// Jobs on the command line: what runs later and survives whoever runs it, and the process that runs it.
import { type CommandRow, flag, jsonFlag, reportFormatChoices, storeFlag } from './command-row.js';

const common = [flag('--project <id>', 'jobs.project', { field: 'projectId' }), storeFlag, jsonFlag];
const job = flag('<job>', 'jobs.job');
const isList = true;
const statuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export const jobCommands = {
  worker: {
    about: 'worker.about',
    flags: [
      flag('--at-once <n>', 'worker.at-once', { preset: '4' }),
      flag('--root <folder>', 'serve.root', { isList }),
      flag('--lease <seconds>', 'worker.lease', { preset: '20' }),
      flag('--until-idle', 'worker.until-idle'),
      storeFlag,
    ],
    notes: ['worker.ends', 'worker.place'],
    examples: ['galley worker', 'galley worker --at-once 8 --store postgres://galley@db/galley'],
  },
  jobs: {
    about: 'jobs.about',
    flags: [flag('--status <status>', 'jobs.status', { choices: statuses, field: 'status' }), ...common],
    examples: ['galley jobs', 'galley jobs --status failed'],
    operation: 'jobs:list',
  },
  'jobs list': {
    about: 'jobs.about',
    flags: [flag('--status <status>', 'jobs.status', { choices: statuses, field: 'status' }), ...common],
    examples: ['galley jobs list --status failed'],
    operation: 'jobs:list',
  },
  'jobs start': {
    about: 'jobs.start.about',
    takes: [flag('<operation>', 'jobs.start.operation', { field: 'operation' })],
    flags: [
      flag('--input <json|file>', 'jobs.start.input', { field: 'request' }),
      flag('--key <words>', 'jobs.start.key', { field: 'key' }),
      flag('--lane <name>', 'jobs.start.lane', { field: 'lane' }),
      flag('--priority <n>', 'jobs.start.priority', { field: 'priority' }),
      flag('--max-attempts <n>', 'jobs.start.max-attempts', { field: 'maxAttempts' }),
      flag('--max-cost <dollars>', 'jobs.start.max-cost', { field: 'maxCost' }),
      ...common,
    ],
    notes: ['jobs.start.place'],
    examples: [
      'galley jobs start book:check --input \'{"model":"cli/claude"}\'',
      'galley jobs start review:run --input request.json --key pull-42 --max-cost 2',
    ],
    operation: 'jobs:start',
  },
  'jobs show': {
    about: 'jobs.show.about',
    takes: [job],
    flags: [flag('--format <name>', 'jobs.show.format', { choices: reportFormatChoices }), ...common],
    examples: ['galley jobs show 0b1d', 'galley jobs show 0b1d --format sarif'],
    operation: 'jobs:get',
  },
  'jobs follow': {
    about: 'jobs.follow.about',
    takes: [job],
    flags: common,
    notes: ['jobs.follow.exit'],
    examples: ['galley jobs follow 0b1d'],
    operation: 'jobs:follow',
  },
  'jobs cancel': {
    about: 'jobs.cancel.about',
    takes: [job],
    flags: common,
    examples: ['galley jobs cancel 0b1d'],
    operation: 'jobs:cancel',
  },
  'jobs repeat': {
    about: 'jobs.repeat.about',
    takes: [job],
    flags: [flag('--fresh', 'jobs.repeat.fresh', { field: 'fresh' }), ...common],
    examples: ['galley jobs repeat 0b1d', 'galley jobs repeat 0b1d --fresh'],
    operation: 'jobs:repeat',
  },
} as const satisfies Record<string, CommandRow>;
