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
  const [family = '', ...rest] = name.split('/');
  const endpoint = endpointNamed(family)!;
  const path = { anthropic: '', google: '', openai: '/v1', compatible: `/${family}/v1` }[endpoint.protocol];
  const environment = {
    [endpoint.keyVariables[0]!]: key,
    [endpoint.baseUrlVariables[0]!]: `${loopback.url}${path}`,
  };
  const slept: number[] = [];
  const model = httpModel(connect(endpoint, environment), rest.join('/'), {
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
