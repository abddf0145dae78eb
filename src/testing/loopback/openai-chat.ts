// OpenAI Chat Completions, also as DeepSeek, Ollama and vLLM speak it: they differ in the usage they report and the cache they keep.
// The first step of the path says whose dialect it is: /deepseek/v1/chat/completions.
import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.js';
import { breakpointOf, openaiCache } from './openai-cache.js';
import { openaiError } from './openai-error.js';
import { type CachePolicy, type PromptBlock, toolBlocks } from './prefix-cache.js';
import {
  type Asked,
  type Frame,
  type Frames,
  type Protocol,
  type Request,
  type Spoken,
  writtenInput,
} from './protocol.js';

type Dialect = 'openai' | 'deepseek' | 'ollama' | 'vllm';
const minute = 60_000;

export const openaiChat: Protocol = {
  name: 'openai-chat',
  keepAlive: ': keep-alive\n\n',
  matches: (path) => path.endsWith('/chat/completions'),
  counts: () => false,
  countBody: (tokens) => ({ tokens }),
  cache,
  ask,
  prompt,
  body: (spoken, request) => ({
    ...envelope(spoken, 'chat.completion'),
    choices: [{ index: 0, message: messageOf(spoken), logprobs: null, finish_reason: finishOf(spoken) }],
    usage: usageOf(spoken, dialectOf(request.path)),
  }),
  frames,
  error: openaiError,
  errorFrame: (_, message) => ({ data: openaiError(500, message) }),
};

function dialectOf(path: string): Dialect {
  const found = /^\/(deepseek|ollama|vllm)\//.exec(path)?.[1];
  return (found as Dialect | undefined) ?? 'openai';
}

function cache({ path, body }: Request): CachePolicy {
  const dialect = dialectOf(path);
  if (dialect === 'ollama') return { kind: 'none' };
  // An engine computes at least the last token itself, so a whole prompt is never read from the cache.
  if (dialect === 'vllm')
    return { kind: 'tokens', minimumTokens: 16, step: 16, lastIsFresh: true, lifeMs: Infinity };
  if (dialect === 'deepseek') return { kind: 'tokens', minimumTokens: 64, step: 64, lifeMs: 240 * minute };
  return openaiCache(body);
}

function ask({ body }: Request): Asked {
  const format = objectOf(body.response_format);
  const choice = objectOf(objectOf(body.tool_choice)?.function);
  const tool = objectsOf(body.tools).find((one) => objectOf(one.function)?.name === choice?.name);
  const named = format?.type === 'json_schema' ? objectOf(objectOf(format.json_schema)?.schema) : undefined;
  const anything = format?.type === 'json_object' ? { type: 'object' } : undefined;
  const valid = body.model !== undefined && Array.isArray(body.messages);
  return {
    model: textOf(body.model),
    stream: body.stream === true,
    schema: named ?? anything ?? objectOf(objectOf(choice && tool?.function)?.parameters),
    forcedTool: choice === undefined ? undefined : textOf(choice.name),
    ...(valid ? {} : { complaint: "Missing required parameter: 'model' or 'messages'." }),
  };
}

function prompt(body: JsonObject): readonly PromptBlock[] {
  const messages = objectsOf(body.messages).flatMap((message) => {
    const role = textOf(message.role);
    const part = role === 'system' || role === 'developer' ? ('system' as const) : ('messages' as const);
    const { content } = message;
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
    const calls = message.tool_calls === undefined ? [] : [{ type: 'calls', calls: message.tool_calls }];
    return [...parts, ...calls].map((block: JsonObject, index) => ({
      part,
      label: `${index === 0 ? '+' : ''}${role}:${textOf(block.type)}`,
      text: block.type === 'text' ? textOf(block.text) : JSON.stringify(block),
      ...breakpointOf(block),
    }));
  });
  return [...toolBlocks(body), ...messages];
}

function usageOf({ usage }: Spoken, dialect: Dialect): JsonObject {
  const { input, output, cacheRead, cacheWrite } = usage;
  const plain = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const cached = { prompt_tokens_details: { cached_tokens: cacheRead } };
  if (dialect === 'ollama') return plain;
  if (dialect === 'vllm') return { ...plain, ...cached };
  if (dialect === 'deepseek')
    return {
      ...plain,
      ...cached,
      prompt_cache_hit_tokens: cacheRead,
      prompt_cache_miss_tokens: input - cacheRead,
    };
  return {
    ...plain,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

const envelope = ({ number, model }: Spoken, object: string): JsonObject => ({
  id: `chatcmpl-loopback-${number}`,
  object,
  created: 1_700_000_000,
  model,
  system_fingerprint: 'fp_loopback',
});

function finishOf({ finish, toolCalls }: Spoken): string {
  if (finish === 'length') return 'length';
  if (finish === 'blocked') return 'content_filter';
  return finish === 'stop' && toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

const callsOf = ({ number, toolCalls }: Spoken) =>
  toolCalls.map((call, index) => ({
    index,
    id: `call_loopback_${number}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: writtenInput(call) },
  }));

function messageOf(spoken: Spoken): JsonObject {
  const text = spoken.chunks.join('');
  const refused = spoken.finish === 'refusal';
  const calls = callsOf(spoken).map(({ index: _, ...call }) => call);
  return {
    role: 'assistant',
    content: refused || (text === '' && calls.length > 0) ? null : text,
    refusal: refused ? text : null,
    ...(spoken.reasoning === '' ? {} : { reasoning_content: spoken.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function frames(spoken: Spoken, { path, body }: Request): Frames {
  const dialect = dialectOf(path);
  const chunk = (choices: readonly JsonObject[], more: JsonObject = {}): Frame => ({
    data: { ...envelope(spoken, 'chat.completion.chunk'), choices, ...more },
  });
  const delta = (piece: JsonObject, finish: string | null = null) => [
    { index: 0, delta: piece, logprobs: null, finish_reason: finish },
  ];
  const thought = spoken.reasoning;
  const thoughts = thought === '' ? [] : [chunk(delta({ reasoning_content: thought }))];
  const field = spoken.finish === 'refusal' ? 'refusal' : 'content';
  const usage = { usage: usageOf(spoken, dialect) };
  const counted = objectOf(body.stream_options)?.include_usage === true;
  const calls = callsOf(spoken).map((call) => chunk(delta({ tool_calls: [call] })));
  // DeepSeek reports in its last choice whether asked or not.
  const last = chunk(delta({}, finishOf(spoken)), dialect === 'deepseek' ? usage : {});
  const extra = counted && dialect !== 'deepseek' ? [chunk([], usage)] : [];
  return {
    opening: [chunk(delta({ role: 'assistant', content: '', refusal: null })), ...thoughts],
    deltas: spoken.chunks.map((text) => chunk(delta({ [field]: text }))),
    closing: [...calls, last, ...extra, { data: '[DONE]' }],
  };
}
