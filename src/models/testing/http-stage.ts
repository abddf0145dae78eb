// A provider's model against a loopback of its own, for tests.
import { expect, onTestFinished } from 'vitest';
import type { GalleyError } from '../../core/model/error.js';
import { openLoopback, type Script } from '../../testing/loopback/open-loopback.js';
import { countTokens } from '../contract/count-tokens.js';
import type { ModelRequest, RunOptions } from '../contract/model.js';
import { connect } from '../http/connection.js';
import { endpointNamed } from '../http/endpoint.js';
import { type HttpModelOptions, httpModel } from '../http/http-model.js';

const key = 'sk-secret-key';

/** One model for each protocol. */
export const everyProtocol: readonly string[] = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-4o',
  'google/gemini-2.5-pro',
  'deepseek/deepseek-chat',
];

/** Models of clouds, each in one of the protocols its cloud speaks. */
export const everyCloud: readonly string[] = [
  'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'vertex/claude-sonnet-4-5@20250929',
  'vertex/gemini-2.5-pro',
  'azure/gpt-4o',
];

/** The connection to a model of this name that is answered by a loopback. */
export function connectionTo(url: string, name: string, secret = key) {
  const [family = '', ...rest] = name.split('/');
  const model = rest.join('/');
  const endpoint = endpointNamed(family, model)!;
  const path = endpoint.protocol === 'compatible' ? `/${family}/v1` : family === 'openai' ? '/v1' : '';
  const settings = Object.values(endpoint.settings ?? {}).map(([variable = '']) => [variable, 'loopback']);
  const [keyVariable] = endpoint.keyVariables;
  const connection = connect(endpoint, {
    ...Object.fromEntries(settings),
    ...(keyVariable === undefined ? {} : { [keyVariable]: secret }),
    [endpoint.baseUrlVariables[0]!]: `${url}${path}`,
  });
  return { connection, model };
}

export async function httpStage(
  name: string,
  script?: Script,
  { clock, ...options }: Partial<HttpModelOptions> & { clock?: () => number } = {},
) {
  const loopback = await openLoopback({
    ...(script === undefined ? {} : { script }),
    ...(clock === undefined ? {} : { clock }),
  });
  onTestFinished(() => loopback.close());
  const slept: number[] = [];
  const { connection, model: id } = connectionTo(loopback.url, name);
  const model = httpModel(connection, id, {
    count: countTokens,
    random: () => 0.5,
    sleep: async (ms) => {
      slept.push(ms);
    },
    ...options,
  });
  const run = (request: Partial<ModelRequest> = {}, listeners: Partial<RunOptions> = {}) =>
    model.run(
      { prompt: 'hello', timeouts: { firstByteMs: 30_000, totalMs: 30_000 }, ...request },
      { signal: new AbortController().signal, ...listeners },
    );
  const refusal = (request: Partial<ModelRequest> = {}, listeners: Partial<RunOptions> = {}) =>
    run(request, listeners).then(
      () => expect.unreachable('a refusal was due'),
      (error: unknown) => error as GalleyError,
    );
  return { loopback, model, run, refusal, slept };
}
