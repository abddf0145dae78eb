// The Converse protocol of Amazon Bedrock: JSON in, binary frames out, markers that stand between the blocks.
import { crc32 } from 'node:zlib';
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

const exceptions: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};
const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'content_filtered',
  blocked: 'guardrail_intervened',
};

export const bedrockConverse: Protocol = {
  name: 'bedrock-converse',
  framing: { contentType: 'application/vnd.amazon.eventstream', write: eventFrame },
  keepAlive: eventFrame({ event: 'messageStart', data: { role: 'assistant' } }),
  matches: (path) => /\/model\/[^/]+\/converse(?:-stream)?$/.test(path),
  counts: () => false,
  countBody: () => ({}),
  cache: ({ path }) =>
    modelOf(path).includes('claude')
      ? { kind: 'markers', minimumTokens: anthropicMinimum(modelOf(path)) }
      : { kind: 'none' },
  ask,
  prompt,
  body: (spoken) => ({
    output: { message: { role: 'assistant', content: contentOf(spoken) } },
    stopReason: stopReasonOf(spoken),
    usage: usageOf(spoken),
    metrics: { latencyMs: 1 },
  }),
  frames,
  error: (status, message) => ({ __type: exceptions[status] ?? 'InternalServerException', message }),
  errorFrame: (_, message) => ({ event: 'modelStreamErrorException', data: { message } }),
};

function modelOf(path: string): string {
  return decodeURIComponent(/\/model\/([^/]+)\//.exec(path)?.[1] ?? '');
}

function ask({ body, path }: Request): Asked {
  const config = objectOf(body.toolConfig) ?? {};
  const [tool] = objectsOf(config.tools).map(({ toolSpec }) => objectOf(toolSpec) ?? {});
  const isForced = objectOf(config.toolChoice)?.any !== undefined;
  const fields = objectOf(body.additionalModelRequestFields);
  const format = objectOf(objectOf(fields?.output_config)?.format);
  const complaint = complaintAbout(body, modelOf(path));
  return {
    model: modelOf(path),
    stream: path.endsWith('/converse-stream'),
    schema: objectOf(format?.schema) ?? objectOf(objectOf(tool?.inputSchema)?.json),
    forcedTool: isForced && tool !== undefined ? textOf(tool.name) : undefined,
    ...(complaint === undefined ? {} : { complaint }),
  };
}

function complaintAbout(body: JsonObject, model: string): string | undefined {
  if (objectsOf(body.messages).length === 0) return 'The messages field is empty.';
  const blocks = prompt(body);
  if (blocks.some(({ part, text }) => part !== 'tools' && text.trim() === ''))
    return 'The text field in the ContentBlock object is blank.';
  const marked = blocks.filter(({ marker }) => marker !== undefined).length;
  if (marked > 4) return `A maximum of 4 cache points may be provided. Found ${marked}.`;
  if (marked > 0 && !model.includes('claude'))
    return 'extraneous key [cachePoint] is not permitted for this model';
  return undefined;
}

function prompt(body: JsonObject): readonly PromptBlock[] {
  const blocks: PromptBlock[] = [];
  const add = (part: PromptBlock['part'], label: string, block: JsonObject) => {
    const last = blocks.at(-1);
    if (block.cachePoint !== undefined && last !== undefined)
      blocks[blocks.length - 1] = { ...last, marker: '5m' };
    else
      blocks.push({
        part,
        label,
        text: typeof block.text === 'string' ? block.text : JSON.stringify(block),
      });
  };
  for (const tool of objectsOf(objectOf(body.toolConfig)?.tools)) add('tools', 'tool', tool);
  for (const block of objectsOf(body.system)) add('system', 'system', block);
  for (const { role, content } of objectsOf(body.messages))
    for (const [index, block] of objectsOf(content).entries())
      add('messages', `${index === 0 ? '+' : ''}${textOf(role)}`, block);
  return blocks;
}

function usageOf({ usage: { input, output, cacheRead, cacheWrite } }: Spoken): JsonObject {
  return {
    inputTokens: input - cacheRead - cacheWrite,
    outputTokens: output,
    totalTokens: input + output,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
  };
}

function stopReasonOf({ finish, toolCalls }: Spoken): string {
  return finish === 'stop' && toolCalls.length > 0 ? 'tool_use' : stopReasons[finish];
}

const toolUseId = (number: number, index: number) => `tooluse_loopback_${number}_${index}`;

function contentOf({ number, reasoning, chunks, toolCalls }: Spoken): readonly JsonObject[] {
  return [
    ...(reasoning === '' ? [] : [{ reasoningContent: { reasoningText: { text: reasoning } } }]),
    ...(chunks.length === 0 ? [] : [{ text: chunks.join('') }]),
    ...toolCalls.map(({ name, input }, index) => ({
      toolUse: { toolUseId: toolUseId(number, index), name, input },
    })),
  ];
}

function frames(spoken: Spoken): Frames {
  const { number, reasoning, chunks, toolCalls } = spoken;
  const place = reasoning === '' ? 0 : 1;
  const frame = (event: string, data: JsonObject): Frame => ({ event, data });
  const delta = (contentBlockIndex: number, content: JsonObject) =>
    frame('contentBlockDelta', { contentBlockIndex, delta: content });
  const stop = (contentBlockIndex: number) => frame('contentBlockStop', { contentBlockIndex });
  const thoughts = reasoning === '' ? [] : [delta(0, { reasoningContent: { text: reasoning } }), stop(0)];
  const tools = toolCalls.flatMap((call, index) => {
    const at = place + (chunks.length > 0 ? 1 : 0) + index;
    const toolUse = { toolUseId: toolUseId(number, index), name: call.name };
    return [
      frame('contentBlockStart', { contentBlockIndex: at, start: { toolUse } }),
      delta(at, { toolUse: { input: writtenInput(call) } }),
      stop(at),
    ];
  });
  return {
    opening: [frame('messageStart', { role: 'assistant' }), ...thoughts],
    deltas: chunks.map((text) => delta(place, { text })),
    closing: [
      ...(chunks.length > 0 ? [stop(place)] : []),
      ...tools,
      frame('messageStop', { stopReason: stopReasonOf(spoken) }),
      frame('metadata', { usage: usageOf(spoken), metrics: { latencyMs: 1 } }),
    ],
  };
}

/** Lengths, headers and body, each guarded by a checksum. */
function eventFrame({ event = '', data }: Frame): Uint8Array {
  const isException = event.endsWith('Exception');
  const headers = Buffer.concat(
    [
      [':message-type', isException ? 'exception' : 'event'],
      [isException ? ':exception-type' : ':event-type', event],
      [':content-type', 'application/json'],
    ].map(([name = '', value = '']) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      // 7: the value is text.
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
  const prelude = numbers(16 + headers.length + body.length, headers.length);
  const message = Buffer.concat([prelude, numbers(crc32(prelude)), headers, body]);
  return Buffer.concat([message, numbers(crc32(message))]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
