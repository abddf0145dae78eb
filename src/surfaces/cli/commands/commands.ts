// The command line as one table, in the order of help: what each command is called, what it takes, the words for it, examples, and
// the operation whose answer --json prints. Only data, so that help, completions, schemas and refusals all read the same.
import { agentCommands, watchCommands } from './agent-commands.js';
import {
  type CommandRow,
  contextLevelChoices,
  dryRunFlag,
  failLevels,
  flag,
  jsonFlag,
  reportFormatChoices,
  severityChoices,
  storeFlag,
} from './command-row.js';
import { jobCommands } from './job-commands.js';
import { prCommands } from './pr-commands.js';
import { roomCommands } from './room-commands.js';
import { storeCommands } from './store-commands.js';
import { tokenCommands } from './token-commands.js';
import { writeCommands } from './write-commands.js';

/** What names a change, the same wherever a change is meant. */
const change = [
  flag('--repo <folder>', 'flag.repo', { preset: '.' }),
  flag('--base <revision>', 'flag.base', { field: 'base' }),
  flag('--head <revision>', 'flag.head', { field: 'head' }),
  flag('--commit <revision>', 'flag.commit', { field: 'commit' }),
  flag('--staged', 'flag.staged'),
  flag('--working', 'flag.working'),
];

const shells = ['bash', 'zsh', 'fish'] as const;
const ciHosts = ['github', 'gitlab', 'gitea'] as const;
const clients = ['claude', 'cursor', 'codex', 'gemini', 'vscode'] as const;
const isList = true;
const needsModel = true;

