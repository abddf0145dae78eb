// Claude Code. An agent's turn leaves out every setting of the folder and the user, since hooks, servers and rules found there
// would loosen what it may do; the same arguments go with a key and with a login. In Galley's own runs words like @path are read
// as files unless --bare stops it, and --bare takes no login but a key: so it is left out only where there is no key and no word
// that could name something.

import type { Permission } from '../contract/agent-event.js';
import {
  type AgentCli,
  type AgentTurn,
  type CliRequest,
  commandsAnywhere,
  type Invocation,
  type MentionRule,
  onlyReads,
  type TurnWarning,
} from './agent-cli.js';
import type { ChildEnvironment } from './child-environment.js';
import { claudeEvents } from './claude-events.js';

const keys = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

/** Defaults; what the user has set stays. */
export const quiet: ChildEnvironment = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  // With the header on, the cached prefix would change with every prompt.
  CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
  CLAUDE_CODE_MAX_RETRIES: '2',
};

const mentions: MentionRule = {
  pattern: /(?<!\w)@(?:"([^"\n]+)"|(\S+))/g,
  isKnown: (word) => /^agent-|\(agent\)$/.test(word),
};

export const claude: AgentCli = {
  name: 'claude',
  title: 'Claude Code',
  install: 'npm install -g @anthropic-ai/claude-code',
  login:
    'log in with it, or set ANTHROPIC_API_KEY to a valid key; a run of Galley’s own with words like @path needs the key',
  oldest: '2.1.197',
  inputLimit: { unit: 'bytes', n: 3_000_000 },
  firstByteMs: 120_000,
  variables: [
    ...keys,
    ...Object.keys(quiet),
    'ANTHROPIC_*',
    'AWS_*',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
    'CLAUDE_CODE_SKIP_VERTEX_AUTH',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
    'CLOUD_ML_REGION',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ],
  commandMark: '/',
  mentions,
  warnings,
  prepare,
  events: claudeEvents,
};

/** In an empty folder only what leads out of it, or to a server or an agent; hunk headers and decorators do not. */
const mentionElsewhere = /(^|[^\w])@(?:[./~\\"'`]|agent-|\S*(?:\.\.|:))/;

/** Of its tools these are on; the rest is refused as unknown. Its file tools stay inside the folder. */
const allowed: Record<Permission, readonly string[]> = {
  read: ['--permission-mode', 'dontAsk', '--tools', 'Read,Glob,Grep'],
  edit: ['--permission-mode', 'acceptEdits', '--tools', 'Read,Glob,Grep,Edit,Write'],
  // A rule for commands alone; its mode without any checks would let file tools out of the folder too, and refuses to run as root.
  run: [
    '--permission-mode',
    'acceptEdits',
    '--tools',
    'Read,Glob,Grep,Edit,Write,Bash',
    '--allowedTools',
    'Bash',
  ],
};

function warnings({ may, resume }: AgentTurn, { model }: { model: string | undefined }): TurnWarning[] {
  return [
    ...(may === 'read' ? [onlyReads] : []),
    ...(may === 'run' ? [commandsAnywhere] : []),
    ...(resume !== undefined && model === undefined ? [modelNotRepeated] : []),
  ];
}

const modelNotRepeated: TurnWarning = {
  about: 'model-not-repeated',
  message: 'Name the model of the session again, or what the provider kept of it is read anew.',
};

const spoken = ['--print', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'];

function prepare(request: CliRequest): Invocation {
  const { turn, environment, prompt } = request;
  const { args, place, ...rest } = turn === undefined ? ownRun(request) : agentTurn(request, turn);
  return {
    args: [...spoken, ...args],
    environment: { ...quiet, ...environment },
    input: prompt,
    ...rest,
    place,
  };
}

type Choices = Pick<Invocation, 'args' | 'systemText' | 'place'>;

function ownRun({ prompt, system, model, environment, systemFile }: CliRequest): Choices {
  const isBare = mentionElsewhere.test(prompt) || keys.some((name) => environment[name]);
  const args = ['--no-session-persistence'];
  if (isBare) args.push('--bare');
  if (model !== undefined) args.push('--model', model);
  args.push('--tools', '');
  if (system === undefined) return { args, place: 'empty' };
  return { args: [...args, '--system-prompt-file', systemFile], systemText: system, place: 'empty' };
}

function agentTurn(
  { system, model, systemFile }: CliRequest,
  { may, resume, keepSession }: AgentTurn,
): Choices {
  const args = [...allowed[may], '--setting-sources', '', '--strict-mcp-config'];
  if (!keepSession) args.push('--no-session-persistence');
  if (resume !== undefined) args.push('--resume', resume);
  if (model !== undefined) args.push('--model', model);
  if (system === undefined) return { args, place: 'folder' };
  if (fitsArgument(system)) return { args: [...args, '--append-system-prompt', system], place: 'folder' };
  return { args: [...args, '--append-system-prompt-file', systemFile], systemText: system, place: 'folder' };
}

const tooManyBytes = 128 * 1024;

/** Text that can stand as the value of an option without being taken for anything else. */
function fitsArgument(text: string): boolean {
  return !text.startsWith('-') && !text.includes('\0') && Buffer.byteLength(text) < tooManyBytes;
}
