// What the server publishes, read as documentation: every field explained, every operation with a request that works.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { scratchFolder, scratchRepository } from '../../../git/testing/scratch-repository.js';
import type { Operation } from '../../../operations/operation.js';
import { findOperation, operationIds } from '../../../operations/table.js';
import { installFakeAgent } from '../../../testing/fake-agent/install-fake-agent.js';
import { scriptedModel } from '../../../testing/scripted-model.js';
import { serveForTest, type TestServer } from '../testing/serve-for-test.js';
import { operationPath } from './open-api.js';

const repository = scratchFolder();
const agents = scratchFolder();
let server: TestServer;

beforeAll(async () => {
  const scratch = scratchRepository({ folder: repository });
  scratch.write('README.md', '# One\n');
  scratch.commit('one');
  for (const system of ['GITHUB_ACTIONS', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS', 'GITLAB_CI'])
    vi.stubEnv(system, '');
  vi.stubEnv('GALLEY_CLAUDE', installFakeAgent(agents, 'claude', 'answer').command);
  vi.stubEnv('GALLEY_CODEX', installFakeAgent(agents, 'codex', 'answer').command);
  server = await serveForTest({ roots: [repository], debug: true, model: async () => scriptedModel([]) });
});
afterAll(async () => {
  await server.close();
  vi.unstubAllEnvs();
  for (const folder of [repository, agents]) rmSync(folder, { recursive: true, force: true });
});

const operations = async () =>
  Promise.all(operationIds.map(async (id) => (await findOperation(id)) as Operation));

interface Published {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Published>>;
}

/** Where a field stands that does not say what it is. */
function* unexplained(schema: unknown, at = ''): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {} } = schema as Published;
  for (const [name, { description = '' }] of Object.entries(properties))
    if (description.trim() === '') yield `${at}.${name}`;
  for (const [name, inside] of Object.entries(schema)) {
    if (name === 'properties')
      for (const [field, own] of Object.entries(properties)) yield* unexplained(own, `${at}.${field}`);
    else yield* unexplained(inside, name.startsWith('/') || at === 'schemas' ? name : at || name);
  }
}

describe('/openapi.json', () => {
  it('says of every field of requests and answers what it is [D3]', async () => {
    const { text } = await server.get('/openapi.json');
    expect([...unexplained(JSON.parse(text))]).toEqual([]);
    expect(text.match(/"description":/g)?.length).toBeGreaterThan(2500);
  });

  it('gives every 200 one media type, so that clients know what they get [D3]', async () => {
    const { paths } = JSON.parse((await server.get('/openapi.json')).text) as {
      paths: Record<string, { post: { responses: { 200: { content: object } } } }>;
    };
    for (const [path, { post }] of Object.entries(paths))
      expect(Object.keys(post.responses[200].content)).toEqual([
        path.endsWith('/events') ? 'text/event-stream' : 'application/json',
      ]);
  });
});

/** What makes something goes before what reads it, what deletes it goes last. */
const rank = (id: string) =>
  id === 'documents:put'
    ? 0
    : /:(put|create)$/.test(id)
      ? 1
      : /:delete$/.test(id)
        ? 3
        : makesTheFolderIts(id);
/** From then on its files are asked, which here are none. */
const makesTheFolderIts = (id: string) => (id === 'book:begin' ? 4 : 2);

/** Ids that only an answer can tell. */
const namesAnAnswer = new Set([
  ...['receipts:get', 'receipts:diff', 'ai:skill:accept', 'book:intended:delete', 'agents:undo'],
  ...['promises:pay', 'promises:remove', 'promises:update'],
  ...['drafts:apply', 'drafts:discard', 'drafts:get', 'drafts:update'],
  'agents:race:take',
  ...['jobs:cancel', 'jobs:follow', 'jobs:get', 'jobs:repeat'],
]);
/** A file as it was when it was reviewed. */
const namesAState = 'review:apply';
/** The model here has nothing to say to it. */
const asksModel = new Set(['review:ask']);

/** A replay of the clone's own history needs none. */
const needsHost = (id: string) => id.startsWith('forge:') && id !== 'forge:replay';

/** Only the shell of whoever they belong to reads sessions. */
const needsShell = new Set(['agents:sessions:list', 'agents:inspect', 'agents:handoff']);

describe('the example of an operation', () => {
  it('works as it stands [D3]', async () => {
    const sorted = (await operations()).sort((a, b) => rank(a.id) - rank(b.id));
    const statuses: Record<string, number> = {};
    for (const { id, example } of sorted)
      statuses[id] = (await server.post(operationPath(id), example)).status;
    // Here is no host of pull requests.
    const wanted = operationIds.map((id) => [
      id,
      needsShell.has(id)
        ? 403
        : namesAnAnswer.has(id)
          ? 404
          : needsHost(id)
            ? 400
            : asksModel.has(id)
              ? 502
              : id === namesAState
                ? 409
                : 200,
    ]);
    expect(statuses).toEqual(Object.fromEntries(wanted));
  });

  it('is sent as events to the path beside it [D3]', async () => {
    const { example } = (await findOperation('review:chunks')) as Operation;
    const path = operationPath('review:chunks');
    const plain = await server.post(path, example);
    const events = await server.post(`${path}/events`, example);
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(events.text.trimEnd().split('\n').at(-1)).toBe(`data: ${plain.text}`);
  });
});

describe('/docs', () => {
  it('shows each operation with its fields as a table and a form that is filled in [D3]', async () => {
    const { text } = await server.get('/docs');
    for (const { id, summary, input, example } of await operations()) {
      const [, section = ''] = text.split(`<details id="${id}">`);
      const [own = ''] = section.split('</details>');
      expect(own).toContain(summary.replaceAll('"', '&quot;'));
      const [, filled = ''] = /<textarea[^>]*>([^<]*)</.exec(own) ?? [];
      expect(JSON.parse(filled.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual(example);
      const { properties } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
      for (const name of Object.keys(properties ?? {}))
        expect(own).toContain(`<th scope="row"><code>${name}</code></th>`);
      expect(own).toMatch(/<h3>Answer<\/h3>\n(<table>|<p>Either<\/p>\n<table>|<p><a href="#)/);
    }
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    for (const target of new Set(targets)) expect(text).toContain(` id="${target}"`);
  });
});
