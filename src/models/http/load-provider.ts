// The provider's own package, loaded when it is first used and never before; only its wire protocol is used.
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Connection } from './connection.js';

export type Fetch = typeof globalThis.fetch;

export async function loadProvider(
  connection: Connection,
  model: string,
  fetch: Fetch,
): Promise<LanguageModelV3> {
  const { endpoint, baseUrl: baseURL, key: apiKey = '' } = connection;
  switch (endpoint.protocol) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch }).languageModel(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL, apiKey, fetch }).responses(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ baseURL, apiKey, fetch }).languageModel(model);
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: endpoint.name,
        baseURL,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: endpoint.shapes === 'schema',
        ...(apiKey === '' ? {} : { apiKey }),
      }).languageModel(model);
    }
  }
}
