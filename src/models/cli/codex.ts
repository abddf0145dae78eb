// Codex. It takes the prompt literally, speaks in whole messages only, and never gives up waiting by itself.

import { type JsonObject, pickText } from '../answer/json-fields.js';
import {
  type AgentCli,
  type CliRequest,
  type EventReader,
  type Invocation,
  type Outcome,
  readUsage,
  reasonOfStatus,
} from './agent-cli.js';

export const codex: AgentCli = {
  name: 'codex',
  title: 'Codex',
  install: 'npm install -g @openai/codex',
  login: 'run codex login, or set CODEX_API_KEY or the key of its configured provider',
  oldest: '0.166.0',
  inputLimit: { unit: 'characters', n: 1_048_576 },
  // A message arrives when it is whole, so the first one takes as long as it is.
  firstByteMs: 300_000,
  variables: ['OPENAI_*', 'AZURE_OPENAI_*', 'CODEX_HOME', 'CODEX_API_KEY'],
  prepare,
  events,
};

function prepare({ prompt, system, native, model, systemFile }: CliRequest): Invocation {
  const args = ['exec', '--json', '--skip-git-repo-check', '--ephemeral', '--disable', 'plugins'];
  args.push('--disable', 'apps', '-c', 'analytics.enabled=false');
  if (native) args.push('--sandbox', 'read-only');
  if (model !== undefined) args.push('--model', model);
  if (system !== undefined) args.push('-c', `model_instructions_file=${JSON.stringify(systemFile)}`);
  args.push('-');
  return {
    args,
    environment: {},
    input: prompt,
    ...(system === undefined ? {} : { systemText: system }),
    place: native ? 'empty' : 'folder',
  };
}

function events(): EventReader {
  let outcome: Outcome = { kind: 'none' };
  let last: string | undefined;

  const readItem = (event: JsonObject) => {
    const kind = pickText(event, 'item', 'type');
    // Notices about the connection come as items too.
    if (kind === undefined || kind === 'error') return {};
    const text = pickText(event, 'item', 'text');
    if (kind !== 'agent_message' || event.type !== 'item.completed' || !text) return { begun: true };
    const apart = last === undefined ? '' : '\n\n';
    last = text;
    return { begun: true, text: apart + text };
  };
  return {
    read(event) {
      switch (event.type) {
        case 'item.started':
        case 'item.updated':
        case 'item.completed':
          return readItem(event);
        case 'turn.completed':
          outcome = completed(event, last ?? '');
          return {};
        case 'turn.failed':
          outcome = failed(pickText(event, 'error', 'message') ?? '');
          return {};
        default:
          // `error` events say that it tries again; whether that helped, the turn's end says.
          return {};
      }
    },
    outcome: () => outcome,
  };
}

function completed(event: JsonObject, text: string): Outcome {
  return {
    kind: 'answered',
    text,
    finish: 'stop',
    ...readUsage(event, { under: 'usage', cached: 'cached_input_tokens' }),
  };
}

function failed(message: string): Outcome {
  const found = /\bstatus:? (\d{3})\b/.exec(message)?.[1];
  if (found !== undefined)
    return { kind: 'failed', reason: reasonOfStatus(Number(found)), status: Number(found) };
  // A rejected request comes with the bare body of the provider's answer.
  if (/^\{|context window|too long/i.test(message)) return { kind: 'failed', reason: 'bad-request' };
  return { kind: 'failed', reason: /log ?in|api key/i.test(message) ? 'authentication' : 'unavailable' };
}
