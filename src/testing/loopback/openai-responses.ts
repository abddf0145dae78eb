// The OpenAI Responses protocol, as its SDKs and Codex speak it.
import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.js';
import { breakpointOf, openaiCache } from './openai-cache.js';
import { openaiError } from './openai-error.js';
import { type PromptBlock, toolBlocks } from './prefix-cache.js';
import {
  type Asked,
  type Frame,
  type Frames,
  type Protocol,
  type Request,
  type Spoken,
  writtenInput,
} from './protocol.js';

export const openaiResponses: Protocol = {
  name: 'openai-responses',
  keepAlive: ': keep-alive\n\n',
  matches: (path) => /\/responses(?:\/input_tokens)?$/.test(path),
  counts: (path) => path.endsWith('/input_tokens'),
  countBody: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  cache: ({ body }) => openaiCache(body),
  ask,
  prompt,
  body: (spoken) => finished(spoken),
  frames,
  error: openaiError,
  errorFrame: (spoken, message) =>
    named({
      type: 'response.failed',
      sequence_number: 1000,
      response: {
        ...response(spoken, 'failed', []),
        error: { code: 'server_error', message },
        usage: null,
      },
    }),
};

function ask({ body }: Request): Asked {
  const format = objectOf(objectOf(body.text)?.format);
  const choice = objectOf(body.tool_choice);
  const forced = choice?.type === 'function' ? textOf(choice.name) : undefined;
  const tool = objectsOf(body.tools).find(({ name }) => name === forced);
  const anything = format?.type === 'json_object' ? { type: 'object' } : undefined;
  const valid = body.model !== undefined && body.input !== undefined;
  return {
    model: textOf(body.model),
    stream: body.stream === true,
    schema: objectOf(format?.schema) ?? anything ?? objectOf(tool?.parameters),
    forcedTool: forced,
    ...(valid ? {} : { complaint: "Missing required parameter: 'model' or 'input'." }),
  };
}

function prompt(body: JsonObject): readonly PromptBlock[] {
  const { instructions, input } = body;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input);
  return [
    ...toolBlocks(body),
    ...(typeof instructions === 'string'
      ? [{ part: 'system' as const, label: 'instructions', text: instructions }]
      : []),
    ...items.flatMap(itemBlocks),
  ];
}

function itemBlocks(item: JsonObject): readonly PromptBlock[] {
  const role = textOf(item.role);
  const part = role === 'system' || role === 'developer' ? 'system' : 'messages';
  const { content } = item;
  const plain = typeof content === 'string' ? [{ type: 'input_text', text: content }] : objectsOf(content);
  // A call or its result has no role and no content: the whole item is the block.
  const parts = role === '' ? [item] : plain;
  return parts.map((block, index) => ({
    part,
    label: `${index === 0 ? '+' : ''}${role}:${textOf(block.type)}`,
    text: typeof block.text === 'string' ? block.text : JSON.stringify(block),
    ...breakpointOf(block),
  }));
}

function response({ number, model }: Spoken, status: string, output: readonly JsonObject[]): JsonObject {
  return {
    id: `resp_loopback_${number}`,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: null,
  };
}

/** Why an answer is incomplete. */
const cuts: Partial<Record<Spoken['finish'], string>> = {
  length: 'max_output_tokens',
  blocked: 'content_filter',
};

