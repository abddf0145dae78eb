// What an agent says over the Agent Client Protocol, in our words, and what it is allowed when it asks.
import { type JsonObject, pick, pickCount, pickText } from '../answer/json-fields.js';
import { type StartedTool, toolCalls } from '../cli/tool-calls.js';
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

interface KnownCall extends StartedTool {
  readonly files: readonly AgentEvent[];
  /** As the agent names them, wherever in the call it does. */
  readonly paths: readonly string[];
}

const order: readonly Permission[] = ['read', 'edit', 'run'];

export function acpUpdates(may: Permission, folder: string): UpdateReader {
  const naming = namingIn(folder);
  const tools = toolCalls();
  /** Calls under way with all that was told of them: some say only after the start what a call is used on. */
  const known = new Map<string, KnownCall>();
  const note = (call: JsonObject): KnownCall => {
    const id = pickText(call, 'toolCallId') ?? '';
    const before = known.get(id);
    const files = filesIn(call, naming);
    const noted = {
      id,
      tool: pickText(call, 'kind') ?? before?.tool ?? 'other',
      target: targetOf(call, naming) ?? before?.target,
      files: files.length > 0 ? files : (before?.files ?? []),
      paths: [...(before?.paths ?? []), ...pathsOf(call)],
    };
    known.set(id, noted);
    return noted;
  };
  const follow = (call: JsonObject): AgentEvent[] => {
    const noted = note(call);
    const outcome = outcomes[pickText(call, 'status') ?? ''];
    const isTold = noted.target !== undefined || outcome !== undefined || call.status === 'in_progress';
    const started = isTold ? tools.start(noted) : [];
    if (outcome === undefined) return started;
    known.delete(noted.id);
    const files = outcome === 'done' ? filesOf(noted) : [];
    return [...started, ...tools.end(noted.id, outcome), ...files];
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
          return { events: follow(update) };
        case 'tool_call_update':
          return { events: known.has(pickText(update, 'toolCallId') ?? '') ? follow(update) : [] };
        default:
          return { events: [] };
      }
    },
    decide(asked) {
      const call = (pick(asked, 'toolCall') ?? {}) as JsonObject;
      const noted = note(call);
      const started = tools.start(noted);
      const isAllowed = isCovered(noted, may, folder);
      const option = optionOf(
        asked,
        isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'],
      );
      if (isAllowed) return { option, events: started };
      return { option, events: [...started, ...tools.refuse(noted.id)] };
    },
  };
}

/** A kind nobody knows may do anything, and a file outside the folder is nobody's to change. */
function isCovered({ tool, paths }: KnownCall, may: Permission, folder: string): boolean {
  const needed = covered[tool] ?? 'run';
  if (order.indexOf(may) < order.indexOf(needed)) return false;
  return needed !== 'edit' || paths.every((path) => liesInside(folder, path));
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

const outcomes: Readonly<Record<string, 'done' | 'failed'>> = { completed: 'done', failed: 'failed' };

/** Without a diff nobody says whether the file was there before. */
function filesOf({ tool, target, files }: KnownCall): readonly AgentEvent[] {
  if (files.length > 0 || tool !== 'edit' || target === undefined || target === outside) return files;
  return [{ kind: 'file-changed', path: target, change: 'changed' }];
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
  const cacheWriteTokens = pickCount(result, 'usage', 'cachedWriteTokens');
  // What a cache gave or took is counted beside the rest there, and with it here.
  return {
    usage: {
      inputTokens: inputTokens + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0),
      outputTokens,
      ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
      ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    },
  };
}
