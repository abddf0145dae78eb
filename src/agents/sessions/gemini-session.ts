// Session files of Gemini CLI. A message may be told again under the same id, fuller than before; `$set` puts another history in
// place of the one so far, after a compression and also whenever a session is taken up again.
import { type JsonObject, pick, pickCount, pickText } from '../../models/answer/json-fields.js';
import type { Usage } from '../../models/contract/model.js';
import { createRecentMap, type RecentMap } from './recent-map.js';
import {
  itemAt,
  type LineReader,
  recentCalls,
  type SessionFormat,
  type SessionListener,
  type ToldItem,
  targetOf,
  timeOf,
} from './session-log.js';
import type { WantedFields } from './wanted-fields.js';

const wanted: WantedFields = {
  sessionId: 'value',
  startTime: 'value',
  $set: { messages: 'value', sessionId: 'value' },
  $rewindTo: 'value',
  id: 'value',
  type: 'repeated',
  timestamp: 'value',
  model: 'repeated',
  tokens: { input: 'value', output: 'value', thoughts: 'value', cached: 'value' },
  content: { text: 'value', thought: 'value', functionCall: 'value', functionResponse: 'value' },
  toolCalls: {
    id: 'value',
    name: 'repeated',
    args: 'value',
    resultDisplay: { filePath: 'value', fileDiff: 'value' },
  },
};

export const geminiSession: SessionFormat = { cli: 'gemini', wanted, open };

/** A message is told again soon after. */
const remembered = 10_000;

function open(listener: SessionListener): LineReader {
  const calls = recentCalls();
  let ids = createRecentMap<true>(remembered);
  /** What stood before the history was replaced, until something new is said. */
  let before: RecentMap<true> | undefined;
  let started = false;

  const settle = (timestamp: unknown) => {
    if (before !== undefined && [...before.keys()].some((id) => !ids.has(id)))
      listener.compacted?.({ at: timeOf(timestamp), by: 'unknown' });
    before = undefined;
  };
  const readMessage = (message: JsonObject, line: number, isRetelling = false) => {
    const id = pickText(message, 'id') ?? '';
    const place = { line, key: id };
    if (ids.has(id)) listener.retold?.(id);
    ids.set(id, true);
    const isModel = message.type === 'gemini';
    const usage = isModel ? usageOf(message.tokens) : undefined;
    const model = pickText(message, 'model') ?? '';
    if (usage !== undefined && !isRetelling)
      listener.request?.({ id, model, usage, at: timeOf(message.timestamp) }, 'before');
    const parts = partsOf(message.content);
    for (const part of parts) {
      const item = isModel ? modelItem(part, calls) : userItem(part, calls);
      if (item !== undefined) listener.item?.(itemAt(item, place));
    }
    // Results come as messages of their own; calls may stand among the parts already.
    const hasCalls = parts.some(({ functionCall }) => functionCall !== undefined);
    for (const call of partsOf(message.toolCalls)) {
      if (!hasCalls) listener.item?.(itemAt(callItem(call, calls), place));
      const path = pickText(call, 'resultDisplay', 'filePath');
      if (path !== undefined && pick(call, 'resultDisplay', 'fileDiff') !== undefined)
        listener.fileChanged?.(path);
    }
  };

  return (event, line) => {
    if (typeof event.sessionId === 'string' && event.startTime !== undefined) {
      if (started) listener.resumed?.();
      started = true;
      listener.began?.({ id: event.sessionId, at: timeOf(event.startTime) });
      return true;
    }
    if (typeof event.$set === 'object' && event.$set !== null) {
      const messages = pick(event.$set, 'messages');
      if (pickText(event.$set, 'sessionId') !== undefined) listener.resumed?.();
      if (!Array.isArray(messages)) return true;
      before ??= ids;
      ids = createRecentMap(remembered);
      listener.replaced?.(new Set());
      for (const message of messages as readonly JsonObject[]) readMessage(message, line, true);
      return true;
    }
    if (typeof event.$rewindTo === 'string') {
      listener.rewound?.(event.$rewindTo);
      return true;
    }
    if (typeof event.id !== 'string' || typeof event.type !== 'string') return false;
    if (event.type === 'user' || event.type === 'gemini') {
      settle(event.timestamp);
      readMessage(event, line);
    }
    // Notices to the person at the terminal are of types of their own.
    return ['user', 'gemini', 'info', 'error', 'warning'].includes(event.type);
  };
}

function usageOf(tokens: unknown): Usage | undefined {
  const inputTokens = pickCount(tokens, 'input');
  if (inputTokens === undefined) return undefined;
  return {
    inputTokens,
    outputTokens: (pickCount(tokens, 'output') ?? 0) + (pickCount(tokens, 'thoughts') ?? 0),
    cachedInputTokens: pickCount(tokens, 'cached') ?? 0,
  };
}

type Calls = ReturnType<typeof recentCalls>;

function callItem(call: JsonObject, calls: Calls): ToldItem {
  const tool = pickText(call, 'name') ?? '';
  const input = (pick(call, 'args') ?? {}) as JsonObject;
  const target = targetOf(input);
  calls.note(pickText(call, 'id') ?? '', { tool, target });
  return { part: 'call', text: `${tool} ${JSON.stringify(input)}`, tool, target, input };
}

/** Thoughts are not sent again. */
export function modelItem(part: JsonObject, calls: Calls): ToldItem | undefined {
  if (part.thought === true) return undefined;
  const call = pick(part, 'functionCall');
  if (call !== undefined) return callItem(call as JsonObject, calls);
  const text = pickText(part, 'text') ?? '';
  return text === '' ? undefined : { part: 'assistant', text };
}

export function userItem(part: JsonObject, calls: Calls): ToldItem {
  const response = pick(part, 'functionResponse');
  if (response !== undefined) {
    const given = pick(response, 'response');
    const error = pickText(given, 'error');
    const text = pickText(given, 'output') ?? error ?? JSON.stringify(given ?? {});
    const call = calls.find(pickText(response, 'id')) ?? {
      tool: pickText(response, 'name'),
      target: undefined,
    };
    const failed = error === undefined ? undefined : true;
    return { part: 'result', text, tool: call.tool, target: call.target, failed };
  }
  const text = pickText(part, 'text') ?? '';
  if (text.startsWith('<session_context>')) return { part: 'added', text };
  return { part: text.includes('<state_snapshot>') ? 'summary' : 'user', text };
}

/** Text alone, one part, or a list of parts. */
export function partsOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  if (Array.isArray(content))
    return content.map((part) => (typeof part === 'string' ? { text: part } : ((part ?? {}) as JsonObject)));
  return typeof content === 'object' && content !== null ? [content as JsonObject] : [];
}
