// Commands for pull requests where they live.
import {
  type CommandRow,
  dryRunFlag,
  failLevels,
  flag,
  jsonFlag,
  reportFormatChoices,
  severityChoices,
} from './command-row.js';

const pull = flag('[pull]', 'pr.pull');
const shared = [
  flag('--repo <folder>', 'flag.repo', { preset: '.' }),
  flag('--key <name>', 'pr.key', { field: 'key' }),
];

export const prCommands = {
  pr: {
    about: 'pr.about',
    flags: [...shared, jsonFlag],
    notes: ['pr.token'],
    examples: [
      'galley pr',
      'galley pr review 42 --model cli/claude',
      'galley pr review --post --fail-level high',
    ],
    operation: 'forge:status',
  },
  'pr review': {
    about: 'pr.review.about',
    takes: [pull],
    flags: [
      ...shared,
      flag('--model <name>', 'run.model'),
      flag('--plan-without-key', 'pr.plan-without-key'),
      flag('--post', 'pr.post'),
      flag('--everything', 'pr.everything'),
      flag('--fail-level <level>', 'report.fail-level', { choices: failLevels, field: 'failLevel' }),
      flag('--min-severity <level>', 'report.min-severity', { choices: severityChoices }),
      flag('--most <n>', 'report.most', { field: 'most' }),
      flag('--max-cost <dollars>', 'run.max-cost', { field: 'maxCost' }),
      flag('--max-pages <n>', 'review.max-pages', { field: 'maxPages' }),
      flag('--context <tokens|plan|none>', 'review.context'),
      flag('--follow-ups <n>', 'run.follow-ups', { field: 'followUps' }),
      flag('--follow-up-tokens <n>', 'run.follow-up-tokens', { field: 'followUpTokens' }),
      flag('--verify', 'run.verify'),
      flag('--no-verify', 'pr.no-verify'),
      flag('--verify-model <name>', 'run.verify-model', { field: 'verifyModel' }),
      flag('--skill <file>', 'review.skill', { field: 'skill' }),
      flag('--language <name>', 'run.language', { field: 'language' }),
      flag('--concurrency <n>', 'run.concurrency', { field: 'concurrency' }),
      flag('--timeout <seconds>', 'run.timeout', { field: 'timeoutMs' }),
      flag('--fresh', 'run.fresh'),
      dryRunFlag,
      flag('--format <name>', 'run.format', { choices: reportFormatChoices, field: 'format' }),
      flag('--out <file>', 'pr.out'),
      jsonFlag,
    ],
    notes: ['pr.review.ci', '', 'pr.token'],
    examples: [
      'galley pr review 42 --model cli/claude',
      'galley pr review https://github.com/owner/name/pull/42 --model anthropic/claude-sonnet-4-5 --post',
      'galley pr review --post --fail-level high --max-cost 1',
    ],
    operation: 'forge:review',
  },
  'pr post': {
    about: 'pr.post.about',
    takes: [flag('<report>', 'pr.post.report'), pull],
    flags: [
      ...shared,
      flag('--fail-level <level>', 'report.fail-level', { choices: failLevels, field: 'failLevel' }),
      dryRunFlag,
      jsonFlag,
    ],
    examples: ['galley pr review 42 --format json --out report.json', 'galley pr post report.json 42'],
    operation: 'forge:post',
  },
  'pr status': {
    about: 'pr.status.about',
    takes: [pull],
    flags: [...shared, jsonFlag],
    examples: ['galley pr status 42'],
    operation: 'forge:status',
  },
  'pr resolve': {
    about: 'pr.resolve.about',
    takes: [flag('<finding...>', 'pr.resolve.finding')],
    flags: [flag('--pull <number>', 'pr.pull', { field: 'pull' }), ...shared, jsonFlag],
    examples: ['galley pr resolve 3f2a91c0 --pull 42'],
    operation: 'forge:resolve',
  },
  'pr exempt': {
    about: 'pr.exempt.about',
    takes: [flag('[finding...]', 'pr.exempt.finding')],
    flags: [flag('--pull <number>', 'pr.pull', { field: 'pull' }), ...shared, jsonFlag],
    notes: ['pr.exempt.note'],
    examples: ['galley pr exempt --pull 42', 'galley pr exempt 3f2a91c0 --pull 42'],
    operation: 'forge:exempt',
  },
  'pr retract': {
    about: 'pr.retract.about',
    takes: [pull],
    flags: [...shared, flag('--all', 'pr.retract.all'), jsonFlag],
    examples: ['galley pr retract 42'],
    operation: 'forge:retract',
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
