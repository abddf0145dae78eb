// One request as the provider's package takes it: our text as it is, cache markers where they pay, the shape of the answer
// where the provider can be held to it.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import { canonicalJson } from '../../core/model/canonical-json.js';
import { GalleyError } from '../../core/model/error.js';
import { pick } from '../answer/json-fields.js';
import type { AnswerShape, ModelRequest, Sampling, SpeakerRules } from '../contract/model.js';
import type { Connection } from './connection.js';
import { type ContentBlock, type ContentBlocks, cacheKeyOf, wholeBlocks } from './content-blocks.js';
import type { Endpoint, Protocol } from './endpoint.js';
import { loadProvider } from './load-provider.js';

type Options = SharedV3ProviderOptions[string];

interface WireTarget {
  readonly endpoint: Endpoint;
  readonly model: string;
}

const markers: Partial<Record<Protocol, Options>> = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  openai: { promptCacheBreakpoint: { mode: 'explicit' } },
  bedrock: { cachePoint: { type: 'default' } },
};

export function wireCall(
  request: ModelRequest,
  blocks: ContentBlocks,
  { endpoint, model }: WireTarget,
): LanguageModelV3CallOptions {
  const { maxOutputTokens, shape, sampling } = request;
  const responseFormat = shape === undefined ? undefined : formatOf(shape, endpoint, model);
  const options = callOptions(request, blocks, endpoint);
  return {
    prompt: promptOf(blocks, endpoint),
    includeRawChunks: endpoint.protocol === 'openai' || endpoint.protocol === 'compatible',
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(sampling === undefined ? {} : samplingOf(sampling)),
    ...(responseFormat === undefined ? {} : { responseFormat }),
    ...(options === undefined ? {} : { providerOptions: options }),
  };
}

function samplingOf({ user: _, stop, ...numbers }: Sampling): Partial<LanguageModelV3CallOptions> {
  return { ...numbers, ...(stop === undefined ? {} : { stopSequences: [...stop] }) };
}

/** What a provider takes of messages in any order; what its package would move, join or drop is not taken. */
export function speakerRules(endpoint: Endpoint, model: string): SpeakerRules {
  const { protocol } = endpoint;
  const anywhere = protocol === 'compatible' || protocol === 'openai';
  const first = takesSystem(endpoint, model) ? 'first' : 'never';
  return {
    system: anywhere ? 'anywhere' : first,
    names: protocol === 'compatible',
    trimsLast: protocol === 'anthropic' || protocol === 'bedrock',
  };
}

/** Each message as it was said; parts of one stay parts. */
function spokenPrompt(blocks: readonly ContentBlock[], endpoint: Endpoint): LanguageModelV3Prompt {
  const marker = markers[endpoint.protocol];
  const messages: LanguageModelV3Prompt = [];
  for (const { text, marked, speaker } of blocks) {
    const { role = 'user', name, more } = speaker ?? {};
    const options = {
      ...(marked && marker !== undefined ? { [optionsName(endpoint)]: marker } : {}),
      ...(name === undefined ? {} : { openaiCompatible: { name } }),
    };
    const beside = Object.keys(options).length === 0 ? {} : { providerOptions: options };
    const part = { type: 'text' as const, text, ...beside };
    const last = messages.at(-1);
    if (role === 'system') messages.push({ role, content: text, ...beside });
    else if (more && last?.role === 'user') last.content.push(part);
    // A name belongs to the message; one of a single part takes it from there.
    else messages.push({ role, content: [part], ...(name === undefined ? {} : beside) });
  }
  return messages;
}

function promptOf(blocks: ContentBlocks, endpoint: Endpoint): LanguageModelV3Prompt {
  if (blocks.prompt[0]?.speaker !== undefined) return spokenPrompt(blocks.prompt, endpoint);
  const marker = markers[endpoint.protocol];
  const marked = ({ marked }: ContentBlock) =>
    marked && marker !== undefined ? { providerOptions: { [optionsName(endpoint)]: marker } } : {};
  const messages: ContentBlock[][] = [];
  for (const block of blocks.prompt) {
    const last = messages.at(-1);
    if (last !== undefined && last[0]?.isAnswer === block.isAnswer) last.push(block);
    else messages.push([block]);
  }
  return [
    ...blocks.system.map((block) => ({ role: 'system' as const, content: block.text, ...marked(block) })),
    ...messages.map((message) => ({
      role: message[0]?.isAnswer === true ? ('assistant' as const) : ('user' as const),
      content: message.map((block) => ({ type: 'text' as const, text: block.text, ...marked(block) })),
    })),
  ];
}

