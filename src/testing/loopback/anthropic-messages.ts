// The Anthropic Messages protocol, as its SDKs and Claude Code speak it; on Vertex the path names the model.

import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.js';
import { anthropicMinimum, type PromptBlock } from './prefix-cache.js';
import {
  type Asked,
  type Frame,
  type Frames,
  type Protocol,
  type Request,
  type Spoken,
  writtenInput,
} from './protocol.js';
import type { ReportedUsage } from './reply.js';

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
const stopReasons = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal', blocked: 'refusal' };

export const anthropicMessages: Protocol = {
  name: 'anthropic-messages',
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  matches: (path) => /\/messages(?:\/count_tokens)?$|:(?:streamRawPredict|rawPredict)$/.test(path),
  counts: (path) => path.endsWith('/count_tokens'),
  countBody: (tokens) => ({ input_tokens: tokens }),
  cache: (request) => ({ kind: 'markers', minimumTokens: anthropicMinimum(modelOf(request) ?? '') }),
  ask,
  prompt,
  body: (spoken) => ({
    ...message(spoken, contentOf(spoken)),
    ...ending(spoken),
    usage: usageOf(spoken.usage),
  }),
  frames,
  error,
  errorFrame: (_, text) => named(error(529, text)),
};

function error(status: number, text: string): JsonObject {
  const type = errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message: text }, request_id: 'req_loopback' };
}

function modelOf({ body, path }: Request): string | undefined {
  if (body.model !== undefined) return textOf(body.model);
  const named = /\/models\/([^/:]+):/.exec(path)?.[1];
  return named === undefined ? undefined : decodeURIComponent(named);
}

function ask(request: Request): Asked {
  const { body } = request;
  const format = objectOf(body.output_format) ?? objectOf(objectOf(body.output_config)?.format);
  const choice = objectOf(body.tool_choice);
  const tools = objectsOf(body.tools);
  const forced =
    choice?.type === 'tool'
      ? textOf(choice.name)
      : choice?.type === 'any' && tools.length === 1
        ? textOf(tools[0]?.name)
        : undefined;
  const tool = tools.find(({ name }) => name === forced);
  const complaint = complaintAbout(request);
  return {
    model: modelOf(request) ?? '',
    stream: body.stream === true,
    schema: objectOf(format?.schema) ?? objectOf(tool?.input_schema),
    forcedTool: format === undefined ? forced : undefined,
    ...(complaint === undefined ? {} : { complaint }),
  };
}

function complaintAbout(request: Request): string | undefined {
  const { body, path } = request;
  if (modelOf(request) === undefined) return 'model: Field required';
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages: Field required';
  if (body.max_tokens === undefined && !path.endsWith('/count_tokens')) return 'max_tokens: Field required';
  const marked = prompt(body).filter(({ marker }) => marker !== undefined);
  if (marked.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  if (marked.some(({ text }) => text === '')) return 'cache_control cannot be set for empty text blocks';
  const short = marked.findIndex(({ marker }) => marker === '5m');
  if (short >= 0 && marked.findLastIndex(({ marker }) => marker === '1h') > short)
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
  return undefined;
}

function prompt(body: JsonObject): readonly PromptBlock[] {
  const blocks: PromptBlock[] = [
    ...objectsOf(body.tools).map((tool) => blockOf('tools', 'tool', tool)),
    ...contentBlocks(body.system).map((block) => blockOf('system', textOf(block.type), block)),
  ];
  // A change here costs the messages their cache, and leaves tools and system theirs.
  let salt = JSON.stringify([body.tool_choice ?? null, body.thinking ?? null]);
  for (const { role, content } of objectsOf(body.messages)) {
    for (const [index, block] of contentBlocks(content).entries()) {
      blocks.push(
        blockOf('messages', `${salt}${index === 0 ? '+' : ''}${textOf(role)}:${textOf(block.type)}`, block),
      );
      salt = '';
    }
  }
  const last = blocks.at(-1);
  const automatic = objectOf(body.cache_control);
  if (automatic !== undefined && last !== undefined)
    blocks[blocks.length - 1] = { ...last, marker: lifeOf(automatic) };
  return blocks;
}

function contentBlocks(content: unknown): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
}

