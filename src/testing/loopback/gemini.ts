// The Gemini protocol (generateContent and streamGenerateContent), as its SDKs and the Gemini CLI speak it.

import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.js';
import { geminiMinimum, type PromptBlock, toolBlocks } from './prefix-cache.js';
import type { Asked, Frames, Protocol, Request, Spoken } from './protocol.js';

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
const finishes = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY', blocked: 'SAFETY' };

export const gemini: Protocol = {
  name: 'gemini',
  keepAlive: ': keep-alive\n\n',
  matches: (path) => /:(?:generateContent|streamGenerateContent|countTokens)$/.test(path),
  counts: (path) => path.endsWith(':countTokens'),
  countBody: (tokens) => ({ totalTokens: tokens }),
  cache: ({ path }) => ({
    kind: 'tokens',
    minimumTokens: geminiMinimum(modelOf(path)),
    step: 16,
    lifeMs: 60 * 60_000,
  }),
  ask,
  prompt,
  body: (spoken) =>
    piece(spoken, [...thoughts(spoken), ...textParts(spoken.chunks.join('')), ...callParts(spoken)], true),
  frames,
  error,
  errorFrame: (_, message) => ({ data: error(503, message) }),
};

function error(code: number, message: string, retryAfterSeconds?: number): JsonObject {
  const wait = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterSeconds}s` };
  const details = retryAfterSeconds === undefined ? {} : { details: [wait] };
  return { error: { code, message, status: statuses[code] ?? 'UNKNOWN', ...details } };
}

function modelOf(path: string): string {
  return decodeURIComponent(/\/models\/([^/:]+):/.exec(path)?.[1] ?? '');
}

function ask({ body, path }: Request): Asked {
  const settings = objectOf(body.generationConfig) ?? {};
  const json = settings.responseMimeType === 'application/json' ? { type: 'object' } : undefined;
  const calling = objectOf(objectOf(body.toolConfig)?.functionCallingConfig);
  const names = Array.isArray(calling?.allowedFunctionNames) ? calling.allowedFunctionNames : [];
  return {
    model: modelOf(path),
    stream: path.endsWith(':streamGenerateContent'),
    schema: objectOf(settings.responseJsonSchema) ?? objectOf(settings.responseSchema) ?? json,
    forcedTool: calling?.mode === 'ANY' && names.length === 1 ? textOf(names[0]) : undefined,
    ...(Array.isArray(body.contents) || Array.isArray(objectOf(body.generateContentRequest)?.contents)
      ? {}
      : { complaint: '* GenerateContentRequest.contents: contents is not specified' }),
  };
}

function prompt(body: JsonObject): readonly PromptBlock[] {
  const system = objectOf(body.systemInstruction) ?? objectOf(body.system_instruction);
  return [
    ...toolBlocks(body),
    ...partBlocks('system', 'system', system?.parts),
    ...objectsOf(body.contents).flatMap(({ role, parts }) => partBlocks('messages', textOf(role), parts)),
  ];
}

function partBlocks(part: PromptBlock['part'], role: string, parts: unknown): readonly PromptBlock[] {
  return objectsOf(parts).map((block, index) => ({
    part,
    label: `${index === 0 ? '+' : ''}${role}`,
    text: typeof block.text === 'string' ? block.text : JSON.stringify(block),
  }));
}

const textParts = (text: string) => (text === '' ? [] : [{ text }]);
const thoughts = ({ reasoning }: Spoken) => (reasoning === '' ? [] : [{ text: reasoning, thought: true }]);
const callParts = ({ toolCalls }: Spoken) =>
  toolCalls.map(({ name, input }) => ({ functionCall: { name, args: input } }));

function piece(spoken: Spoken, parts: readonly JsonObject[], last: boolean): JsonObject {
  const { input, output, cacheRead } = spoken.usage;
  const candidate = {
    content: { role: 'model', parts },
    index: 0,
    ...(last ? { finishReason: finishes[spoken.finish] } : {}),
  };
  // A filter looks at the prompt, so there is nothing to answer.
  const blocked = spoken.finish === 'blocked';
  return {
    ...(blocked ? { promptFeedback: { blockReason: 'SAFETY' } } : { candidates: [candidate] }),
    usageMetadata: {
      promptTokenCount: input,
      totalTokenCount: input + (last ? output : 0),
      ...(last ? { candidatesTokenCount: output } : {}),
      ...(cacheRead > 0 ? { cachedContentTokenCount: cacheRead } : {}),
    },
    modelVersion: spoken.model,
    responseId: `loopback-${spoken.number}`,
  };
}

function frames(spoken: Spoken): Frames {
  const blocked = spoken.finish === 'blocked';
  return {
    opening: blocked || spoken.reasoning === '' ? [] : [{ data: piece(spoken, thoughts(spoken), false) }],
    deltas: (blocked ? [] : spoken.chunks).map((chunk) => ({ data: piece(spoken, textParts(chunk), false) })),
    closing: [{ data: piece(spoken, callParts(spoken), true) }],
  };
}
