// The answer in the words of OpenAI's protocol, whole or in pieces as it comes. A stream ends with [DONE] or with an error, never in
// silence.
import type { ServerResponse } from 'node:http';
import type { EventStream, EventStreamLimits } from '../http/event-stream.js';
import { openAiField, openAiRefusal } from './openai-refusal.js';

export interface CompletionFacts {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** As the client named it. */
  readonly model: string;
  readonly includeUsage: boolean;
  readonly ignored: readonly string[];
}

/** What is read of the answer of `chat:complete`. */
interface ChatAnswer {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'unknown';
  readonly model: string;
  readonly usage?: { inputTokens: number; outputTokens: number; cachedInputTokens?: number };
  readonly contextTokens: number;
  readonly code?: readonly { path: string; startLine: number; endLine: number }[];
  readonly notApplied: readonly string[];
  readonly receiptId?: string;
  readonly warnings: readonly string[];
}

export function writeCompletion(answered: unknown, facts: CompletionFacts) {
  const answer = answered as ChatAnswer;
  const { id, created, model } = facts;
  const galley = galleyOf(answer, facts);
  const json = JSON.stringify({
    ...{ id, object: 'chat.completion', created, model },
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text, refusal: null },
        logprobs: null,
        finish_reason: finishOf(answer),
      },
    ],
    ...(answer.usage === undefined ? {} : { usage: usageOf(answer.usage) }),
    galley,
  });
  return { json, headers: headersOf(galley) };
}

type GalleyField = ReturnType<typeof galleyOf>;

/** Beside the protocol, where clients pass it over: the receipt, and what was asked for in vain. */
function galleyOf(answer: ChatAnswer, { ignored }: CompletionFacts) {
  const { model, contextTokens, code, receiptId, warnings } = answer;
  return {
    ...{ model, contextTokens, warnings },
    ...(code === undefined ? {} : { code }),
    ...(receiptId === undefined ? {} : { receipt: receiptId }),
    notApplied: [...new Set([...ignored, ...answer.notApplied.map(openAiField)])],
  };
}

function headersOf({ receipt, notApplied }: GalleyField): Record<string, string> {
  const named = notApplied.filter((name) => /^[\w.-]+$/.test(name)).join(', ');
  return {
    ...(receipt === undefined ? {} : { 'x-galley-receipt': receipt }),
    ...(named === '' ? {} : { 'x-galley-not-applied': named }),
  };
}

const finishOf = ({ finish }: ChatAnswer) => (finish === 'length' ? 'length' : 'stop');

function usageOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: NonNullable<ChatAnswer['usage']>) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
  };
}

export function openChunkStream(
  outgoing: ServerResponse,
  { heartbeatMs, unreadBytes }: EventStreamLimits,
  { headers, facts }: { headers: Readonly<Record<string, string>>; facts: CompletionFacts },
): EventStream {
  const { id, created, model, includeUsage } = facts;
  let begun = false;
  const write = (text: string) => {
    if (outgoing.destroyed || outgoing.writableEnded) return;
    if (!begun)
      outgoing.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      });
    begun = true;
    outgoing.write(text);
    // Whoever does not read is cut off instead of being remembered.
    if (outgoing.writableLength > unreadBytes) outgoing.destroy();
  };
  const data = (value: object) => write(`data: ${JSON.stringify(value)}\n\n`);
  const chunk = (choices: readonly object[], more: object = {}) =>
    data({
      ...{ id, object: 'chat.completion.chunk', created, model, choices },
      ...(includeUsage ? { usage: null } : {}),
      ...more,
    });
  const delta = (words: object, finish: string | null = null) => [
    { index: 0, delta: words, logprobs: null, finish_reason: finish },
  ];
  let spoken = false;
  const say = (text: string) => {
    if (!spoken) chunk(delta({ role: 'assistant', content: '' }));
    spoken = true;
    if (text !== '') chunk(delta({ content: text }));
  };
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
  outgoing.once('close', () => clearInterval(heartbeat));
  return {
    send(event, value) {
      if (event === 'text') say((value as { text: string }).text);
    },
    result(answered) {
      clearInterval(heartbeat);
      const answer = answered as ChatAnswer;
      say(spoken ? '' : answer.text);
      chunk(delta({}, finishOf(answer)), { galley: galleyOf(answer, facts) });
      if (includeUsage && answer.usage !== undefined) chunk([], { usage: usageOf(answer.usage) });
      write('data: [DONE]\n\n');
      outgoing.end();
    },
    error(thrown) {
      clearInterval(heartbeat);
      if (!begun) return false;
      write(`data: ${openAiRefusal(thrown).body}\n\n`);
      outgoing.end();
      return true;
    },
  };
}