function blockOf(part: PromptBlock['part'], label: string, block: JsonObject): PromptBlock {
  const controls: JsonObject[] = [];
  // Markers also stand inside the results of tools; where they stand is no part of the text.
  const bare = JSON.stringify(block, (name, value: unknown) => {
    if (name !== 'cache_control') return value;
    controls.push(objectOf(value) ?? {});
    return undefined;
  });
  const text = block.type === 'text' ? textOf(block.text) : bare;
  const [control] = controls;
  return { part, label, text, ...(control === undefined ? {} : { marker: lifeOf(control) }) };
}

function lifeOf(control: JsonObject): '5m' | '1h' {
  return control.ttl === '1h' ? '1h' : '5m';
}

function usageOf({ input, output, cacheRead, cacheWrite, cacheWriteHour = 0 }: ReportedUsage): JsonObject {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrite - cacheWriteHour,
      ephemeral_1h_input_tokens: cacheWriteHour,
    },
    output_tokens: output,
    service_tier: 'standard',
  };
}

function message({ number, model }: Spoken, content: readonly JsonObject[]): JsonObject {
  return { id: `msg_loopback_${number}`, type: 'message', role: 'assistant', model, content };
}

function ending({ finish, toolCalls }: Spoken): JsonObject {
  const reason = finish === 'stop' && toolCalls.length > 0 ? 'tool_use' : stopReasons[finish];
  return { stop_reason: reason, stop_sequence: null };
}

const signature = 'bG9vcGJhY2s=';

function contentOf({ number, reasoning, chunks, toolCalls }: Spoken): readonly JsonObject[] {
  return [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature }]),
    ...(chunks.length === 0 ? [] : [{ type: 'text', text: chunks.join('') }]),
    ...toolCalls.map(({ name, input }, index) => ({
      type: 'tool_use',
      id: toolId(number, index),
      name,
      input,
    })),
  ];
}

const toolId = (number: number, index: number) => `toolu_loopback_${number}_${index}`;
const named = (data: JsonObject): Frame => ({ event: textOf(data.type), data });

/** A block that comes with as many deltas as given. */
function blockEvents(index: number, block: JsonObject, deltas: readonly JsonObject[]): readonly JsonObject[] {
  return [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function frames(spoken: Spoken): Frames {
  const { number, reasoning, chunks, toolCalls, usage } = spoken;
  const before = reasoning === '' ? 0 : 1;
  const said = chunks.map((text) => ({ type: 'text_delta', text }));
  const text = blockEvents(before, { type: 'text', text: '' }, said);
  const started = { ...message(spoken, []), stop_reason: null, stop_sequence: null };
  const thoughts = blockEvents(0, { type: 'thinking', thinking: '', signature: '' }, [
    { type: 'thinking_delta', thinking: reasoning },
    { type: 'signature_delta', signature },
  ]);
  const tools = toolCalls.flatMap((call, place) =>
    blockEvents(
      place + before + (chunks.length > 0 ? 1 : 0),
      { type: 'tool_use', id: toolId(number, place), name: call.name, input: {} },
      [{ type: 'input_json_delta', partial_json: writtenInput(call) }],
    ),
  );
  const opening: JsonObject[] = [
    { type: 'message_start', message: { ...started, usage: usageOf({ ...usage, output: 1 }) } },
    { type: 'ping' },
    ...(before > 0 ? thoughts : []),
    ...(chunks.length > 0 ? text.slice(0, 1) : []),
  ];
  const closing: JsonObject[] = [
    ...(chunks.length > 0 ? text.slice(-1) : []),
    ...tools,
    { type: 'message_delta', delta: ending(spoken), usage: usageOf(usage) },
    { type: 'message_stop' },
  ];
  return {
    opening: opening.map(named),
    deltas: text.slice(1, -1).map(named),
    closing: closing.map(named),
  };
}
