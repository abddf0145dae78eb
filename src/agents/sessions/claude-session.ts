// Session files of Claude Code. One answer of the model takes several lines, one for each of its blocks; every line names the
// one before it, so that going back shows as a line whose predecessor is not the last one.
import { type JsonObject, pick, pickCount, pickText } from '../../models/answer/json-fields.js';
import type { Usage } from '../../models/contract/model.js';
import {
  type ItemPlace,
  itemAt,
  type LineReader,
  recentCalls,
  type SessionBeginning,
  type SessionFormat,
  type SessionListener,
  type ToldItem,
  targetOf,
  timeOf,
} from './session-log.js';
import type { WantedFields } from './wanted-fields.js';

const wanted: WantedFields = {
  type: 'repeated',
  subtype: 'repeated',
  uuid: 'value',
  parentUuid: 'value',
  timestamp: 'value',
  sessionId: 'repeated',
  cwd: 'repeated',
  version: 'repeated',
  isSidechain: 'value',
  isMeta: 'value',
  isCompactSummary: 'value',
  compactMetadata: 'value',
  attachment: 'value',
  message: {
    id: 'value',
    model: 'repeated',
    usage: {
      input_tokens: 'value',
      output_tokens: 'value',
      cache_read_input_tokens: 'value',
      cache_creation_input_tokens: 'value',
      cache_creation: 'value',
    },
    content: {
      type: 'repeated',
      text: 'value',
      thinking: 'value',
      id: 'value',
      name: 'repeated',
      input: 'value',
      tool_use_id: 'value',
      content: 'value',
      is_error: 'value',
    },
  },
};

export const claudeSession: SessionFormat = { cli: 'claude', wanted, open };

/** Lines that say nothing about the conversation. */
const bookkeeping = new Set([
  'queue-operation',
  'last-prompt',
  'mode',
  'summary',
  'file-history-snapshot',
  'progress',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'agent-setting',
  'tag',
  'pr-link',
  'permission-mode',
  'worktree-state',
]);

const spoken = new Set(['user', 'assistant', 'attachment', 'system']);

const hour = 3_600_000;

function open(listener: SessionListener): LineReader {
  const calls = recentCalls();
  let last: string | undefined;
  let hasWords = false;
  let request: string | undefined;

  /** Every line says where and by which version; told again only when that changes. */
  let beginning: SessionBeginning = {};
  const tellBeginning = (event: JsonObject) => {
    const id = pickText(event, 'sessionId');
    const folder = pickText(event, 'cwd');
    const version = pickText(event, 'version');
    const isSame = id === beginning.id && folder === beginning.folder && version === beginning.version;
    if (isSame && beginning.at !== undefined) return;
    beginning = { id, folder, version, at: timeOf(event.timestamp) };
    listener.began?.(beginning);
  };

  const readUser = (event: JsonObject, place: ItemPlace) => {
    const content = pick(event, 'message', 'content');
    const isMeta = event.isMeta === true;
    const text = (value: string) => {
      const part =
        event.isCompactSummary === true ? 'summary' : isMeta || isCommandEcho(value) ? 'added' : 'user';
      listener.item?.(itemAt({ part, text: value }, place));
    };
    if (typeof content === 'string') return text(content);
    for (const block of blocksOf(content)) {
      if (block.type === 'text') text(pickText(block, 'text') ?? '');
      else if (block.type === 'tool_result') {
        const call = calls.find(pickText(block, 'tool_use_id'));
        const item: ToldItem = {
          part: 'result',
          text: textIn(block.content),
          tool: call?.tool,
          target: call?.target,
          failed: block.is_error === true,
        };
        listener.item?.(itemAt(item, place));
      } else listener.item?.(itemAt({ part: 'added', text: '' }, place));
    }
  };

  const readAssistant = (event: JsonObject, place: ItemPlace) => {
    for (const block of blocksOf(pick(event, 'message', 'content'))) {
      if (block.type === 'text')
        listener.item?.(itemAt({ part: 'assistant', text: pickText(block, 'text') ?? '' }, place));
      else if (block.type === 'thinking')
        listener.item?.(itemAt({ part: 'reasoning', text: pickText(block, 'thinking') ?? '' }, place));
      else if (block.type === 'tool_use') {
        const input = objectOf(block.input);
        const tool = pickText(block, 'name');
        const target = targetOf(input);
        calls.note(pickText(block, 'id') ?? '', { tool, target });
        const text = `${tool} ${JSON.stringify(input)}`;
        listener.item?.(itemAt({ part: 'call', text, tool, target, input }, place));
      }
    }
  };

  return (event, line) => {
    const type = pickText(event, 'type') ?? '';
    if (bookkeeping.has(type)) return true;
    if (!spoken.has(type)) return false;
    const key = pickText(event, 'uuid');
    const place = { line, key };
    tellBeginning(event);
    if (event.isSidechain === true) {
      const helper = type === 'assistant' ? requestIn(event) : undefined;
      if (helper !== undefined) listener.request?.({ ...helper, isHelper: true }, 'before');
      return true;
    }
    const parent = pickText(event, 'parentUuid');
    // Results of calls that ran side by side name each its own call; only what a person says goes back.
    if (type === 'user' && isSaid(event)) {
      const isFirst = event.parentUuid === null;
      if (isFirst ? hasWords : parent !== undefined && parent !== last) listener.rewound?.(parent);
      hasWords = true;
    }
    last = key ?? last;
    if (type === 'system') return readSystem(event, listener);
    if (type === 'attachment') {
      listener.item?.(itemAt(attachmentItem(objectOf(event.attachment) ?? {}), place));
      return true;
    }
    if (type === 'user') {
      readUser(event, place);
      return true;
    }
    const told = requestIn(event);
    if (told !== undefined) listener.request?.(told, told.id === request ? 'behind' : 'before');
    request = told?.id ?? request;
    readAssistant(event, place);
    return true;
  };
}

