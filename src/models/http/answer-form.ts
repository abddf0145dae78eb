// The schema of an answer as a provider will get it. Its package rewrites schemas, so it is asked with a wire that leads nowhere,
// until what it makes of a schema is the schema itself.
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { canonicalJson } from '../../core/model/canonical-json.js';
import { GalleyError } from '../../core/model/error.js';
import { pick } from '../cli/json-event.js';
import type { AnswerShape } from '../model.js';
import type { Connection } from './connection.js';
import { wholeBlocks } from './content-blocks.js';
import type { Protocol } from './endpoint.js';
import { loadProvider } from './load-provider.js';
import { wireCall } from './wire-call.js';

const schemaIn: Record<Protocol, (body: unknown) => unknown> = {
  anthropic: (body) => {
    const tools = pick(body, 'tools');
    return (
      pick(body, 'output_config', 'format', 'schema') ??
      (Array.isArray(tools) ? pick(tools[0], 'input_schema') : undefined)
    );
  },
  openai: (body) => pick(body, 'text', 'format', 'schema'),
  google: (body) => pick(body, 'generationConfig', 'responseSchema'),
  compatible: (body) => pick(body, 'response_format', 'json_schema', 'schema'),
};

/** A second time is usual for packages that rewrite; more means that they never settle. */
const mostRounds = 4;

export async function answerForm(
  connection: Connection,
  model: string,
  { name, schema }: AnswerShape,
): Promise<string | undefined> {
  const { endpoint } = connection;
  let form = canonicalJson(schema);
  for (let round = 0; round < mostRounds; round += 1) {
    const request = {
      prompt: 'form',
      timeouts: { firstByteMs: 1, totalMs: 1 },
      shape: { name, schema: JSON.parse(form) },
    };
    const order = wireCall(request, wholeBlocks(request), endpoint);
    const found = schemaIn[endpoint.protocol](await bodyOf(connection, model, order));
    if (found === undefined) return undefined;
    const next = canonicalJson(found);
    if (next === form) return form;
    form = next;
  }
  return undefined;
}

/** Undefined where the package refuses to make one. */
async function bodyOf(
  connection: Connection,
  model: string,
  order: LanguageModelV3CallOptions,
): Promise<unknown> {
  let body: unknown;
  const provider = await loadProvider(connection, model, async (_, init) => {
    body = JSON.parse(String(init?.body));
    throw new GalleyError('CANCELLED', 'Nothing is sent.');
  });
  await Promise.resolve(provider.doStream(order)).catch(() => undefined);
  return body;
}
