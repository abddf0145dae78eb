// A reply with nothing left open: what was not scripted is filled in from the request.

import { estimateTokens } from './prompt-tokens.js';
import type { Asked, Spoken } from './protocol.js';
import { sampleOf } from './sample-of.js';
import type { Reply, ReportedUsage, ToolCall } from './script.js';

const greeting: Reply = { chunks: ['Hel', 'lo ', 'wörld'] };

export function defaultReply({ schema }: Asked): Reply {
  return schema === undefined ? greeting : { json: sampleOf(schema) };
}

export interface Speech {
  readonly number: number;
  readonly asked: Asked;
  /** What the cache model found. */
  readonly usage: Omit<ReportedUsage, 'output'>;
}

export function speak(reply: Reply, { number, asked, usage }: Speech): Spoken {
  const { finish = 'stop' } = reply;
  const { chunks, toolCalls } = contentOf(reply, asked.forcedTool);
  const output = estimateTokens(chunks.join('') + (toolCalls.length > 0 ? JSON.stringify(toolCalls) : ''));
  const reported = { ...usage, output, ...reply.usage };
  return { number, model: asked.model, chunks, toolCalls, finish, usage: reported };
}

function contentOf(reply: Reply, forcedTool: string | undefined) {
  const { text = '', json, toolCalls = [] } = reply;
  const given = reply.chunks ?? [];
  if (given.length > 0 || json === undefined)
    return { chunks: given.length > 0 ? given : cut(text), toolCalls };
  const answer: ToolCall = { name: forcedTool ?? '', input: json };
  if (forcedTool !== undefined) return { chunks: cut(text), toolCalls: [...toolCalls, answer] };
  return { chunks: cut(text + JSON.stringify(json)), toolCalls };
}

/** Some pieces, never too many, never half a character. */
function cut(text: string): readonly string[] {
  const size = Math.min(60_000, Math.max(16, Math.ceil(text.length / 200)));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? [];
}