function finished(spoken: Spoken): JsonObject {
  const { input, output, cacheRead, cacheWrite } = spoken.usage;
  const cut = cuts[spoken.finish];
  return {
    ...response(spoken, cut === undefined ? 'completed' : 'incomplete', outputOf(spoken)),
    incomplete_details: cut === undefined ? null : { reason: cut },
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function outputOf(spoken: Spoken): readonly JsonObject[] {
  const message = { ...messageItem(spoken, 'completed'), content: [partOf(spoken, spoken.chunks.join(''))] };
  return [...thoughtItems(spoken), ...(spoken.chunks.length === 0 ? [] : [message]), ...callItems(spoken)];
}

function thoughtItems({ number, reasoning }: Spoken): readonly JsonObject[] {
  if (reasoning === '') return [];
  const summary = [{ type: 'summary_text', text: reasoning }];
  return [{ id: `rs_loopback_${number}`, type: 'reasoning', summary }];
}

function messageItem({ number }: Spoken, status: string): JsonObject {
  return { id: `msg_loopback_${number}`, type: 'message', status, role: 'assistant', content: [] };
}

function partOf({ finish }: Spoken, text: string): JsonObject {
  if (finish === 'refusal') return { type: 'refusal', refusal: text };
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function callItems({ number, toolCalls }: Spoken): readonly JsonObject[] {
  return toolCalls.map((call, index) => ({
    id: `${call.freeform ? 'ctc' : 'fc'}_loopback_${number}_${index}`,
    type: call.freeform ? 'custom_tool_call' : 'function_call',
    status: 'completed',
    call_id: `call_loopback_${number}_${index}`,
    name: call.name,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
    ...(call.freeform ? { input: call.raw ?? textOf(call.input) } : { arguments: writtenInput(call) }),
  }));
}

const named = (data: JsonObject): Frame => ({ event: textOf(data.type), data });

function frames(spoken: Spoken): Frames {
  const { number, chunks, finish } = spoken;
  const kind = finish === 'refusal' ? 'response.refusal' : 'response.output_text';
  const thoughts = thoughtItems(spoken);
  const index = thoughts.length;
  const place = { item_id: `msg_loopback_${number}`, output_index: index, content_index: 0 };
  const text = chunks.join('');
  const told = finish === 'refusal' ? { refusal: text } : { text, logprobs: [] };
  const opening: JsonObject[] = [
    { type: 'response.created', response: response(spoken, 'in_progress', []) },
    { type: 'response.in_progress', response: response(spoken, 'in_progress', []) },
    ...thoughts.flatMap((item) => thoughtEvents(item, spoken.reasoning)),
  ];
  const closing: JsonObject[] = [];
  if (chunks.length > 0) {
    opening.push(
      { type: 'response.output_item.added', output_index: index, item: messageItem(spoken, 'in_progress') },
      { type: 'response.content_part.added', ...place, part: partOf(spoken, '') },
    );
    closing.push(
      { type: `${kind}.done`, ...place, ...told },
      { type: 'response.content_part.done', ...place, part: partOf(spoken, text) },
      { type: 'response.output_item.done', output_index: index, item: outputOf(spoken)[index] },
    );
  }
  const deltas: JsonObject[] = chunks.map((delta) => ({
    type: `${kind}.delta`,
    ...place,
    delta,
    logprobs: [],
  }));
  const firstCall = index + (chunks.length > 0 ? 1 : 0);
  closing.push(...callItems(spoken).flatMap((item, which) => callEvents(item, firstCall + which)), {
    type: cuts[finish] === undefined ? 'response.completed' : 'response.incomplete',
    response: finished(spoken),
  });
  let sequence = 0;
  const numbered = (data: JsonObject) => named({ ...data, sequence_number: sequence++ });
  return { opening: opening.map(numbered), deltas: deltas.map(numbered), closing: closing.map(numbered) };
}

function thoughtEvents(item: JsonObject, text: string): readonly JsonObject[] {
  const place = { item_id: item.id, output_index: 0, summary_index: 0 };
  const empty = { type: 'summary_text', text: '' };
  return [
    { type: 'response.output_item.added', output_index: 0, item: { ...item, summary: [] } },
    { type: 'response.reasoning_summary_part.added', ...place, part: empty },
    { type: 'response.reasoning_summary_text.delta', ...place, delta: text },
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part: { ...empty, text } },
    { type: 'response.output_item.done', output_index: 0, item },
  ];
}

function callEvents(item: JsonObject, index: number): readonly JsonObject[] {
  const place = { item_id: item.id, output_index: index };
  const isFreeform = item.type === 'custom_tool_call';
  const field = isFreeform ? 'input' : 'arguments';
  const kind = isFreeform ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const said = { [field]: item[field] };
  return [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, status: 'in_progress', [field]: '' },
    },
    { type: `${kind}.delta`, ...place, delta: item[field] },
    { type: `${kind}.done`, ...place, ...(isFreeform ? {} : { name: item.name }), ...said },
    { type: 'response.output_item.done', output_index: index, item },
  ];
}
