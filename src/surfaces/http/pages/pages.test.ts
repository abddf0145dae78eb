// What can be read about the server: its description, its page, its counters, its health, its spans.
import { createHash } from 'node:crypto';
import { type Span, type TracerProvider, trace } from '@opentelemetry/api';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../../core/model/error.js';
import { findOperation, operationIds } from '../../../operations/table.js';
import { serveForTest, type TestServer } from '../testing/serve-for-test.js';
import { operationPath } from './open-api.js';

const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'a secret sentence' };
const secretProject = { projectId: 'secret-project', documentId: 'd', text: 'secret' };
let server: TestServer;
beforeAll(async () => {
  server = await serveForTest();
});
afterAll(() => server.close());
afterEach(() => trace.disable());

interface Response {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>>;
}

interface Post {
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-galley-grant': string;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly post: Post }>>;
}

describe('/openapi.json', () => {
  it('describes every operation with its schema, grant and refusals', async () => {
    const answer = await server.get('/openapi.json');
    const { openapi, paths } = JSON.parse(answer.text) as OpenApi;
    expect(openapi).toBe('3.1.0');
    const plain = Object.keys(paths).filter((path) => !path.endsWith('/events'));
    expect(plain).toEqual(operationIds.map(operationPath));
    const ajv = new Ajv2020({ strict: false });
    const ids = new Set<string>();
    for (const id of operationIds) {
      const operation = await findOperation(id);
      const post = paths[operationPath(id)]?.post as Post & { operationId: string };
      ids.add(post.operationId);
      expect(post['x-galley-grant']).toBe(operation?.grant);
      expect(() => ajv.compile(post.requestBody.content['application/json'].schema)).not.toThrow();
      for (const code of [...(operation?.errors ?? []), 'INVALID_ARGUMENT', 'UNAUTHENTICATED'] as const)
        expect(post.responses[errorTable[code].http]?.description.split(', ')).toContain(code);
    }
    expect(ids.size).toBe(operationIds.length);
    const schema =
      paths[operationPath('agents:assemble')]?.post.requestBody.content['application/json'].schema ?? {};
    const check = ajv.compile(schema);
    expect([check(turn), check({ ...turn, more: 1 }), check({})]).toEqual([true, false, false]);
  });
});

describe('answers in /openapi.json', () => {
  it('are components that every reference finds, and take what the server answers', async () => {
    const { text } = await server.get('/openapi.json');
    const document = JSON.parse(text) as OpenApi & { components: { schemas: Record<string, object> } };
    const { schemas } = document.components;
    const named = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '');
    for (const target of new Set(named))
      expect(Object.keys(schemas)).toContain(target.replace('#/components/schemas/', ''));
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema(document, 'document');
    for (const name of Object.keys(schemas)) {
      expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` })).not.toThrow();
    }
    for (const [at, { post }] of Object.entries(document.paths)) {
      const { content, description } = post.responses[200] as Response;
      if (at.endsWith('/events')) expect(description).toMatch(/\(\w+Answer\)/);
      else expect(content['application/json']?.schema.$ref).toMatch(/Answer$/);
    }
    const path = operationPath('skills:get');
    const answers = ajv.compile({ $ref: 'document#/components/schemas/SkillsGetAnswer' });
    const answer = JSON.parse((await server.post(path, { skillId: 'polish' })).text) as object;
    expect([answers(answer), answers({ ...answer, more: 1 }), answers({})]).toEqual([true, false, false]);
    const refusal = JSON.parse((await server.post(path, {})).text) as object;
    const refuses = ajv.compile({ $ref: 'document#/components/schemas/Error' });
    expect([refuses(refusal), refuses(answer)]).toEqual([true, false]);
  });
});

describe('the page', () => {
  it('lists every operation and asks nobody else for anything', async () => {
    const { text, headers } = await server.get('/docs');
    for (const id of operationIds) expect(text).toContain(`<code>${id}</code>`);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|@import|url\(/);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    for (const tag of ['script', 'style']) {
      const [, inside = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(text) ?? [];
      expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(inside).digest('base64')}'`);
    }
    expect((await server.get('/')).text).toBe(text);
  });
});

describe('/metrics and /healthz', () => {
  it('count by operation and code, without a text or an id', async () => {
    await server.post(operationPath('agents:assemble'), turn);
    await server.post(operationPath('agents:assemble'), {});
    await server.post(operationPath('documents:put'), secretProject);
    await server.post('/v1/secret', {});
    const { text } = await server.get('/metrics');
    expect(text).toMatch(/^galley_requests_total\{operation="agents:assemble",code="OK"\} 1$/m);
    expect(text).toMatch(/^galley_requests_total\{operation="agents:assemble",code="INVALID_ARGUMENT"\} 1$/m);
    expect(text).toMatch(/^galley_requests_total\{operation="none",code="UNKNOWN_OPERATION"\} 1$/m);
    expect(text).toMatch(
      /^galley_request_duration_seconds_bucket\{operation="agents:assemble",le="\+Inf"\} 2$/m,
    );
    expect(text).toMatch(/^galley_calls_running 0$/m);
    expect(text).toMatch(/^galley_jobs\{state="queued"\} 0$/m);
    expect(text).toMatch(/^galley_job_longest_wait_seconds 0$/m);
    expect(text).not.toContain('secret');
    expect(text.endsWith('\n')).toBe(true);
    expect(await server.get('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });
});

describe('log lines', () => {
  it('hold digests and counts, never text [logs.digest]', async () => {
    await server.post(operationPath('documents:put'), secretProject);
    expect(server.lines.at(-1)).toMatchObject({
      level: 'info',
      event: 'HTTP_CALL',
      details: { method: 'POST', operation: 'documents:put', code: 'OK', token: 'local' },
    });
    expect(JSON.stringify(server.lines)).not.toContain('secret');
  });
});

describe('spans', () => {
  it('are given to a registered provider, without content', async () => {
    const spans: Record<string, unknown>[] = [];
    const span = (name: string, options: { attributes?: object } = {}) => {
      const seen: Record<string, unknown> = { name, ...options.attributes };
      const note = (more: object) => Object.assign(seen, more);
      return {
        setAttribute: (key: string, value: unknown) => note({ [key]: value }),
        setAttributes: note,
        setStatus: note,
        end: () => spans.push(seen),
      } as unknown as Span;
    };
    const tracer = {
      startSpan: span,
      startActiveSpan: (name: string, options: object, _: unknown, work: (given: Span) => unknown) =>
        work(span(name, options)),
    };
    trace.setGlobalTracerProvider({ getTracer: () => tracer } as unknown as TracerProvider);
    await server.post(operationPath('documents:put'), secretProject);
    await server.post(operationPath('documents:get'), {
      ...secretProject,
      text: undefined,
      documentId: 'none',
    });
    expect(spans).toEqual([
      {
        name: 'POST /v1/documents/put',
        'http.request.method': 'POST',
        'http.route': '/v1/documents/put',
        'galley.operation': 'documents:put',
        'http.response.status_code': 200,
      },
      expect.objectContaining({ 'error.type': 'NOT_FOUND', 'http.response.status_code': 404 }),
    ]);
  });
});
