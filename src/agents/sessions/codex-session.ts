// Session files of Codex ("rollouts"). They hold every item as it is sent, what each response used, and at a compaction the
// history that stands from then on.
import { type JsonObject, parseEvent, pick, pickCount, pickText } from '../../models/answer/json-fields.js';
import type { Usage } from '../../models/contract/model.js';
import {
  type ItemPlace,
  itemAt,
  type LineReader,
  recentCalls,
  type SessionFormat,
  type SessionListener,
  type SessionPart,
  type ToldItem,
  targetOf,
  timeOf,
} from './session-log.js';
import type { WantedFields } from './wanted-fields.js';

const usageFields = {
  input_tokens: 'value',
  output_tokens: 'value',
  cached_input_tokens: 'value',
  cache_write_input_tokens: 'value',
} as const;

const wanted: WantedFields = {
  type: 'repeated',
  timestamp: 'value',
  payload: {
    type: 'repeated',
    id: 'value',
    cwd: 'repeated',
    cli_version: 'repeated',
    base_instructions: { text: 'value' },
    instructions: 'value',
    model: 'repeated',
    role: 'repeated',
    content: { text: 'value' },
    summary: { text: 'value' },
    internal_chat_message_metadata_passthrough: { content_item_kinds: 'value' },
    name: 'repeated',
    arguments: 'value',
    input: 'value',
    action: 'value',
    call_id: 'value',
    output: { content: 'value', text: 'value' },
    response_id: 'value',
    usage: usageFields,
    model_context_window: 'value',
    info: {
      model_context_window: 'value',
      last_token_usage: usageFields,
      total_token_usage: { total_tokens: 'value' },
    },
    item: { type: 'repeated', id: 'value', changes: 'value', parsed_cmd: { path: 'value' } },
    message: 'value',
    replacement_history: 'value',
  },
};

export const codexSession: SessionFormat = { cli: 'codex', wanted, open };

const known = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'token_usage_record',
  'event_msg',
  'compacted',
  'world_state',
]);

function open(listener: SessionListener): LineReader {
  const calls = recentCalls();
  let model = '';
  let instructions: string | undefined;
  let hasRecords = false;
  let total: number | undefined;
  let requests = 0;

  const addInstructions = (line: number) => {
    if (instructions !== undefined) listener.item?.({ part: 'system', text: instructions, line });
  };
  const addItem = (payload: unknown, place: ItemPlace) => {
    for (const item of itemsOf(payload, calls)) {
      // Some models are sent the instructions as a message; the file then holds them twice.
      if (item.part === 'system' && item.text === instructions) continue;
      listener.item?.(itemAt(item, place));
    }
  };
  const addRequest = (usage: unknown, timestamp: unknown, id?: string) => {
    const told = usageOf(usage);
    if (told === undefined) return;
    requests += 1;
    listener.request?.({ id: id ?? String(requests), model, usage: told, at: timeOf(timestamp) }, 'behind');
  };
  const readMessage = (payload: unknown, timestamp: unknown) => {
    const kind = pickText(payload, 'type');
    if (kind === 'item_completed') return readCompleted(pick(payload, 'item'));
    const window =
      pickCount(payload, 'model_context_window') ?? pickCount(payload, 'info', 'model_context_window');
    if (window !== undefined) listener.windowSize?.(window);
    if (kind !== 'token_count' || hasRecords) return;
    // Told again whenever a limit changes.
    const so = pickCount(payload, 'info', 'total_token_usage', 'total_tokens');
    if (so !== total) addRequest(pick(payload, 'info', 'last_token_usage'), timestamp);
    total = so;
  };
  const readCompleted = (item: unknown) => {
    const kind = pickText(item, 'type');
    const changes = pick(item, 'changes');
    if (kind === 'FileChange' && typeof changes === 'object' && changes !== null)
      for (const path of Object.keys(changes)) listener.fileChanged?.(path);
    const read = pick(item, 'parsed_cmd');
    const target = Array.isArray(read) ? pickText(read[0], 'path') : undefined;
    const id = pickText(item, 'id');
    if (kind === 'CommandExecution' && target !== undefined && id !== undefined)
      calls.note(id, { tool: calls.find(id)?.tool, target });
  };

  return (event, line) => {
    const type = pickText(event, 'type') ?? '';
    if (!known.has(type)) return false;
    const { payload, timestamp } = event;
    switch (type) {
      case 'session_meta':
        listener.began?.({
          id: pickText(payload, 'id'),
          folder: pickText(payload, 'cwd'),
          version: pickText(payload, 'cli_version'),
          at: timeOf(timestamp),
        });
        // A session that goes on begins again, with the same instructions.
        if (instructions !== undefined) break;
        instructions = pickText(payload, 'base_instructions', 'text') ?? pickText(payload, 'instructions');
        addInstructions(line);
        break;
      case 'turn_context':
        model = pickText(payload, 'model') ?? model;
        break;
      case 'response_item':
        addItem(payload, { line });
        break;
      case 'token_usage_record':
        hasRecords = true;
        addRequest(pick(payload, 'usage'), timestamp, pickText(payload, 'response_id'));
        break;
      case 'event_msg':
        readMessage(payload, timestamp);
        break;
      case 'compacted': {
        listener.compacted?.({ at: timeOf(timestamp), by: 'unknown' });
        listener.replaced?.(new Set());
        addInstructions(line);
        const history = pick(payload, 'replacement_history');
        if (Array.isArray(history)) for (const item of history) addItem(item, { line });
        else listener.item?.({ part: 'summary', text: pickText(payload, 'message') ?? '', line });
        break;
      }
    }
    return true;
  };
}