function readSystem(event: JsonObject, listener: SessionListener): boolean {
  if (event.subtype !== 'compact_boundary') return true;
  const about = event.compactMetadata;
  const trigger = pickText(about, 'trigger');
  const kept = pick(about, 'preservedMessages', 'uuids');
  listener.compacted?.({
    at: timeOf(event.timestamp),
    by: trigger === 'auto' ? 'itself' : trigger === 'manual' ? 'request' : 'unknown',
    tokensBefore: pickCount(about, 'preTokens'),
    tokensAfter: pickCount(about, 'postTokens'),
  });
  listener.replaced?.(new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []));
  return true;
}

function requestIn(event: JsonObject) {
  const id = pickText(event, 'message', 'id');
  const model = pickText(event, 'message', 'model');
  const usage = pick(event, 'message', 'usage');
  const fresh = pickCount(usage, 'input_tokens');
  if (id === undefined || model === undefined || model === '<synthetic>' || fresh === undefined)
    return undefined;
  const cachedInputTokens = pickCount(usage, 'cache_read_input_tokens') ?? 0;
  const cacheWriteTokens = pickCount(usage, 'cache_creation_input_tokens') ?? 0;
  const told: Usage = {
    inputTokens: fresh + cachedInputTokens + cacheWriteTokens,
    outputTokens: pickCount(usage, 'output_tokens') ?? 0,
    cachedInputTokens,
    cacheWriteTokens,
  };
  const isHour = (pickCount(usage, 'cache_creation', 'ephemeral_1h_input_tokens') ?? 0) > 0;
  return { id, model, usage: told, at: timeOf(event.timestamp), lifeMs: isHour ? hour : undefined };
}

const listings = new Set([
  'skill_listing',
  'agent_listing_delta',
  'deferred_tools_delta',
  'mcp_instructions_delta',
]);

/** What the CLI adds in the user's place: lists of what there is, memory files, files that were named. */
function attachmentItem(attachment: JsonObject): ToldItem {
  const kind = pickText(attachment, 'type') ?? '';
  if (listings.has(kind)) {
    const lines = Array.isArray(attachment.addedLines) ? attachment.addedLines : [];
    return { part: 'tools', text: [textIn(attachment.content), ...lines.map(String)].join('\n') };
  }
  const target = pickText(attachment, 'filename') ?? pickText(attachment, 'path');
  if (/memory/.test(kind)) return { part: 'memory', text: textIn(attachment.content), target };
  const file = pickText(attachment, 'content', 'file', 'content');
  if (file === undefined)
    return { part: 'added', text: textIn(attachment.content ?? attachment.snippet), target };
  // The model gets its lines with their numbers.
  const first = pickCount(attachment, 'content', 'file', 'startLine') ?? 1;
  const numbered = file.split('\n').map((text, at) => `${first + at}\t${text}`);
  return { part: 'result', tool: 'Read', target, text: numbered.join('\n') };
}

/** Words of a person, not what a command of the CLI left behind, nor a result. */
function isSaid(event: JsonObject): boolean {
  if (event.isMeta === true || event.isCompactSummary === true) return false;
  const content = pick(event, 'message', 'content');
  return typeof content === 'string' || blocksOf(content).some(({ type }) => type === 'text');
}

export const isCommandEcho = (text: string) =>
  /^\s*<(?:local-command|command-name|command-message|bash-)/.test(text);

/** All words of a value that may be a text, a block, or a list of them. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  return (
    pickText(value, 'text') ?? (pick(value, 'content') === undefined ? '' : textIn(pick(value, 'content')))
  );
}

export function blocksOf(content: unknown): readonly JsonObject[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).filter((block) => objectOf(block) !== undefined) as JsonObject[];
}

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