export const commands = {
  review: {
    about: 'review.about',
    takes: [flag('[range]', 'review.range-argument')],
    usage: '[options] [range] [-- <path>...]',
    flags: [
      ...change,
      flag('--max-chunk <tokens>', 'review.max-chunk', { field: 'maxChunkTokens' }),
      flag('--budget <tokens>', 'review.budget', { field: 'maxPromptTokens' }),
      flag('--max-rules <tokens>', 'review.max-rules', { field: 'maxRuleTokens' }),
      flag('--max-pages <n>', 'review.max-pages', { field: 'maxPages' }),
      flag('--whole-data', 'review.whole-data', { field: 'wholeData' }),
      flag('--context <tokens|plan|none>', 'review.context'),
      flag('--intent <file>', 'review.intent'),
      flag('--skill <file>', 'review.skill', { field: 'skill' }),
      flag('--linter <format:file>', 'review.linter', { isList, field: 'linter' }),
      flag('--meter <id>', 'review.meter'),
      flag('--price <dollars>', 'review.price', { preset: '3' }),
      flag('--out <folder>', 'review.out'),
      flag('--open', 'review.open'),
      flag('--no-browser', 'open.no-browser'),
      flag('--html <file>', 'review.html'),
      flag('--json', 'review.json'),
      flag('--no-redact', 'review.no-redact'),
      flag('--explain [path-or-unit]', 'review.explain'),
      flag('--level <level>', 'review.level', { choices: contextLevelChoices }),
      flag('--model <name>', 'run.model'),
      flag('--dry-run', 'run.dry-run'),
      flag('--plan', 'run.plan', { needsModel }),
      flag('--plan-model <name>', 'run.plan-model', { needsModel }),
      flag('--follow-ups <n>', 'run.follow-ups', { needsModel, field: 'followUps' }),
      flag('--follow-up-tokens <tokens>', 'run.follow-up-tokens', { needsModel, field: 'followUpTokens' }),
      flag('--verify', 'run.verify', { needsModel }),
      flag('--verify-model <name>', 'run.verify-model', { needsModel }),
      flag('--concurrency <n>', 'run.concurrency', { needsModel, field: 'concurrency' }),
      flag('--max-output <tokens>', 'run.max-output', { needsModel, field: 'maxOutputTokens' }),
      flag('--timeout <seconds>', 'run.timeout', { needsModel, field: 'timeoutMs' }),
      flag('--first-byte-timeout <seconds>', 'run.first-byte-timeout', {
        needsModel,
        field: 'firstByteTimeoutMs',
      }),
      flag('--max-cost <dollars>', 'run.max-cost', { needsModel, field: 'maxCost' }),
      flag('--language <name>', 'run.language', { needsModel, field: 'language' }),
      flag('--fresh', 'run.fresh', { needsModel }),
      flag('--format <name>', 'run.format', { needsModel, choices: reportFormatChoices, field: 'format' }),
      flag('--earlier <file>', 'report.earlier', { needsModel }),
      flag('--min-severity <level>', 'report.min-severity', { needsModel, choices: severityChoices }),
      flag('--most <n>', 'report.most', { needsModel, field: 'most' }),
      flag('--fail-level <level>', 'report.fail-level', { needsModel, choices: failLevels }),
      flag('--fail-on-partial', 'review.fail-on-partial'),
    ],
    notes: ['review.paths', '', 'review.usual'],
    examples: [
      'galley review',
      'galley review --staged --skill review/SKILL.md',
      "galley review main..topic -- src ':!*.md'",
      'galley review --open main..topic',
      'galley review --base main --max-pages 1 --budget 8000 --json',
      'galley review --commit HEAD --linter eslint:eslint.json --out pages',
      'galley review --model cli/claude --fail-level high',
      'galley review --model anthropic/claude-sonnet-4-5 --verify --fail-level high',
    ],
  },
  report: {
    about: 'report.about',
    takes: [flag('<answers...>', 'report.answers')],
    usage: '[options] <answers...> [-- <path>...]',
    flags: [
      ...change,
      flag('--format <name>', 'report.format', { choices: reportFormatChoices, preset: 'markdown' }),
      flag('--earlier <file>', 'report.earlier'),
      flag('--min-severity <level>', 'report.min-severity', { choices: severityChoices }),
      flag('--most <n>', 'report.most'),
      flag('--fail-level <level>', 'report.fail-level', { choices: failLevels, preset: 'none' }),
      flag('--json', 'report.json'),
    ],
    examples: [
      'galley report answer.json',
      'galley report page-*.txt --base main --format sarif --fail-level high > review.sarif',
    ],
    operation: 'review:report',
  },
  ...prCommands,
  find: {
    about: 'find.about',
    takes: [flag('[task...]', 'find.task')],
    flags: [
      flag('--repo <folder>', 'flag.repo', { preset: '.' }),
      flag('--in <path>', 'find.in', { isList, field: 'paths' }),
      flag('--at <revision>', 'find.at', { field: 'at' }),
      flag('--budget <tokens>', 'find.budget', { field: 'budget', preset: '8000' }),
      flag('--files <n>', 'find.files', { field: 'limit', preset: '20' }),
      flag('--from <n>', 'find.from', { field: 'from' }),
      jsonFlag,
    ],
    examples: [
      'galley find "login fails after the session expires"',
      'galley find --budget 4000 < stack-trace.txt',
      'galley find "retries never stop" --in src/models --in src/jobs',
    ],
    operation: 'code:find',
  },
  ...agentCommands,
  ...roomCommands,
  ...watchCommands,
  ...writeCommands,
  receipts: {
    about: 'receipts.about',
    takes: [flag('[id]', 'receipts.id')],
    flags: [
      flag('--project <id>', 'receipts.project'),
      flag('--html <file>', 'receipts.html'),
      storeFlag,
      jsonFlag,
    ],
    examples: ['galley receipts', 'galley receipts --json'],
  },
  call: {
    about: 'call.about',
    takes: [flag('<operation>', 'call.operation')],
    flags: [storeFlag, flag('--json', 'call.json')],
    examples: [
      `echo '{"agentType":"claude","contextMessages":[],"currentMessage":"Hello"}' | galley call agents:assemble`,
    ],
  },
  open: {
    about: 'open.about',
    takes: [flag('[folder]', 'open.folder')],
    flags: [flag('--port <n>', 'open.port'), flag('--no-browser', 'open.no-browser'), storeFlag],
    notes: ['open.notes'],
    examples: ['galley open', 'galley open ~/novel', 'galley open --no-browser'],
  },
  serve: {
    about: 'serve.about',
    flags: [
      flag('--host <address>', 'serve.host', { preset: '127.0.0.1' }),
      flag('--port <n>', 'serve.port', { preset: '7433' }),
      flag('--root <folder>', 'serve.root', { isList }),
      storeFlag,
      flag('--tokens <file|store>', 'serve.tokens'),
      flag('--tls-cert <file>', 'serve.tls-cert'),
      flag('--tls-key <file>', 'serve.tls-key'),
      flag('--new-token', 'serve.new-token'),
      flag('--project <id>', 'serve.project', { isList }),
      flag('--grant <name>', 'serve.grant', { isList }),
      flag('--allow-host <name>', 'serve.allow-host', { isList }),
      flag('--allow-origin <origin>', 'serve.allow-origin', { isList }),
      flag('--openai', 'serve.openai'),
      flag('--openai-project <id>', 'serve.openai-project'),
      flag('--openai-budget <tokens>', 'serve.openai-budget'),
      flag('--openai-code <tokens>', 'serve.openai-code'),
      flag('--webhooks', 'serve.webhooks'),
      flag('--webhook-repos <name>', 'serve.webhook-repos', { isList }),
      flag('--max-body <bytes>', 'serve.max-body'),
      flag('--at-once <n>', 'serve.at-once'),
      flag('--patience <ms>', 'serve.patience'),
      flag('--rate <n>', 'serve.rate'),
      flag('--grace <seconds>', 'serve.grace'),
      flag('--drain <seconds>', 'serve.drain'),
      flag('--jobs <n>', 'serve.jobs'),
      flag('--debug', 'serve.debug'),
      flag('--open', 'serve.open'),
    ],
    notes: ['serve.pages'],
    examples: [
      'galley serve',
      'galley serve --new-token --project novel --grant read --grant write',
      'galley serve --host 0.0.0.0 --tokens tokens.yaml --root /srv/repositories',
    ],
  },
  ...jobCommands,
  ...tokenCommands,
  mcp: {
    about: 'mcp.about',
    flags: [
      flag('--http', 'mcp.http'),
      flag('--port <n>', 'mcp.port', { preset: '7310' }),
      flag('--project <id>', 'mcp.project'),
      flag('--folder <path>', 'mcp.folder'),
      flag('--all', 'mcp.all'),
      flag('--only <families...>', 'mcp.only'),
      flag('--read-only', 'mcp.read-only'),
      storeFlag,
    ],
    notes: ['mcp.token'],
    examples: [
      'galley mcp',
      'galley mcp --all',
      'galley mcp --only review agents',
      'galley mcp --http --port 7310',
    ],
  },
  'mcp install': {
    about: 'mcp.install.about',
    flags: [
      flag('--client <name>', 'mcp.install.client', { choices: clients, isNeeded: true }),
      flag('--yes', 'init.yes'),
      flag('--remove', 'mcp.install.remove'),
      flag('--command <command>', 'mcp.install.command', { preset: 'galley' }),
      flag('--json', 'mcp.install.json'),
    ],
    examples: ['galley mcp install --client claude', 'galley mcp install --client codex --yes'],
  },
  schema: {
    about: 'schema.about',
    takes: [flag('[operation]', 'schema.operation')],
    flags: [jsonFlag],
    examples: [
      'galley schema',
      'galley schema agents:assemble',
      'galley schema config > .galley/config.schema.json',
    ],
  },
  init: {
    about: 'init.about',
    flags: [
      flag('--repo <folder>', 'flag.repo', { preset: '.' }),
      flag('--ci <host>', 'init.ci', { choices: ciHosts }),
      flag('--model <name>', 'init.ci.model'),
      flag('--no-forks', 'init.ci.no-forks'),
      flag('--from <repository@commit>', 'init.ci.from'),
      flag('--yes', 'init.yes'),
      dryRunFlag,
      jsonFlag,
    ],
    examples: [
      'galley init --dry-run',
      'galley init --yes',
      'galley init --ci github --model anthropic/claude-sonnet-4-5',
    ],
  },
  doctor: {
    about: 'doctor.about',
    flags: [storeFlag, jsonFlag],
    examples: ['galley doctor', 'galley doctor --json'],
  },
  ...storeCommands,
  completion: {
    about: 'completion.about',
    takes: [flag('<shell>', 'completion.shell', { choices: shells })],
    flags: [jsonFlag],
    examples: [
      'source <(galley completion bash)',
      'galley completion zsh > "$fpath[1]/_galley"',
      'galley completion fish > ~/.config/fish/completions/galley.fish',
    ],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

/** The words that lead to a command, without the program's name. */
export type CommandPath = keyof typeof commands;
export type CommandName = Exclude<CommandPath, `${string} ${string}`>;

export const commandPaths = Object.keys(commands) as readonly CommandPath[];
export const commandNames = commandPaths.filter((each): each is CommandName => !each.includes(' '));

export function isCommandName(name: string | undefined): name is CommandName {
  return commandNames.some((each) => each === name);
}
