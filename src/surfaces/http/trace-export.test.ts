// Traces as an operator meets them: the real binary, the official SDK where it is installed, a collector on this machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Loopback, openLoopback } from '../../testing/loopback/open-loopback.js';
import { whenListening } from './testing/when-listening.js';

const bin = join(process.cwd(), 'bin/galley.js');
const folder = mkdtempSync(join(tmpdir(), 'galley-traces-'));
const children: ChildProcess[] = [];
const marker = 'M4RK';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)] as const),
  );
const isInstalled = await Promise.all(
  ['@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-http'].map((name) => import(name)),
).then(
  () => true,
  () => false,
);

let loopback: Loopback;
let collector: Server;
let endpoint: string;
let hangs = false;
const bodies: string[] = [];

beforeAll(async () => {
  loopback = await openLoopback({ cache: false });
  collector = createServer(async (incoming, outgoing) => {
    let body = `${incoming.method} ${incoming.url}\n`;
    for await (const chunk of incoming) body += chunk;
    bodies.push(body);
    if (!hangs) outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
beforeEach(() => {
  bodies.length = 0;
  hangs = false;
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  collector.closeAllConnections();
  collector.close();
  await loopback.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const environment = (settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  OPENAI_API_KEY: `key-${marker}`,
  OPENAI_BASE_URL: `${loopback.url}/v1`,
  ...settings,
});

async function serve(settings: NodeJS.ProcessEnv, ...more: string[]) {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--patience', '60000', ...more], {
    cwd: folder,
    env: environment(settings),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  const { ended, address, talk } = await whenListening(child);
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const end = async () => {
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    return talk().replace(/galley: listening on .*\n/, '');
  };
  return { post, end };
}

const put = { projectId: 'novel', documentId: 'one', text: `Night, ${marker}.` };
const run = {
  ...{ projectId: 'novel', documentId: 'one', skillId: 'polish', text: `Night, ${marker}.` },
  model: 'openai/gpt-5-mini',
};
const spansIn = (sent: readonly string[]) =>
  sent
    .map((body) => JSON.parse(body.slice(body.indexOf('\n') + 1)) as Sent)
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);

describe.skipIf(!isInstalled)('traces of galley serve, sent by the official SDK', () => {
  it('tell calls and the models they ask, below the trace of the caller, and no word of it', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const parent = 'b7ad6b7169203331';
    loopback.play([`Quiet, ${marker}.`, { kind: 'status', status: 400, message: marker }]);
    const { post, end } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'press' });
    const headers = { traceparent: `00-${trace}-${parent}-01` };
    expect((await post('/v1/documents/put', put, headers)).status).toBe(200);
    expect((await post('/v1/documents/get', { ...put, text: undefined, documentId: marker })).status).toBe(
      404,
    );
    const answered = await post('/v1/ai/skill/run', run);
    expect([answered.status, answered.text]).toEqual([200, expect.stringContaining(marker)]);
    const refused = await post('/v1/ai/skill/run', run);
    expect(refused.status).toBe(502);
    expect(await end()).toBe('');

    const raw = bodies.join('\n');
    expect(raw).toContain('POST /v1/traces');
    for (const secret of [marker, folder, process.execPath, 'novel', loopback.url]) {
      expect(raw).not.toContain(secret);
    }
    const [body = ''] = bodies;
    const { resourceSpans } = JSON.parse(body.slice(body.indexOf('\n') + 1)) as Sent;
    expect(plain(resourceSpans[0]?.resource.attributes ?? [])).toEqual({
      'service.name': 'press',
      'service.version': expect.any(String),
    });
    const [stored, missing, asked, skill, failed, broken] = spansIn(bodies);
    expect(stored).toMatchObject({
      name: 'POST /v1/documents/put',
      traceId: trace,
      parentSpanId: parent,
      kind: 2,
    });
    expect(plain(stored?.attributes ?? [])).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/documents/put',
      'galley.operation': 'documents:put',
      'http.response.status_code': 200,
    });
    expect(plain(missing?.attributes ?? [])).toMatchObject({ 'error.type': 'NOT_FOUND' });
    expect(skill).toMatchObject({ name: 'POST /v1/ai/skill/run' });
    expect(skill?.parentSpanId ?? '').toBe('');
    expect(asked).toMatchObject({ name: 'chat gpt-5-mini', kind: 3, parentSpanId: skill?.spanId });
    expect(asked?.traceId).toBe(skill?.traceId);
    expect(plain(asked?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.response.model': 'gpt-5-mini',
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    });
    expect(failed).toMatchObject({
      name: 'chat gpt-5-mini',
      parentSpanId: broken?.spanId,
      status: { code: 2 },
    });
    expect(plain(failed?.attributes ?? [])).toMatchObject({ 'error.type': 'MODEL_REFUSED' });
    expect(plain(broken?.attributes ?? [])).toMatchObject({ 'error.type': 'MODEL_REFUSED' });
  });

  it('go on in the worker that runs what a call queued', async () => {
    const trace = '1af7651916cd43dd8448eb211c80319c';
    loopback.play([`Quiet, ${marker}.`, { kind: 'status', status: 400, message: marker }]);
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const { post, end } = await serve(settings, '--jobs', '0');
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    await post('/v1/documents/put', put);
    for (const key of ['first', 'second']) {
      const { projectId, ...request } = run;
      const job = { projectId, operation: 'ai:skill:run', request, key, priority: key === 'first' ? 1 : 0 };
      expect((await post('/v1/jobs/start', job, headers)).status).toBe(200);
    }
    expect(await end()).toBe('');
    const started = spansIn(bodies).filter(({ name }) => name === 'POST /v1/jobs/start');
    bodies.length = 0;
    const words = [bin, 'worker', '--until-idle', '--at-once', '1'];
    const worker = spawn(process.execPath, words, {
      cwd: folder,
      env: environment(settings),
      stdio: 'ignore',
    });
    children.push(worker);
    await new Promise((resolve) => worker.once('exit', resolve));

    const raw = bodies.join('\n');
    for (const secret of [marker, folder, 'novel', loopback.url]) expect(raw).not.toContain(secret);
    const spans = spansIn(bodies);
    const jobs = spans.filter(({ name }) => name === 'job ai:skill:run');
    expect(jobs.map(({ traceId, kind }) => [traceId, kind])).toEqual(jobs.map(() => [trace, 5]));
    expect(jobs.map(({ parentSpanId }) => parentSpanId)).toEqual(started.map(({ spanId }) => spanId));
    expect(jobs.map(({ attributes }) => plain(attributes))).toMatchObject([
      { 'galley.operation': 'ai:skill:run', 'galley.job.attempt': 1, 'galley.job.status': 'succeeded' },
      { 'galley.job.status': 'failed', 'error.type': 'MODEL_REFUSED' },
    ]);
    const asked = spans.filter(({ name }) => name === 'chat gpt-5-mini');
    expect(asked.map(({ parentSpanId }) => parentSpanId)).toEqual(jobs.map(({ spanId }) => spanId));
  });

  it('keep calls apart that wait for each other', async () => {
    const { post, end } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const traces = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(32, '0'));
    const answers = await Promise.all(
      traces.flatMap((trace) => [
        post(
          '/v1/documents/list',
          { projectId: 'novel' },
          { traceparent: `00-${trace}-b7ad6b7169203331-01` },
        ),
        post('/v1/documents/list', { projectId: 'novel' }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await end()).toBe('');
    const [mine, theirs] = [true, false].map((isOwn) =>
      spansIn(bodies).filter(({ parentSpanId = '' }) => (parentSpanId === '') === isOwn),
    );
    expect(theirs?.map(({ traceId }) => traceId).sort()).toEqual(traces);
    expect(new Set(mine?.map(({ traceId }) => traceId)).size).toBe(12);
  });

  it.each([
    ['is not there', () => 'http://127.0.0.1:9'],
    ['never answers', () => endpoint],
  ])('are dropped without a word when the collector %s', async (_, address) => {
    hangs = true;
    const { post, end } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: address(),
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await post('/v1/documents/put', put)).status).toBe(200);
    }
    expect(await end()).toBe('');
  });

  it('are sent where the exporter is named, to the address it has for traces', async () => {
    const settings = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/x` };
    const { post, end } = await serve(settings);
    await post('/v1/documents/put', put);
    expect(await end()).toBe('');
    expect(bodies).toEqual([expect.stringMatching(/^POST \/x\n/)]);
    expect(bodies[0]).toContain('"galley"');
  });
});

describe('traces of galley serve', () => {
  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['nobody asks', {}, /^$/],
    ['the SDK is switched off', { OTEL_SDK_DISABLED: 'true' }, /^$/],
    ['no exporter is wanted', { OTEL_TRACES_EXPORTER: 'none' }, /^$/],
    ['the exporter is another', { OTEL_TRACES_EXPORTER: 'zipkin' }, /^galley: OTEL_TRACES_EXPORTER .*\n$/],
    [
      'the protocol is another',
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'smoke' },
      /^galley: OTEL_TRACES_EXPORTER .*\n$/,
    ],
    [
      'what sends them is not installed',
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /^galley: OTEL_\* asks .*npm install @opentelemetry\/sdk-trace-node@\S+ .*exporter-trace-otlp-grpc@.*\n$/,
    ],
  ])('are not sent when %s, and calls are answered', async (what, settings, talk) => {
    const asking = what === 'nobody asks' ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const { post, end } = await serve({ ...asking, ...settings });
    expect((await post('/v1/documents/put', put)).status).toBe(200);
    expect(await end()).toMatch(talk);
    expect(bodies).toEqual([]);
  });
});
