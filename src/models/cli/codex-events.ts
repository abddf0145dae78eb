// What Codex says while it works. What it was refused it does not say here; `codex-rollout.ts` knows.

import { type JsonObject, pick, pickText } from '../answer/json-fields.js';
import type { AgentEvent, FileChange } from '../contract/agent-event.js';
import { type EventReader, type Outcome, readUsage, reasonOfStatus } from './agent-cli.js';
import { type StartedTool, toolCalls } from './tool-calls.js';
import type { Naming } from './tool-target.js';

export function codexEvents(naming: Naming): EventReader {
  let outcome: Outcome = { kind: 'none' };
  let last: string | undefined;
  const tools = toolCalls();

  const readTool = (event: JsonObject): AgentEvent[] => {
    const { item } = event;
    const started = startedBy(item, naming);
    if (started === undefined) return [];
    const begun = tools.start(started);
    if (event.type !== 'item.completed') return begun;
    const isDone = pickText(item, 'status') === 'completed';
    const changes = isDone ? changesOf(item, naming) : [];
    return [...begun, ...tools.end(started.id, isDone ? 'done' : 'failed'), ...changes];
  };
  const readItem = (event: JsonObject) => {
    const kind = pickText(event, 'item', 'type');
    // Notices about the connection come as items too.
    if (kind === undefined || kind === 'error') return { events: kind === undefined ? [] : [notice] };
    const text = pickText(event, 'item', 'text');
    const isWhole = event.type === 'item.completed' && text !== undefined && text !== '';
    if (kind === 'reasoning' && isWhole)
      return { begun: true, events: [{ kind: 'reasoning', text } as const] };
    if (kind !== 'agent_message' || !isWhole) return { begun: true, events: readTool(event) };
    const apart = last === undefined ? '' : '\n\n';
    last = text;
    return { begun: true, text: apart + text };
  };
  return {
    read(event) {
      switch (event.type) {
        case 'thread.started': {
          const id = pickText(event, 'thread_id');
          return { events: [{ kind: 'session', ...(id === undefined ? {} : { id }) }] };
        }
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

const notice: AgentEvent = { kind: 'warning', about: 'notice', message: 'Codex has given a notice.' };

function startedBy(item: unknown, naming: Naming): StartedTool | undefined {
  const id = pickText(item, 'id') ?? '';
  switch (pickText(item, 'type')) {
    case 'command_execution':
      return { id, tool: 'exec_command', target: naming.command(pickText(item, 'command') ?? '') };
    case 'file_change':
      return { id, tool: 'apply_patch', target: changesOf(item, naming)[0]?.path };
    case 'mcp_tool_call':
      return { id, tool: pickText(item, 'tool') ?? 'mcp_tool_call' };
    case 'web_search':
      return { id, tool: 'web_search' };
    default:
      return undefined;
  }
}

const kinds: Record<string, FileChange['change']> = { add: 'created', delete: 'removed' };

function changesOf(item: unknown, naming: Naming) {
  const changes = pick(item, 'changes');
  if (!Array.isArray(changes)) return [];
  return changes.map((change) => ({
    kind: 'file-changed' as const,
    path: naming.path(pickText(change, 'path') ?? ''),
    change: kinds[pickText(change, 'kind') ?? ''] ?? 'changed',
  }));
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