/** Under which name a package looks for its options. */
function optionsName({ protocol, cloud }: Endpoint): string {
  return cloud === 'azure' ? cloud : protocol;
}

function callOptions(
  request: ModelRequest,
  blocks: ContentBlocks,
  endpoint: Endpoint,
): SharedV3ProviderOptions | undefined {
  const { shape, sampling } = request;
  const user = sampling?.user;
  if (endpoint.protocol === 'compatible' && user !== undefined) return { openaiCompatible: { user } };
  if (endpoint.protocol !== 'openai') return undefined;
  const isMarked = [...blocks.system, ...blocks.prompt].some(({ marked }) => marked);
  const promptCacheKey = cacheKeyOf(request);
  return {
    [optionsName(endpoint)]: {
      store: false,
      ...(user === undefined ? {} : { user }),
      ...(promptCacheKey === undefined ? {} : { promptCacheKey }),
      ...(isMarked ? { promptCacheOptions: { mode: 'explicit' } } : {}),
      ...(shape === undefined ? {} : { strictJsonSchema: isStrict(shape.schema) }),
    },
  };
}

/** Google's package writes the system text of Gemma into the prompt, with words of its own between. */
export function takesSystem({ protocol }: Endpoint, model: string): boolean {
  return protocol !== 'google' || !/^gemma-/i.test(model);
}

function formatOf(
  { name, schema }: AnswerShape,
  { protocol, shapes = 'none' }: Endpoint,
  model: string,
): LanguageModelV3CallOptions['responseFormat'] {
  if (protocol === 'compatible' && shapes === 'none') return undefined;
  // It would be the input of a tool that must be called, which few models of others take.
  if (protocol === 'bedrock' && !/anthropic/i.test(model)) return undefined;
  return { type: 'json', schema, name: name.replaceAll(/[^\w-]/g, '_').slice(0, 64) };
}

/** OpenAI holds a model to a schema only when every field is required and no other is allowed. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (typeof properties === 'object' && properties !== null) {
    const names = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || Object.keys(properties).some((name) => !names.includes(name)))
      return false;
  }
  return Object.values(schema).every(isStrict);
}

const schemaIn: Record<Protocol, (body: unknown) => unknown> = {
  anthropic: (body) => {
    const tools = pick(body, 'tools');
    return (
      pick(body, 'output_config', 'format', 'schema') ??
      (Array.isArray(tools) ? pick(tools[0], 'input_schema') : undefined)
    );
  },
  openai: (body) => pick(body, 'text', 'format', 'schema'),
  google: (body) => pick(body, 'generationConfig', 'responseSchema'),
  bedrock: (body) => {
    const tools = pick(body, 'toolConfig', 'tools');
    return (
      pick(body, 'additionalModelRequestFields', 'output_config', 'format', 'schema') ??
      (Array.isArray(tools) ? pick(tools[0], 'toolSpec', 'inputSchema', 'json') : undefined)
    );
  },
  compatible: (body) => pick(body, 'response_format', 'json_schema', 'schema'),
};

/** A second time is usual for packages that rewrite; more means that they never settle. */
const maxRounds = 4;

/**
 * The schema of an answer as a provider will get it. Its package rewrites schemas, so it is asked with a wire that leads nowhere,
 * until what it makes of a schema is the schema itself.
 */
export async function answerForm(
  connection: Connection,
  model: string,
  { name, schema }: AnswerShape,
): Promise<string | undefined> {
  const { endpoint } = connection;
  let form = canonicalJson(schema);
  for (let round = 0; round < maxRounds; round += 1) {
    const request = {
      prompt: 'form',
      timeouts: { firstByteMs: 1, totalMs: 1 },
      shape: { name, schema: JSON.parse(form) },
    };
    const order = wireCall(request, wholeBlocks(request), { endpoint, model });
    const found = schemaIn[endpoint.protocol](await bodyOf(connection, model, order));
    if (found === undefined) return undefined;
    const next = canonicalJson(found);
    if (next === form) return form;
    form = next;
  }
  return undefined;
}

/** Undefined where the package refuses to make one. */
async function bodyOf(
  connection: Connection,
  model: string,
  order: LanguageModelV3CallOptions,
): Promise<unknown> {
  let body: unknown;
  // Nobody has to be signed in for a call that goes nowhere.
  const stranger = { ...connection, key: connection.key ?? 'none' };
  const provider = await loadProvider(stranger, model, async (_, init) => {
    body = JSON.parse(String(init?.body));
    throw new GalleyError('CANCELLED', 'Nothing is sent.');
  });
  await Promise.resolve(provider.doStream(order)).catch(() => undefined);
  return body;
}
