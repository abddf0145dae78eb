// Agents on the command line: one turn, its sessions, handing over, several at one task, and watching a CLI at work.
import { type CommandRow, explainFlag, flag, jsonFlag, permissionChoices, trims } from './command-row.js';

const turn = [
  flag('--agent <type>', 'agent.agent', { preset: 'claude', field: 'agentType' }),
  flag('--task <text>', 'agent.task', { field: 'teamTask' }),
  flag('--message <text>', 'agent.message', { field: 'currentMessage' }),
  flag('--system-file <file>', 'agent.system-file', { field: 'systemInstruction' }),
  flag('--max-bytes <n>', 'agent.max-bytes', { field: 'maxBytes' }),
  flag('--max-tokens <n>', 'agent.max-tokens', { field: 'maxTokens' }),
  flag('--meter <id>', 'agent.meter', { field: 'meter' }),
  flag('--trim <how>', 'agent.trim', { choices: trims, field: 'trim' }),
  flag('--with-code <tokens>', 'agent.with-code', { field: 'withCode' }),
];

const agentClis = ['claude', 'codex', 'gemini'] as const;
const racePermissions = ['edit', 'run'] as const;

export const agentCommands = {
  agent: {
    about: 'agent.about',
    flags: [...turn, explainFlag, flag('--json', 'agent.json')],
    notes: ['agent.form'],
    examples: [
      'galley agent',
      'galley agent --agent codex --task "Fix the login" < conversation.jsonl | codex exec -',
      'galley agent --max-bytes 4096 --explain < conversation.json',
      'galley agent --max-tokens 8000 --trim hops < conversation.jsonl',
      'galley agent --with-code 8000 --message "Sessions do not expire" < /dev/null',
    ],
    operation: 'agents:assemble',
  },
  'agent run': {
    about: 'agent.run.about',
    flags: [
      ...turn,
      flag('--may <what>', 'agent.run.may', { choices: permissionChoices, preset: 'read', field: 'may' }),
      flag('--resume <session>', 'agent.run.resume', { field: 'resume' }),
      flag('--keep-session', 'agent.run.keep-session', { field: 'keepSession' }),
      flag('--timeout <seconds>', 'agent.run.timeout'),
      flag('--first-byte-timeout <seconds>', 'agent.run.first-byte-timeout'),
      flag('--model <name>', 'agent.run.model'),
      flag('--native', 'agent.run.native'),
      explainFlag,
      flag('--json', 'agent.run.json'),
    ],
    notes: ['agent.run.refused', 'agent.run.found', 'agent.form'],
    examples: [
      'galley agent run --may edit --message "Fix the failing test" < /dev/null',
      'galley agent run --agent claude --message "What does this project do?" < /dev/null',
      'galley agent run --agent codex --trim hops --timeout 120 < conversation.jsonl',
    ],
    operation: 'agents:run',
  },
  'agent undo': {
    about: 'agent.undo.about',
    takes: [flag('[turn]', 'agent.undo.which')],
    flags: [
      flag('--list', 'agent.undo.list'),
      flag('--dry-run', 'agent.undo.dry-run'),
      flag('--all-since', 'agent.undo.all-since'),
      jsonFlag,
    ],
    notes: ['agent.undo.note'],
    examples: ['galley agent undo', 'galley agent undo --dry-run', 'galley agent undo --list'],
    operation: 'agents:undo',
  },
  'agent sessions': {
    about: 'agent.sessions.about',
    flags: [
      flag('--all', 'agent.sessions.all', { field: 'everywhere' }),
      flag('--agent <name>', 'agent.sessions.agent', { choices: agentClis, field: 'cli' }),
      flag('--limit <n>', 'agent.sessions.limit', { field: 'limit', preset: '20' }),
      jsonFlag,
    ],
    examples: ['galley agent sessions', 'galley agent sessions --all --agent codex'],
    operation: 'agents:sessions:list',
  },
  'agent inspect': {
    about: 'agent.inspect.about',
    takes: [flag('[session]', 'agent.inspect.session', { field: 'session' })],
    flags: [
      flag('--exact', 'agent.inspect.exact', { field: 'exact' }),
      flag('--open', 'agent.inspect.open'),
      jsonFlag,
    ],
    notes: ['agent.inspect.note'],
    examples: [
      'galley agent inspect',
      'galley agent inspect --open',
      'galley agent inspect claude',
      'galley agent inspect codex:01a1e5 --json',
    ],
    operation: 'agents:inspect',
  },
  'agent handoff': {
    about: 'agent.handoff.about',
    takes: [flag('<to>', 'agent.handoff.to', { choices: agentClis, field: 'to' })],
    flags: [
      flag('--from <session>', 'agent.inspect.session', { field: 'session' }),
      flag('--budget <tokens>', 'agent.handoff.budget', { field: 'budget' }),
      flag('--model <name>', 'agent.handoff.model', { field: 'model' }),
      flag('--message <text>', 'agent.handoff.message', { field: 'message' }),
      flag('--ask', 'agent.handoff.ask', { field: 'ask' }),
      flag('--print', 'agent.handoff.print'),
      flag('--run', 'agent.handoff.run'),
      flag('--may <what>', 'agent.run.may', { choices: permissionChoices, preset: 'read' }),
      explainFlag,
      flag('--json', 'agent.handoff.json'),
    ],
    examples: [
      'galley agent handoff codex',
      'galley agent handoff gemini --from claude --budget 20000 --print',
      'galley agent handoff codex --ask',
      'galley agent handoff claude --run --message "Finish the tests."',
    ],
    operation: 'agents:handoff',
  },
} as const satisfies Record<string, CommandRow>;

