// What is asked for beside answers of a model: which models there are, embeddings, and whatever a CLI reports home.
import type { Step } from './deliver.js';
import type { JsonObject } from './json-object.js';
import type { LoopbackCall } from './loopback-call.js';
import { embeddings } from './openai-embeddings.js';
import { openaiError } from './openai-error.js';

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
