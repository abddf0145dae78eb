// Runs as server-sent events: text on the way, one result or error at the end, and nothing goes on when nobody listens.
import { mkdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import {
  type FakeAgent,
  installFakeAgent,
  livingProcesses,
} from '../../testing/fake-agent/install-fake-agent.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { operationPath } from './pages/open-api.js';
import { serveForTest, type TestServer } from './testing/serve-for-test.js';

const folder = scratchFolder();
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };
const path = operationPath('agents:run');
let server: TestServer;
let count = 0;

beforeAll(async () => {
  server = await serveForTest({ roots: [folder], limits: { heartbeatMs: 20 } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function agent(behaviour: string): FakeAgent {
  count += 1;
  const place = join(folder, String(count));
  mkdirSync(place);
  const fake = installFakeAgent(place, 'claude', behaviour);
  vi.stubEnv('GALLEY_CLAUDE', fake.command);
  return fake;
}

const asEvents = { accept: 'text/event-stream' };

const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      return { event, value: JSON.parse(data ?? '') as Record<string, unknown> };
    });

describe('events', () => {
  it('carry the text as it comes and then the answer of the operation', async () => {
    agent('answer');
    const plain = await server.post(path, turn);
    const streamed = await server.post(path, turn, asEvents);
    expect(streamed.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(streamed.headers.get('cache-control')).toBe('no-store');
    const events = eventsOf(streamed.text);
    expect(events.length).toBeGreaterThan(1);
    const last = events.pop();
    expect(last).toEqual({ event: 'result', value: JSON.parse(plain.text) });
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['agent', 'text']));
    const said = events.map(({ value }) => value.text ?? '').join('');
    expect(said).toContain(String(last?.value.answer));
  });

  it('carry what an agent does, once, and not where it does it', async () => {
    agent('tools');
    const { text } = await server.post(path, turn, asEvents);
    const events = eventsOf(text);
    const kinds = events.filter(({ event }) => event === 'agent').map(({ value }) => value.kind);
    expect(kinds).toEqual(
      expect.arrayContaining([
        'warning',
        'session',
        'tool-started',
        'tool-ended',
        'refused',
        'file-changed',
        'usage',
        'cost',
        'end',
      ]),
    );
    expect(kinds).not.toContain('text');
    expect(text).not.toContain(folder);
    expect(events.at(-1)?.value).toMatchObject({ refusals: [{ tool: 'Write', target: 'refused.txt' }] });
  });

  it('end with the refusal of the operation, which is counted under its code', async () => {
    agent('api-401');
    const { status, text } = await server.post(path, turn, asEvents);
    expect(status).toBe(200);
    expect(eventsOf(text).at(-1)).toMatchObject({
      event: 'error',
      value: { error: { code: expect.any(String) } },
    });
    expect(server.lines.at(-1)?.details?.code).toMatch(/^MODEL_/);
  });

  it('carry what a model writes for a skill, and how far it is', async () => {
    const model = scriptedModel(['他走进长廊。']);
    const writing = await serveForTest({ roots: [folder], model: async () => model });
    const place = { projectId: 'p', documentId: 'd' };
    await writing.post(operationPath('documents:put'), { ...place, text: '雨停了。' });
    const run = { ...place, skillId: 'continue', cursorPosition: 4 };
    const { text } = await writing.post(operationPath('ai:skill:run'), run, asEvents);
    await writing.close();
    const events = eventsOf(text);
    expect(events.slice(0, 2)).toEqual([
      { event: 'progress', value: expect.objectContaining({ stage: 'draft', done: 1 }) },
      { event: 'text', value: { text: '他走进长廊。' } },
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'result', value: { dryRun: false } });
  });

  it('come from every operation, also from those with nothing to say on the way', async () => {
    const request = { ...turn };
    const plain = await server.post(operationPath('agents:assemble'), request);
    const { text } = await server.post(operationPath('agents:assemble'), request, asEvents);
    expect(text).toBe(`event: result\ndata: ${plain.text}\n\n`);
  });

  it('are not begun for what is refused before there is anything to say', async () => {
    const calm = await serveForTest({ roots: [folder] });
    for (const wrong of ['{', '{}', { ...turn, more: 1 }]) {
      const answer = await calm.post(path, wrong, asEvents);
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' });
    }
    await calm.close();
  });

  it('stay alive with comments while nothing is said', async () => {
    agent('late');
    const { text } = await server.post(path, turn, asEvents);
    expect(text.split(': still here\n\n').length).toBeGreaterThan(3);
    expect(eventsOf(text).at(-1)?.event).toBe('result');
  });
});

describe('a caller that hangs up', () => {
  for (const [kind, headers] of [
    ['events', asEvents],
    ['a plain answer', {}],
  ] as const) {
    it(`while waiting for ${kind} ends the run and the agent`, async () => {
      const fake = agent('begin-hang');
      const before = server.lines.length;
      const call = request(server.address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      });
      call.on('error', () => undefined);
      call.end(JSON.stringify(turn));
      await vi.waitFor(() => expect(fake.call()).toBeDefined(), 10_000);
      const { pid } = fake.call();
      call.destroy();
      await vi.waitFor(
        () => expect(server.lines.slice(before).map(({ details }) => details?.code)).toEqual(['CANCELLED']),
        10_000,
      );
      await vi.waitFor(() => expect(livingProcesses(pid)).toEqual([]), 10_000);
    });
  }

  it('without saying so, by not reading, is given up', async () => {
    const impatient = await serveForTest({ roots: [folder], limits: { unreadBytes: 100_000 } });
    agent('flood-answer');
    const call = request(impatient.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...asEvents },
    });
    call.on('error', () => undefined);
    call.on('response', (response) => response.pause());
    call.end(JSON.stringify(turn));
    await vi.waitFor(() => expect(impatient.lines.at(-1)?.details?.operation).toBe('agents:run'), 20_000);
    call.destroy();
    await impatient.close();
  });
});