export const watchCommands = {
  race: {
    about: 'race.about',
    takes: [flag('[task]', 'race.task', { field: 'task' })],
    flags: [
      flag('--agents <names>', 'race.agents', { field: 'agents' }),
      flag('--may <what>', 'race.may', { choices: racePermissions, preset: 'edit', field: 'may' }),
      flag('--setup <command>', 'race.setup', { field: 'setup' }),
      flag('--check <command>', 'race.check', { field: 'check' }),
      flag('--timeout <seconds>', 'race.timeout', { field: 'timeoutMs' }),
      flag('--check-timeout <seconds>', 'race.check-timeout', { field: 'checkTimeoutMs' }),
      flag('--budget-usd <amount>', 'race.budget', { field: 'budgetUsd' }),
      flag('--review-model <name>', 'race.review-model', { field: 'reviewModel' }),
      flag('--race <id>', 'race.which', { field: 'race' }),
      flag('--discard', 'race.discard'),
      jsonFlag,
    ],
    notes: ['race.note'],
    examples: [
      'galley race "Fix the failing test" --agents claude,codex --check "npm test"',
      'galley race "Speed up the parser" --agents claude:opus,claude:sonnet --may run --setup "npm ci"',
      'galley race',
      'galley race --discard',
    ],
    operation: 'agents:race:run',
  },
  take: {
    about: 'take.about',
    takes: [flag('<agent>', 'take.agent', { field: 'agent' })],
    flags: [flag('--race <id>', 'race.which', { field: 'race' }), jsonFlag],
    notes: ['take.note'],
    examples: ['galley take codex'],
    operation: 'agents:race:take',
  },
  watch: {
    about: 'watch.about',
    usage: '[options] -- <program> [arguments...]',
    flags: [
      flag('--live', 'watch.live'),
      flag('--report <file>', 'watch.report'),
      flag('--save <file>', 'watch.save'),
      flag('--with-text', 'watch.with-text'),
      flag('--upstream <url>', 'watch.upstream'),
      flag('--variable <name>', 'watch.variable'),
    ],
    notes: ['watch.note', '', 'watch.keys'],
    examples: [
      'galley watch -- claude',
      'galley watch --live -- codex exec "Rename convert to exchange."',
      'galley watch --save requests.jsonl --report report.json -- gemini',
      'galley watch --variable OPENAI_BASE_URL --upstream https://models.example/v1 -- my-agent',
    ],
  },
} as const satisfies Record<string, CommandRow>;
