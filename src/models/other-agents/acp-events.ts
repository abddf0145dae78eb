// What an agent says over the Agent Client Protocol, in our words, and what it is allowed when it asks.
import { type JsonObject, pick, pickCount, pickText } from '../answer/json-fields.js';
import { type StartedTool, type ToolCalls, toolCalls } from '../cli/tool-calls.js';
import { liesInside, type Naming, namingIn, outside } from '../cli/tool-target.js';
import type { AgentEvent, Permission } from '../contract/agent-event.js';
import type { Usage } from '../contract/model.js';

export interface UpdateReader {
  /** `text` is part of the answer. */
  read(update: JsonObject): { readonly text?: string; readonly events: readonly AgentEvent[] };
  /** The option to choose of those it offers, for the call it asks about. */
  decide(asked: JsonObject): { readonly option: string | undefined; readonly events: readonly AgentEvent[] };
}

/** What the protocol calls the kinds of tools, by the first permission that covers them. */
const covered: Readonly<Record<string, Permission>> = {
  read: 'read',
  search: 'read',
  think: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
};

const order: readonly Permission[] = ['read', 'edit', 'run'];

export function acpUpdates(may: Permission, folder: string): UpdateReader {
  const naming = namingIn(folder);
  const tools = toolCalls();
  const start = (call: JsonObject): AgentEvent[] => {
    const id = pickText(call, 'toolCallId') ?? '';
    return tools.start({ id, tool: pickText(call, 'kind') ?? 'other', target: targetOf(call, naming) });
  };
  return {
    read(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk': {
          const text = pickText(update, 'content', 'text') ?? '';
          return text === '' ? { events: [] } : { text, events: [] };
        }
        case 'agent_thought_chunk': {
          const text = pickText(update, 'content', 'text') ?? '';
          return { events: text === '' ? [] : [{ kind: 'reasoning', text }] };
        }
        case 'tool_call':
          return { events: [...start(update), ...ended(update, tools, naming)] };
        case 'tool_call_update':
          return { events: ended(update, tools, naming) };
        default:
          return { events: [] };
      }
    },
    decide(asked) {
      const call = (pick(asked, 'toolCall') ?? {}) as JsonObject;
      const started = start(call);
      const isAllowed = isCovered(call, may, folder);
      const option = optionOf(
        asked,
        isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'],
      );
      if (isAllowed) return { option, events: started };
      return { option, events: [...started, ...tools.refuse(pickText(call, 'toolCallId') ?? '')] };
    },
  };
}

/** A kind nobody knows may do anything, and a file outside the folder is nobody's to change. */
function isCovered(call: JsonObject, may: Permission, folder: string): boolean {
  const needed = covered[pickText(call, 'kind') ?? ''] ?? 'run';
  if (order.indexOf(may) < order.indexOf(needed)) return false;
  return needed !== 'edit' || pathsOf(call).every((path) => liesInside(folder, path));
}

function pathsOf(call: JsonObject): string[] {
  const lists = [pick(call, 'locations'), pick(call, 'content')];
  return lists.flatMap((list) =>
    Array.isArray(list) ? list.flatMap((entry) => pickText(entry, 'path') ?? []) : [],
  );
}

function targetOf(call: JsonObject, naming: Naming): string | undefined {
  const [path] = pathsOf(call);
  if (path !== undefined) return naming.path(path);
  const command = pick(call, 'rawInput', 'command');
  const words = Array.isArray(command)
    ? command.filter((word) => typeof word === 'string').join(' ')
    : command;
  return typeof words === 'string' ? naming.command(words) : undefined;
}

function ended(update: JsonObject, tools: ToolCalls, naming: Naming): AgentEvent[] {
  const id = pickText(update, 'toolCallId') ?? '';
  if (update.status === 'failed') return tools.end(id, 'failed');
  if (update.status !== 'completed') return [];
  const files = filesIn(update, naming);
  return [...tools.end(id, 'done'), ...(files.length > 0 ? files : fileOf(tools.started(id)))];
}

/** Without a diff nobody says whether the file was there before. */
function fileOf(call: StartedTool | undefined): AgentEvent[] {
  if (call?.tool !== 'edit' || call.target === undefined || call.target === outside) return [];
  return [{ kind: 'file-changed', path: call.target, change: 'changed' }];
}

function filesIn(update: JsonObject, naming: Naming): AgentEvent[] {
  const content = pick(update, 'content');
  if (!Array.isArray(content)) return [];
  return content.flatMap((part): AgentEvent[] => {
    const path = pickText(part, 'path');
    if (pickText(part, 'type') !== 'diff' || path === undefined) return [];
    const change = (pickText(part, 'oldText') ?? '') === '' ? 'created' : 'changed';
    return [{ kind: 'file-changed', path: naming.path(path), change }];
  });
}

function optionOf(asked: JsonObject, kinds: readonly string[]): string | undefined {
  const options = pick(asked, 'options');
  if (!Array.isArray(options)) return undefined;
  const found = kinds.flatMap((kind) => options.filter((option) => pickText(option, 'kind') === kind))[0];
  return pickText(found, 'optionId');
}

/** Reported with the end of a prompt, where the agent reports it. */
export function acpUsage(result: unknown): { usage?: Usage } {
  const inputTokens = pickCount(result, 'usage', 'inputTokens');
  const outputTokens = pickCount(result, 'usage', 'outputTokens');
  if (inputTokens === undefined || outputTokens === undefined) return {};
  const cachedInputTokens = pickCount(result, 'usage', 'cachedReadTokens');
  // What was read from a cache is counted beside the rest there, and with it here.
  return {
    usage: {
      inputTokens: inputTokens + (cachedInputTokens ?? 0),
      outputTokens,
      ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    },
  };
}
