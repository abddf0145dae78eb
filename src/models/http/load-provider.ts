// A provider's own package, loaded when it is first used, for its wire protocol only; and the one guarded way out that it is given.
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Fetch } from '../../network/outgoing-fetch.js';
import { type CallTarget, callFailure } from './call-failure.js';
import type { Connection } from './connection.js';

export async function loadProvider(
  connection: Connection,
  model: string,
  fetch: Fetch,
): Promise<LanguageModelV3> {
  const { endpoint, baseUrl: baseURL = '', key: apiKey = '' } = connection;
  if (endpoint.cloud !== undefined) {
    const { openCloud } = await import('./open-cloud.js');
    return openCloud(endpoint.cloud, connection, { model, fetch });
  }
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
    default: {
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

const maxLine = 20 * 1024 * 1024;
const maxComplaint = 256 * 1024;
const newline = 0x0a;

/**
 * The only way out to a provider: no redirect that would carry the key elsewhere, no endless line or frame, no page in place of a stream.
 */
export function guardedFetch(target: CallTarget, inner: Fetch = globalThis.fetch): Fetch {
  return async (input, init) => {
    const response = await inner(input, { ...init, redirect: 'manual' });
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    if (!response.ok)
      return new Response(guarded(body, atMost(maxComplaint)), { status, statusText, headers });
    if (/html|application\/json/i.test(headers.get('content-type') ?? '')) {
      await body.cancel().catch(() => undefined);
      throw callFailure(target, 'malformed', { status });
    }
    const isFramed = /amazon\.eventstream/i.test(headers.get('content-type') ?? '');
    const bounded = isFramed ? boundedFrames(target) : boundedLines(target);
    return new Response(guarded(body, bounded), { status, statusText, headers });
  };
}

type Take = (chunk: Uint8Array) => Uint8Array | 'enough';

/** The same bytes, as long as they are taken. */
function guarded(body: ReadableStream<Uint8Array>, take: Take): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      const taken = done ? 'enough' : take(value);
      if (taken !== 'enough') return controller.enqueue(taken);
      controller.close();
      if (!done) await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Of what is said beside an error only so much is read. */
function atMost(limit: number): Take {
  let rest = limit;
  return (chunk) => {
    if (rest <= 0) return 'enough';
    const part = chunk.subarray(0, rest);
    rest -= chunk.length;
    return part;
  };
}

function boundedLines(target: CallTarget): Take {
  let line = 0;
  return (chunk) => {
    const last = chunk.lastIndexOf(newline);
    line = last === -1 ? line + chunk.length : chunk.length - last - 1;
    if (line > maxLine) throw callFailure(target, 'too-large');
    return chunk;
  };
}

/** Bedrock's stream: every frame begins with its length, and is kept until it is whole. */
function boundedFrames(target: CallTarget): Take {
  let head = Buffer.alloc(0);
  let rest = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + (rest === 0 ? 4 - head.length : rest));
      at += part.length;
      if (rest > 0) {
        rest -= part.length;
        continue;
      }
      head = Buffer.concat([head, part]);
      if (head.length < 4) break;
      rest = head.readUInt32BE() - head.length;
      head = Buffer.alloc(0);
      if (rest <= 0 || rest > maxLine) throw callFailure(target, 'malformed');
    }
    return chunk;
  };
}
