// Jobs as tasks of the protocol: the official client, the official client of the extension, and what both see of one job.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, type RawClientDispatch } from '@modelcontextprotocol/ext-tasks/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../store/sqlite/open-store.js';
import type { Store } from '../../store/store.js';
import type { ClaimedJob } from '../../store/tables/job-claims.js';
import { createEngine, type OpenEngine } from '../engine.js';
import { createMcpServer } from './create-mcp-server.js';
import { serveMcpHttp } from './serve-http.js';

const protocolVersion = '2026-07-28';
const clientInfo = { name: 'test', version: '1' };
const projectId = '长夜 / one';

let folder: string;
let store: Store;
let engine: OpenEngine;
let url: string;
const endings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'galley-mcp-tasks-'));
  store = await openStore({ path: ':memory:', now: () => Date.now() });
  engine = createEngine({ folder, store });
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  await engine.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve({ everyOperation = true, readOnly = false } = {}) {
  const grants = new Set(readOnly ? (['read'] as const) : (['read', 'run'] as const));
  const reader = readOnly ? createEngine({ folder, store, grants }) : engine;
  const server = await serveMcpHttp(
    () => createMcpServer({ engine: reader, folder, projectId, everyOperation }),
    { port: 0 },
  );
  endings.push(server.close);
  url = server.url;
}

async function meet(mode: 'legacy' | { pin: string } = { pin: protocolVersion }): Promise<Client> {
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  endings.push(() => client.close());
  return client;
}

/** One request as a client of the extension sends it, which the SDK leaves to its host. */
const dispatch: RawClientDispatch = async (request) => {
  const { method, params } = request as { method: string; params: Record<string, string> };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
      'mcp-name': params.taskId ?? params.name ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...(request as object) }),
  });
  const text = await response.text();
  const body = JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}'));
  return body.error === undefined
    ? { kind: 'result', result: body.result }
    : { kind: 'error', error: body.error };
};

async function meetWithTasks() {
  const client = await meet();
  const v2RequestFraming = { protocolVersion, clientInfo, clientCapabilities: {} };
  const options = { endpointId: 'galley', rawDispatch: dispatch, v2RequestFraming };
  const session = createTaskSessionFromClient(client, options);
  endings.push(() => session.close());
  return { client, session };
}

const start = async () => {
  const request = { projectId, operation: 'documents:index', request: {} };
  return ((await engine.call('jobs:start', request)) as { job: string }).job;
};

async function claim(): Promise<ClaimedJob> {
  const [job] = await store.jobs.claim({ limit: 1 }, 60_000);
  return job as ClaimedJob;
}

describe('a call that waits for a job, by a client that knows tasks', () => {
  it('is a task whose end is the answer of the call, seen by another connection too', async () => {
    await serve();
    const job = await start();
    const { session } = await meetWithTasks();
    const following = await session.callTool('jobs_follow', { projectId, job });
    expect(following.kind).toBe('task');
    const seen: (string | undefined)[] = [];
    const running = await claim();
    await store.jobs.renew(running, 60_000, { stage: 'index', done: 2, total: 5 });
    const settled = following.settle({
      onEvent: async (event) => {
        if (event.type !== 'task') return;
        seen.push(event.task.statusMessage);
        if (event.task.statusMessage !== 'index 2/5') return;
        await store.jobs.settle(running, { status: 'succeeded', answer: { documents: 1 } });
      },
    });
    const { outcome } = await settled;
    expect(seen).toContain('index 2/5');
    const plain = await (await meet()).callTool({ name: 'jobs_follow', arguments: { projectId, job } });
    expect(outcome).toMatchObject({ status: 'completed', result: { content: plain.content } });
    expect(plain.structuredContent).toMatchObject({ status: 'succeeded', answer: { documents: 1 } });
  });

  it('cancels its job, and tells a job that failed as an answer', async () => {
    await serve();
    const { session } = await meetWithTasks();
    const waiting = await session.callTool('jobs_follow', { projectId, job: await start() });
    await waiting.cancel();
    expect((await waiting.result()).status).toBe('cancelled');
    expect(await store.jobs.list(projectId)).toMatchObject([{ status: 'cancelled' }]);

    const failing = await session.callTool('jobs_follow', { projectId, job: await start() });
    const refusal = { code: 'MODEL_UNAVAILABLE', message: 'Not now.' };
    await store.jobs.settle(await claim(), { status: 'failed', refusal });
    expect(await failing.result()).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'failed', refusal } },
    });
  });

  it('is refused in the words of the protocol', async () => {
    await serve();
    const { client, session } = await meetWithTasks();
    const absent = await session.callTool('jobs_follow', { projectId, job: 'none' });
    expect(absent.kind).toBe('immediate');
    expect(await absent.result()).toMatchObject({ result: { isError: true } });
    const meta = (extensions: object) => ({
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': { extensions },
    });
    const ask = (method: string, taskId: string, extensions: object) =>
      dispatch({ method, params: { taskId, _meta: meta(extensions) } } as never);
    const known = { 'io.modelcontextprotocol/tasks': {} };
    for (const taskId of ['none@p', 'none', '%E0%A4%A@p', '@'])
      expect(await ask('tasks/get', taskId, known), taskId).toMatchObject({ error: { code: -32602 } });
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect(await ask(method, 'none@p', {}), method).toMatchObject({ error: { code: -32021 } });
    expect(client.getServerCapabilities()?.extensions).toEqual(known);
  });

  it('is cancelled only by those who may run', async () => {
    const job = await start();
    await serve({ readOnly: true });
    const { session } = await meetWithTasks();
    const following = await session.callTool('jobs_follow', { projectId, job });
    await expect(following.cancel()).rejects.toThrow();
    expect(await store.jobs.list(projectId)).toMatchObject([{ status: 'queued' }]);
  });

  it('works by the few tools of agents, whose words are text', async () => {
    await serve({ everyOperation: false });
    const job = await start();
    const { session } = await meetWithTasks();
    const asked = { operation: 'jobs:follow', request: { job } };
    const following = await session.callTool('galley', asked);
    expect(following.kind).toBe('task');
    await store.jobs.settle(await claim(), { status: 'succeeded', answer: { documents: 1 } });
    const outcome = await following.result();
    const plain = await (await meet()).callTool({ name: 'galley', arguments: asked });
    expect(outcome).toMatchObject({ status: 'completed', result: { content: plain.content } });
    expect(JSON.stringify(plain.content)).toContain('succeeded');
    const listed = await session.callTool('galley', { operation: 'jobs:get', request: { job } });
    expect(listed.kind).toBe('immediate');
  });
});

it('a client that knows no tasks waits, and is told the progress', async () => {
  await serve();
  const job = await start();
  const client = await meet('legacy');
  const told: Progress[] = [];
  const following = client.callTool(
    { name: 'jobs_follow', arguments: { projectId, job } },
    { onprogress: (progress) => void told.push(progress) },
  );
  const running = await claim();
  await store.jobs.renew(running, 60_000, { stage: 'index', done: 2, total: 5 });
  await expect.poll(() => told.at(-1)).toMatchObject({ message: 'index' });
  await store.jobs.settle(running, { status: 'succeeded', answer: { documents: 1 } });
  expect((await following).structuredContent).toMatchObject({ status: 'succeeded' });
});
