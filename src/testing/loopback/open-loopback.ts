// Model providers on this machine, for the real SDKs and the real agent CLIs: scripted answers, scripted failures, a cache
// that judges the bytes on the wire, and a record of every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerStray, isEmbeddings, jsonSteps } from './answer-stray.js';
import { anthropicMessages } from './anthropic-messages.js';
import { bedrockConverse } from './bedrock-converse.js';
import { deliver } from './deliver.js';
import { answerUnder, type Failure, stepsUnder } from './failure.js';
import { gemini } from './gemini.js';
import { type LoopbackCall, maskPath, parseBody, readBody, readHeaders } from './loopback-call.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { renderPieces } from './pieces.js';
import { type CacheLook, forgetfulCache, prefixCache } from './prefix-cache.js';
import { promptTokens } from './prompt-tokens.js';
import type { Asked, Protocol, Request } from './protocol.js';
import type { Reply } from './reply.js';
import { type Failures, followScript, type Line, type Script, type Turn } from './script.js';
import { defaultReply, speak } from './speak.js';

export type { Failure, Line, LoopbackCall, Reply, Script };

export interface LoopbackOptions {
  /** A greeting, or a sample of the schema that is asked for, when left out. */
  readonly script?: Script;
  readonly failures?: Failures;
  /** Models there are; any when left out. */
  readonly models?: readonly string[];
  /** Milliseconds, for the life of cache entries. */
  readonly clock?: () => number;
  /** `false`: nothing is kept and tokens are guessed from the length, which takes no time. */
  readonly cache?: boolean;
  /** Above it the answer is 413. */
  readonly maxBodyBytes?: number;
}

export interface Loopback {
  /** Origin without a path: as the vendors' SDKs and CLIs take it for Anthropic and Gemini. */
  readonly url: string;
  /** Calls to a model, in the order they came. */
  readonly calls: readonly LoopbackCall[];
  /** Everything else that was asked for. */
  readonly strays: readonly LoopbackCall[];
  /** From the next call on; lists begin anew. */
  play(script: Script | undefined, failures?: Failures): void;
  forgetCalls(): void;
  forgetCache(): void;
  /** Connections are refused until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

const scriptThrew: Turn = {
  reply: undefined,
  failure: { kind: 'status', status: 500, message: 'The script of the loopback threw.' },
};
const protocols: readonly Protocol[] = [
  anthropicMessages,
  openaiResponses,
  openaiChat,
  gemini,
  bedrockConverse,
];

export async function openLoopback(options: LoopbackOptions = {}): Promise<Loopback> {
  const calls: LoopbackCall[] = [];
  const strays: LoopbackCall[] = [];
  const cache = options.cache === false ? forgetfulCache : prefixCache(options.clock ?? Date.now);
  let next = followScript(options.script, options.failures);

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const bytes = await readBody(incoming);
    const whole = incoming.url ?? '/';
    const path = whole.split('?')[0] ?? whole;
    const protocol = incoming.method === 'POST' ? protocols.find((one) => one.matches(path)) : undefined;
    const body = parseBody(bytes);
    const request: Request = { path, body: body ?? {} };
    const asked = protocol?.ask(request);
    const counting = protocol?.counts(path) ?? false;
    const list = protocol === undefined || counting ? strays : calls;
    const call: LoopbackCall = {
      number: list.length + 1,
      protocol: protocol?.name ?? (isEmbeddings(path) ? 'openai-embeddings' : 'other'),
      method: incoming.method ?? '',
      path: maskPath(whole),
      headers: readHeaders(incoming),
      bytes,
      body,
      model: asked?.model ?? '',
      stream: asked?.stream ?? false,
      schema: asked?.schema,
      usage: undefined,
      ending: 'open',
    };
    list.push(call);
    if (protocol === undefined || asked === undefined) {
      call.ending = await deliver(response, answerStray(call, options.models ?? []));
      return;
    }
    const look = cache.look({
      model: asked.model,
      policy: protocol.cache(request),
      blocks: protocol.prompt(request.body),
    });
    if (counting) {
      call.ending = await deliver(response, jsonSteps(200, protocol.countBody(look.input)));
      return;
    }
    const refusal = refuse(call, asked, options);
    const turn =
      refusal === undefined
        ? await next(call).catch(() => scriptThrew)
        : { reply: undefined, failure: refusal };
    await respond(response, { call, asked, protocol, request, look, turn });
  };

  const server = createServer((incoming, response) => {
    // A caller that leaves while it is still asking is no failure of the server.
    answer(incoming, response).catch(() => response.destroy());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  // The vocabulary takes its time to load; no caller should wait for it.
  if (options.cache !== false) promptTokens('');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const down = async () => {
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    strays,
    play(script, failures) {
      next = followScript(script, failures);
    },
    forgetCalls() {
      calls.length = 0;
      strays.length = 0;
    },
    forgetCache: cache.clear,
    down,
    up: () => listen(port),
    close: down,
  };
}

function refuse(
  call: LoopbackCall,
  asked: Asked,
  { models, maxBodyBytes }: LoopbackOptions,
): Failure | undefined {
  const status = (code: number, message: string): Failure => ({ kind: 'status', status: code, message });
  if (call.bytes.length > (maxBodyBytes ?? 32 * 1024 * 1024))
    return status(413, 'Request exceeds the maximum size');
  if (call.body === undefined) return status(400, 'The request body is not valid JSON');
  if (asked.complaint !== undefined) return status(400, asked.complaint);
  if (models !== undefined && !models.includes(asked.model)) return status(404, 'model: not found');
  return undefined;
}

interface Exchange {
  readonly call: LoopbackCall;
  readonly asked: Asked;
  readonly protocol: Protocol;
  readonly request: Request;
  readonly look: CacheLook;
  readonly turn: Turn;
}

async function respond(response: ServerResponse, exchange: Exchange): Promise<void> {
  const { call, asked, protocol, request, look, turn } = exchange;
  const { failure } = turn;
  const reply = answerUnder(failure, turn.reply ?? defaultReply(asked), asked.forcedTool);
  const { input, read, write, writeHour } = look;
  const usage = { input, cacheRead: read, cacheWrite: write, cacheWriteHour: writeHour };
  const spoken = speak(reply, { number: call.number, asked, usage });
  const sse = protocol.name !== 'gemini' || /[?&]alt=sse(?:&|$)/.test(call.path);
  const form = !asked.stream ? 'json' : sse ? 'events' : 'array';
  const pieces = renderPieces({ protocol, spoken, request, form, pauseMs: reply.pauseMs ?? 0 });
  call.ending = await deliver(response, stepsUnder(failure, pieces), (status) => {
    if (status !== 200) return;
    call.usage = spoken.usage;
    look.begin();
  });
}
