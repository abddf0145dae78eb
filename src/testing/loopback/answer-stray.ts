// What is asked for beside answers of a model: which models there are, embeddings, and whatever a CLI reports home.

import { createHash } from 'node:crypto';
import type { Step } from './deliver.js';
import { type JsonObject, textOf } from './json-object.js';
import type { LoopbackCall } from './loopback-call.js';
import { openaiError } from './openai-error.js';
import { promptTokens } from './prompt-tokens.js';

export function answerStray(call: LoopbackCall, models: readonly string[]): readonly Step[] {
  if (call.protocol !== 'openai-embeddings') return jsonSteps(200, modelList(models));
  const found = embeddings(call.body ?? {});
  if (found !== undefined) return jsonSteps(200, found);
  return jsonSteps(400, openaiError(400, "'input' must be a text or a list of texts, none of them empty."));
}

export function jsonSteps(status: number, body: JsonObject): readonly Step[] {
  const headers = { 'content-type': 'application/json' };
  return [
    { kind: 'head', status, headers },
    { kind: 'write', bytes: JSON.stringify(body) },
  ];
}

function modelList(models: readonly string[]): JsonObject {
  return {
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'loopback' })),
    models: models.map((id) => ({ name: `models/${id}`, supportedGenerationMethods: ['generateContent'] })),
  };
}

const usualDimensions = 64;

export function isEmbeddings(path: string): boolean {
  return path.endsWith('/embeddings');
}

/** Undefined when there is nothing to embed. */
function embeddings(body: JsonObject): JsonObject | undefined {
  const inputs = [body.input].flat();
  if (inputs.length === 0 || inputs.some((text) => typeof text !== 'string' || text === '')) return undefined;
  const texts = inputs.map(textOf);
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : usualDimensions;
  const tokens = texts.reduce((sum, text) => sum + promptTokens(text).length, 0);
  return {
    object: 'list',
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: written(vectorOf(text, dimensions), body.encoding_format),
    })),
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [text]) {
    const hash = createHash('sha256').update(word).digest();
    const at = hash.readUInt32LE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + (hash.readUInt8(4) % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  // Words that cancel each other out still need a direction.
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
}

function written(vector: Float32Array, format: unknown): readonly number[] | string {
  return format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
}
