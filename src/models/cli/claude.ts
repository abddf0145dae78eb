// Claude Code. Words like @path in a prompt are read as files unless --bare stops it, and --bare takes no login but a key:
// so it is left out only where there is no key and no word that could name something.

import { type JsonObject, pick, pickCount, pickText } from '../answer/json-fields.js';
import type { Finish } from '../contract/model.js';
import {
  type AgentCli,
  type CliFailureReason,
  type CliRequest,
  type EventReader,
  type Invocation,
  type Outcome,
  reasonOfStatus,
} from './agent-cli.js';
import type { ChildEnvironment } from './child-environment.js';

const keys = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

/** Defaults; what the user has set stays. */
const quiet: ChildEnvironment = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  // With the header on, the cached prefix would change with every prompt.
  CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
  CLAUDE_CODE_MAX_RETRIES: '2',
};

export const claude: AgentCli = {
  name: 'claude',
  title: 'Claude Code',
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'log in with it, or set ANTHROPIC_API_KEY; a prompt with words like @path needs the key',
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
  prepare,
  events,
};

/** In its folder any word may name a file. */
const mention = /(^|[^\w])@\S/;
/** In an empty one only what leads out of it, or to a server or an agent; hunk headers and decorators do not. */
const mentionElsewhere = /(^|[^\w])@(?:[./~\\"'`]|agent-|\S*(?:\.\.|:))/;

function prepare({ prompt, system, native, model, environment, systemFile }: CliRequest): Invocation {
  const isRead = (native ? mentionElsewhere : mention).test(prompt);
  const isBare = isRead || keys.some((name) => environment[name]);
  const args = ['--print', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'];
  args.push('--no-session-persistence');
  if (isBare) args.push('--bare');
  if (model !== undefined) args.push('--model', model);
  if (native) args.push('--tools', '');
  const inline = system !== undefined && !native && fitsArgument(system);
  if (inline) args.push('--append-system-prompt', system);
  else if (system !== undefined)
    args.push(native ? '--system-prompt-file' : '--append-system-prompt-file', systemFile);
  return {
    args,
    environment: { ...quiet, ...environment },
    input: prompt,
    ...(system === undefined || inline ? {} : { systemText: system }),
    place: native ? 'empty' : 'folder',
  };
}

function events(): EventReader {
  let outcome: Outcome = { kind: 'none' };
  let spoken = false;
  let streams = false;
  let model: string | undefined;
  let complaint: string | undefined;

  const readStream = (event: JsonObject) => {
    streams = true;
    // A helper inside the agent has a parent; its words are not the answer.
    if (typeof event.parent_tool_use_id === 'string') return { begun: true };
    const isNext = pickText(event, 'event', 'type') === 'message_start' && spoken;
    const text = isNext ? '\n\n' : pickText(event, 'event', 'delta', 'text');
    if (text === undefined || text === '') return { begun: true };
    spoken = true;
    return { begun: true, text };
  };
  const readMessage = (event: JsonObject) => {
    complaint = pickText(event, 'error') ?? complaint;
    const speaker = pickText(event, 'message', 'model');
    if (speaker === '<synthetic>') return {};
    model = speaker ?? model;
    if (streams || typeof event.parent_tool_use_id === 'string') return { begun: true };
    const text = textOf(pick(event, 'message', 'content'));
    if (text === '') return { begun: true };
    const apart = spoken ? '\n\n' : '';
    spoken = true;
    return { begun: true, text: apart + text };
  };
  return {
    read(event) {
      switch (event.type) {
        case 'stream_event':
          return readStream(event);
        case 'assistant':
          return readMessage(event);
        case 'result':
          outcome = resultOf(event, { model, complaint });
          return {};
        default:
          return {};
      }
    },
    outcome: () => outcome,
  };
}

function resultOf(
  event: JsonObject,
  { model, complaint }: { model: string | undefined; complaint: string | undefined },
): Outcome {
  const status = pickCount(event, 'api_error_status');
  if (event.is_error === true || event.subtype !== 'success') {
    const reason = failureOf(event, status, complaint);
    return { kind: 'failed', reason, ...(status === undefined ? {} : { status }) };
  }
  if (event.num_turns === 0) return { kind: 'failed', reason: 'not-sent' };
  const cached = pickCount(event, 'usage', 'cache_read_input_tokens') ?? 0;
  const created = pickCount(event, 'usage', 'cache_creation_input_tokens') ?? 0;
  const input = pickCount(event, 'usage', 'input_tokens');
  const output = pickCount(event, 'usage', 'output_tokens');
  return {
    kind: 'answered',
    text: pickText(event, 'result') ?? '',
    finish: finishOf(pickText(event, 'stop_reason')),
    ...(input === undefined || output === undefined
      ? {}
      : {
          usage: {
            inputTokens: input + cached + created,
            outputTokens: output,
            cachedInputTokens: cached,
          },
        }),
    ...(model === undefined ? {} : { model }),
  };
}

function failureOf(
  event: JsonObject,
  status: number | undefined,
  complaint: string | undefined,
): CliFailureReason {
  if (event.stop_reason === 'refusal') return 'refused';
  if (status !== undefined) return reasonOfStatus(status);
  if (event.subtype === 'error_max_turns') return 'length';
  switch (complaint) {
    case 'authentication_failed':
    case 'oauth_org_not_allowed':
    case 'billing_error':
      return 'authentication';
    case 'rate_limit':
      return 'rate-limit';
    case 'invalid_request':
      return 'bad-request';
    case 'max_output_tokens':
      return 'length';
    default:
      return /\/login\b|API key/.test(pickText(event, 'result') ?? '') ? 'authentication' : 'unavailable';
  }
}

function finishOf(reason: string | undefined): Finish {
  if (reason === 'max_tokens') return 'length';
  return reason === undefined ? 'unknown' : 'stop';
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => (pick(block, 'type') === 'text' ? (pickText(block, 'text') ?? '') : ''))
    .join('');
}

const tooManyBytes = 128 * 1024;

/** Text that can stand as the value of an option without being taken for anything else. */
function fitsArgument(text: string): boolean {
  return !text.startsWith('-') && !text.includes('\0') && Buffer.byteLength(text) < tooManyBytes;
}
