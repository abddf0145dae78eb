// One request as the provider's package takes it: our text as it is, cache markers where they pay, the shape of the answer
// where the provider can be held to it.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import type { AnswerShape, ModelRequest } from '../model.js';
import { cacheKeyOf } from './cache-key.js';
import type { ContentBlock, ContentBlocks } from './content-blocks.js';
import type { Endpoint } from './endpoint.js';

type Options = SharedV3ProviderOptions[string];

const markers: Partial<Record<Endpoint['protocol'], Options>> = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  openai: { promptCacheBreakpoint: { mode: 'explicit' } },
};

export function wireCall(
  request: ModelRequest,
  blocks: ContentBlocks,
  endpoint: Endpoint,
): LanguageModelV3CallOptions {
  const { maxOutputTokens, shape } = request;
  const responseFormat = shape === undefined ? undefined : formatOf(shape, endpoint);
  const options = callOptions(request, blocks, endpoint);
  return {
    prompt: promptOf(blocks, endpoint),
    includeRawChunks: endpoint.protocol === 'openai' || endpoint.protocol === 'compatible',
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(responseFormat === undefined ? {} : { responseFormat }),
    ...(options === undefined ? {} : { providerOptions: options }),
  };
}

function promptOf(blocks: ContentBlocks, { protocol }: Endpoint): LanguageModelV3Prompt {
  const marker = markers[protocol];
  const marked = ({ marked }: ContentBlock) =>
    marked && marker !== undefined ? { providerOptions: { [protocol]: marker } } : {};
  return [
    ...blocks.system.map((block) => ({ role: 'system' as const, content: block.text, ...marked(block) })),
    {
      role: 'user',
      content: blocks.prompt.map((block) => ({ type: 'text' as const, text: block.text, ...marked(block) })),
    },
  ];
}

function callOptions(
  request: ModelRequest,
  blocks: ContentBlocks,
  { protocol }: Endpoint,
): SharedV3ProviderOptions | undefined {
  if (protocol !== 'openai') return undefined;
  const { shape } = request;
  const isMarked = [...blocks.system, ...blocks.prompt].some(({ marked }) => marked);
  const promptCacheKey = cacheKeyOf(request);
  return {
    openai: {
      store: false,
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
): LanguageModelV3CallOptions['responseFormat'] {
  if (protocol === 'compatible' && shapes === 'none') return undefined;
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
