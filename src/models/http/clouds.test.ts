import { afterEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/model/canonical-json.js';
import type { GalleyError } from '../../core/model/error.js';
import { signInToGoogle, withEnvironment, withoutGoogle } from '../testing/cloud-ground.js';
import { everyCloud, httpStage as stage } from '../testing/http-stage.js';
import { connect } from './connection.js';
import { endpointNamed } from './endpoint.js';
import { httpModel } from './http-model.js';
import { installed } from './open-cloud.js';

signInToGoogle();
const [claudeOnBedrock = '', claudeOnVertex = ''] = everyCloud;
const system = 'Rules that never change. 规则不变。\n'.repeat(400);
const settings = '设定：the world is flat.\n'.repeat(300);
const request = {
  system,
  prompt: `${settings}What now?\n`,
  cachePoints: { system: [Buffer.byteLength(system)], prompt: [Buffer.byteLength(settings)] },
};
const schema = {
  type: 'object',
  properties: { verdict: { type: 'string' } },
  required: ['verdict'],
  additionalProperties: false,
};
const shape = { name: 'a verdict', schema };

describe('a model of a cloud is sent', () => {
  it('Bedrock’s cache points between the blocks, where the model takes them [prefix.used]', async () => {
    const { run, loopback } = await stage(claudeOnBedrock);
    const { usage: first } = await run(request);
    const cachePoint = { cachePoint: { type: 'default' } };
    expect(loopback.calls[0]).toMatchObject({
      protocol: 'bedrock-converse',
      body: {
        system: [{ text: system }, cachePoint],
        messages: [{ content: [{ text: settings }, cachePoint, { text: 'What now?\n' }] }],
      },
    });
    expect(first?.cacheWriteTokens).toBeGreaterThan(1024);
    const { usage: second } = await run(request);
    expect(second).toMatchObject({ cachedInputTokens: first?.cacheWriteTokens, cacheWriteTokens: 0 });
    for (const name of ['meta.llama3-3-70b-instruct-v1:0', 'anthropic.claude-3-sonnet-20240229-v1:0']) {
      const other = await stage(`bedrock/${name}`);
      await other.run(request);
      expect(JSON.stringify(other.loopback.calls[0]?.body), name).not.toContain('cachePoint');
    }
  });

  it('Anthropic’s markers on Vertex, a key for the cache on Azure [prefix.used]', async () => {
    const vertex = await stage(claudeOnVertex);
    await vertex.run(request);
    expect(JSON.stringify(vertex.loopback.calls[0]?.body).match(/cache_control/g)).toHaveLength(2);
    const azure = await stage('azure/gpt-5.6');
    await azure.run(request);
    const body = azure.loopback.calls[0]?.body;
    expect(body).toMatchObject({ prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/), store: false });
    expect(JSON.stringify(body)).not.toContain('breakpoint');
  });

  it.each(everyCloud)('the shape of the answer as it was foreseen, %s', async (name) => {
    const signOut = withEnvironment(withoutGoogle);
    const { model, run, loopback } = await stage(name);
    const form = await model.answerForm?.(shape).finally(signOut);
    const answer = await run({ shape: { ...shape, schema: JSON.parse(form ?? '') } });
    expect(JSON.parse(answer.text)).toEqual({ verdict: 'loopback' });
    expect(canonicalJson(loopback.calls[0]?.schema)).toBe(form);
  });

  it.each(everyCloud)('a conversation as messages in turn, byte for byte, %s', async (name) => {
    const { run, loopback } = await stage(name);
    const said = ['What is this? \n', ' {"ask": 1}\n', '\n Here. 说\n'];
    const ends = said.map((_, at) => Buffer.byteLength(said.slice(0, at + 1).join('')));
    await run({ prompt: said.join(''), turns: ends.slice(0, -1) });
    const { messages, contents, input } = loopback.calls[0]?.body ?? {};
    const found: string[] = [];
    JSON.parse(JSON.stringify(messages ?? contents ?? input), (key, value) => {
      if ((key === 'text' || key === 'content') && typeof value === 'string') found.push(value);
      return value;
    });
    expect(found).toEqual(said);
  });

  it('no shape where a tool would have to be called for it', async () => {
    const { model, run, loopback } = await stage('bedrock/meta.llama3-3-70b-instruct-v1:0');
    expect(await model.answerForm?.(shape)).toBeUndefined();
    await run({ shape });
    expect(loopback.calls[0]?.body).not.toHaveProperty('toolConfig');
  });
});

