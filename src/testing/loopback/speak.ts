// A reply with nothing left open: what was not scripted is filled in from the request.

import { type JsonObject, objectOf, objectsOf } from './json-object.js';
import { estimateTokens } from './prompt-tokens.js';
import type { Asked, Spoken } from './protocol.js';
import type { Reply, ReportedUsage, ToolCall } from './reply.js';

const greeting: Reply = { chunks: ['Hel', 'lo ', 'wörld'] };

export function defaultReply({ schema }: Asked): Reply {
  return schema === undefined ? greeting : { json: sampleOf(schema) };
}

interface Speech {
  readonly number: number;
  readonly asked: Asked;
  /** What the cache model found. */
  readonly usage: Omit<ReportedUsage, 'output'>;
}

export function speak(reply: Reply, { number, asked, usage }: Speech): Spoken {
  const { finish = 'stop', reasoning = '' } = reply;
  const { chunks, toolCalls } = contentOf(reply, asked.forcedTool);
  const output = estimateTokens(
    reasoning + chunks.join('') + (toolCalls.length > 0 ? JSON.stringify(toolCalls) : ''),
  );
  const reported = { ...usage, output, ...reply.usage };
  return { number, model: asked.model, reasoning, chunks, toolCalls, finish, usage: reported };
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

/** From here on lists stay empty and only what is required is given, so that a schema that names itself comes to an end. */
const deep = 6;
const deepest = 30;

/** The smallest value a JSON Schema (or Gemini's dialect of it) accepts, as far as models are held to schemas. */
export function sampleOf(schema: JsonObject, root: JsonObject = schema, depth = 0): unknown {
  if (depth > deepest) return null;
  const inner = (one: unknown) => sampleOf(objectOf(one) ?? {}, root, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (typeof schema.$ref === 'string') return inner(referenced(schema.$ref, root));
  const choices = objectsOf(schema.anyOf ?? schema.oneOf);
  if (choices.length > 0) return inner(depth > deep ? choices.at(-1) : choices[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (typeof type === 'string' ? type.toLowerCase() : 'object') {
    case 'string':
      return 'loopback'
        .padEnd(Number(schema.minLength ?? 0), '.')
        .slice(0, Number(schema.maxLength ?? Infinity));
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? Number(schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const length = Number(schema.minItems ?? (depth > deep ? 0 : 1));
      return Array.from({ length }, () => inner(schema.items ?? { type: 'string' }));
    }
    default: {
      const required = Array.isArray(schema.required) ? schema.required : [];
      const properties = Object.entries(objectOf(schema.properties) ?? {});
      const given = properties.filter(([name]) => depth <= deep || required.includes(name));
      return Object.fromEntries(given.map(([name, one]) => [name, inner(one)]));
    }
  }
}

function referenced(pointer: string, root: JsonObject): JsonObject {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<JsonObject>((at, step) => objectOf(at[step]) ?? {}, root);
}