function usageOf(usage: unknown): Usage | undefined {
  const inputTokens = pickCount(usage, 'input_tokens');
  if (inputTokens === undefined) return undefined;
  const cacheWriteTokens = pickCount(usage, 'cache_write_input_tokens') ?? 0;
  return {
    inputTokens,
    outputTokens: pickCount(usage, 'output_tokens') ?? 0,
    cachedInputTokens: pickCount(usage, 'cached_input_tokens') ?? 0,
    ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
  };
}

/** One item of a request or of a session, as the Responses API writes it. */
export function itemsOf(payload: unknown, calls: ReturnType<typeof recentCalls>): ToldItem[] {
  switch (pickText(payload, 'type')) {
    case 'message':
      return messageItems(payload);
    case 'reasoning':
      return [
        {
          part: 'reasoning',
          text: [...textsIn(pick(payload, 'summary')), ...textsIn(pick(payload, 'content'))].join('\n'),
        },
      ];
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call': {
      const tool = pickText(payload, 'name') ?? 'shell';
      const given =
        pickText(payload, 'arguments') ??
        pickText(payload, 'input') ??
        JSON.stringify(pick(payload, 'action') ?? {});
      const input = parseEvent(given) ?? { input: given };
      const target = targetOf(input) ?? patchedFile(given);
      calls.note(pickText(payload, 'call_id') ?? '', { tool, target });
      return [{ part: 'call', text: `${tool} ${given}`, tool, target, input }];
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = pick(payload, 'output');
      const text =
        typeof output === 'string' ? output : (pickText(output, 'content') ?? textsIn(output).join('\n'));
      const call = calls.find(pickText(payload, 'call_id'));
      return [{ part: 'result', text, tool: call?.tool, target: call?.target }];
    }
    case 'web_search_call':
      return [{ part: 'call', tool: 'web_search', text: JSON.stringify(pick(payload, 'action') ?? {}) }];
    default:
      return [];
  }
}

function messageItems(payload: unknown): ToldItem[] {
  const role = pickText(payload, 'role');
  const kinds = pick(payload, 'internal_chat_message_metadata_passthrough', 'content_item_kinds');
  return textsIn(pick(payload, 'content')).map((text, index) => ({
    part: partOf(role, text, Array.isArray(kinds) ? String(kinds[index]) : ''),
    text,
  }));
}

function partOf(role: string | undefined, text: string, kind: string): SessionPart {
  if (role === 'assistant') return 'assistant';
  if (role !== 'user')
    return kind.includes('skills') || text.startsWith('<skills_instructions>') ? 'tools' : 'system';
  if (kind.startsWith('agents_md') || /^(?:# AGENTS\.md instructions|<user_instructions>)/.test(text))
    return 'memory';
  if (text.startsWith('Another language model started to solve this problem')) return 'summary';
  const isAdded =
    kind === '' || kind === 'unknown' ? /^<[a-z_]+(?:_| )?[a-z]*>/.test(text) : !kind.startsWith('user.');
  return isAdded ? 'added' : 'user';
}

/** The first file that a patch names. */
function patchedFile(text: string): string | undefined {
  return /\*\*\* (?:Update|Add|Delete) File: (.+?)(?:\\n|\n|$)/.exec(text)?.[1];
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return (content as readonly JsonObject[]).flatMap((block) => pickText(block, 'text') ?? []);
}