describe('a cloud is reached', () => {
  /** Where a call would go, and with which headers. */
  async function addressed(family: string, model: string, environment: NodeJS.ProcessEnv) {
    let seen: { url: string; headers: Headers } | undefined;
    const connection = connect(endpointNamed(family, model)!, environment);
    const fetch = async (input: unknown, init?: RequestInit) => {
      seen = { url: String(input), headers: new Headers(init?.headers) };
      return new Response('{"message":"no"}', { status: 400 });
    };
    await httpModel(connection, model, { count: () => 0, fetch: fetch as typeof globalThis.fetch })
      .run(
        { prompt: 'hello', timeouts: { firstByteMs: 9000, totalMs: 9000 } },
        { signal: new AbortController().signal },
      )
      .catch(() => undefined);
    return seen;
  }
  const aws = { AWS_REGION: 'eu-central-1' };
  const google = { GOOGLE_VERTEX_PROJECT: 'a-project', GOOGLE_CLOUD_LOCATION: 'europe-west1' };

  it('at the address of its region, by the usual variables', async () => {
    const key = { AWS_BEARER_TOKEN_BEDROCK: 'bearer-key' };
    const bedrock = await addressed('bedrock', 'amazon.nova-pro-v1:0', { ...aws, ...key });
    expect(bedrock?.url).toBe(
      'https://bedrock-runtime.eu-central-1.amazonaws.com/model/amazon.nova-pro-v1%3A0/converse-stream',
    );
    expect(bedrock?.headers.get('authorization')).toBe('Bearer bearer-key');
    const gemini = await addressed('vertex', 'gemini-2.5-pro', google);
    expect(gemini?.url).toBe(
      'https://europe-west1-aiplatform.googleapis.com/v1beta1/projects/a-project/locations/europe-west1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    );
    expect(gemini?.headers.get('authorization')).toBe('Bearer ya29.loopback');
    const claude = await addressed('vertex', 'claude-sonnet-4-5', google);
    expect(claude?.url).toBe(
      'https://europe-west1-aiplatform.googleapis.com/v1/projects/a-project/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict',
    );
    const azure = await addressed('azure', 'our-gpt', { AZURE_RESOURCE_NAME: 'ours', AZURE_API_KEY: 'k' });
    expect(azure?.url).toBe('https://ours.openai.azure.com/openai/v1/responses');
    expect(azure?.headers.get('api-key')).toBe('k');
  });

  it('with a signed call, with a token of Entra, at an endpoint of one’s own', async () => {
    const pair = {
      AWS_ACCESS_KEY_ID: 'AKIA1',
      AWS_SECRET_ACCESS_KEY: 's/e+cret',
      AWS_SESSION_TOKEN: 'session',
    };
    const bedrock = await addressed('bedrock', 'amazon.nova-pro-v1:0', { ...aws, ...pair });
    expect(bedrock?.headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-central-1\/bedrock\/aws4_request/,
    );
    expect(bedrock?.headers.get('x-amz-security-token')).toBe('session');
    const endpoint = { AZURE_OPENAI_ENDPOINT: 'https://ours.openai.azure.com/' };
    const azure = await addressed('azure', 'our-gpt', { ...endpoint, AZURE_OPENAI_AD_TOKEN: 'entra' });
    expect(azure?.url).toBe('https://ours.openai.azure.com/openai/v1/responses');
    expect(azure?.headers.get('authorization')).toBe('Bearer entra');
    expect(azure?.headers.get('api-key')).toBeNull();
  });

  it.each([
    [
      'bedrock',
      {},
      'key-missing',
      'AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    ['bedrock', { AWS_BEARER_TOKEN_BEDROCK: 'k' }, 'setting-missing', 'set AWS_REGION'],
    ['bedrock', { ...aws, AWS_ACCESS_KEY_ID: 'k' }, 'key-missing', 'set AWS_SECRET_ACCESS_KEY'],
    ['bedrock', { AWS_REGION: 'a/b', AWS_BEARER_TOKEN_BEDROCK: 'k' }, 'setting-malformed', 'AWS_REGION'],
    ['vertex', { GOOGLE_VERTEX_PROJECT: 'p' }, 'setting-missing', 'set GOOGLE_VERTEX_LOCATION'],
    ['azure', { AZURE_API_KEY: 'k' }, 'setting-missing', 'set AZURE_RESOURCE_NAME'],
    ['azure', { AZURE_RESOURCE_NAME: 'ours' }, 'key-missing', 'set AZURE_API_KEY'],
    ['azure', { AZURE_API_KEY: 'k', AZURE_OPENAI_ENDPOINT: 'http://ours' }, 'address-unsafe', 'https'],
  ])('only when it is set up: %s with %j', (family, environment, reason, says) => {
    let refused: GalleyError | undefined;
    try {
      connect(endpointNamed(family)!, environment);
    } catch (error) {
      refused = error as GalleyError;
    }
    expect(refused).toMatchObject({ code: 'MODEL_NOT_CONFIGURED', details: { reason } });
    expect(refused?.message).toContain(says);
  });

  it('by a package that is there, or the line that installs it', async () => {
    const missing = '@ai-sdk/not-installed-here';
    await expect(installed(endpointNamed('bedrock')!, () => import(missing))).rejects.toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
      message:
        'Amazon Bedrock is called by a package of its own; npm install @ai-sdk/amazon-bedrock@4 beside Galley.',
      details: { reason: 'package-missing' },
    });
  });
});

describe('a cloud refuses', () => {
  let signOut: (() => void) | undefined;
  afterEach(() => {
    signOut?.();
    signOut = undefined;
  });

  it('a stranger before anything is sent', async () => {
    signOut = withEnvironment(withoutGoogle);
    const { refusal, loopback } = await stage(claudeOnVertex);
    expect(await refusal()).toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
      message: expect.stringContaining('gcloud auth application-default login'),
    });
    expect(loopback.calls).toEqual([]);
  });

  it('a model that it does not have, in Bedrock’s words', async () => {
    const { refusal } = await stage(claudeOnBedrock, {
      kind: 'status',
      status: 400,
      message: 'The provided model identifier is invalid.',
    });
    expect(await refusal()).toMatchObject({ details: { reason: 'unknown-model' } });
  });

  it('in the middle of its words, and is asked again', async () => {
    const { run } = await stage(claudeOnBedrock, [{ kind: 'error-event' }, { text: 'fine' }]);
    expect(await run()).toMatchObject({ text: 'fine', attempts: 2 });
    const torn = await stage(claudeOnBedrock, [{ kind: 'cut', cleanly: true }, { text: 'fine' }]);
    expect(await torn.run()).toMatchObject({ text: 'fine', attempts: 2 });
  });
});
