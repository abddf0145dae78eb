// Webhooks from end to end: a signed delivery comes in, and the review stands on the forge, once.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findForge } from '../../src/forges/find-forge.js';
import type { ForgeKind } from '../../src/forges/forge.js';
import { embeddedEngine } from '../../src/jobs/embedded-engine.js';
import { serveJobs } from '../../src/jobs/serve-jobs.js';
import type { Store } from '../../src/store/store.js';
import type { ClaimedJob } from '../../src/store/tables/job-claims.js';
import { serveForTest } from '../../src/surfaces/http/testing/serve-for-test.js';
import { webhookDoor } from '../../src/surfaces/webhooks/webhook-door.js';
import { webhookSecrets } from '../../src/surfaces/webhooks/webhook-proof.js';
import { pullGround } from '../pull/ground-for-test.js';
import { codeOf, type GroundOptions, type PullGround, threadWords } from '../pull/pull-ground.js';
import { bareContext } from '../review-run/review-ground.js';

const secret = 'a secret of some length';
const plain = codeOf(Array.from({ length: 30 }, (_, at) => `line ${at}`));
const faulty = (word: string, at = 5) => plain.replace(`// line ${at}\n`, `// FAULT ${word}\n`);

type Json = Record<string, unknown>;

async function stage(kind: ForgeKind, options: GroundOptions = {}, repositories = ['acme/*']) {
  const ground = await pullGround({ kind, ...options });
  const { forge } = ground;
  await forge.commit({ branch: 'main', files: { 'src/a.ts': plain } });
  const head = await forge.commit({ branch: 'topic', from: 'main', files: { 'src/a.ts': faulty('one') } });
  const number = await forge.openPull({ head: 'topic', title: 'A change' });
  let shared: Store | undefined;
  const store = async () => shared as Store;
  const secrets = webhookSecrets({ GALLEY_WEBHOOK_SECRET: secret });
  const server = await serveForTest({
    doors: [webhookDoor({ store, repositories, secrets })],
  });
  shared = server.store;
  onTestFinished(() => server.close());
  const deliver = (body: Json | string, more: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return server.post(`/webhooks/${kind}`, text, { ...signed(kind, text), ...more });
  };
  return { ground, forge, head, number, server, deliver, runAll: () => runAll(ground, server.store) };
}

const events: Readonly<Record<ForgeKind, Record<string, string>>> = {
  github: { 'x-github-event': 'pull_request' },
  gitlab: { 'x-gitlab-event': 'Merge Request Hook' },
  gitea: { 'x-gitea-event': 'pull_request' },
};

function signed(kind: ForgeKind, text: string, key = secret): Record<string, string> {
  const hmac = createHmac('sha256', key).update(text).digest('hex');
  const proof = {
    github: { 'x-hub-signature-256': `sha256=${hmac}` },
    gitlab: { 'x-gitlab-token': key },
    gitea: { 'x-gitea-signature': hmac },
  } as const;
  return { ...events[kind], ...proof[kind] };
}

/** As each host writes it. */
function pullEvent(
  kind: ForgeKind,
  url: string,
  at: { number: number; head: string; action?: string; draft?: boolean },
): Json {
  const { number, head, draft = false } = at;
  if (kind === 'gitlab')
    return {
      ...{
        object_kind: 'merge_request',
        project: { path_with_namespace: 'acme/widgets', web_url: `${url}/acme/widgets` },
      },
      object_attributes: {
        ...{ iid: number, state: 'opened', draft, action: at.action ?? 'open', last_commit: { id: head } },
      },
    };
  return {
    action: at.action ?? 'opened',
    number,
    repository: { full_name: 'acme/widgets', html_url: `${url}/acme/widgets` },
    pull_request: { number, state: 'open', draft, title: 'A change', head: { sha: head } },
  };
}

/** What `galley serve --webhooks` does, until nothing is left to do. */
async function runAll({ forge, folder, model }: PullGround, store: Store): Promise<void> {
  await serveJobs({
    ...{ atOnce: 2, pollMs: 1, untilIdle: true, log: () => undefined },
    engine: embeddedEngine(async () => store.jobs, 20_000),
    world: async () => ({
      ...{ store, leaseMs: 20_000, elapsed: () => performance.now() },
      contextOf: async (_, signal) => ({
        ...bareContext(folder),
        signal,
        model: async () => model,
        forge: (asked) =>
          findForge({
            asked,
            environment: forge.env,
            remotes: async () => [],
            keptToken: async () => undefined,
            sleep: async (ms) => forge.advance(ms),
          }),
      }),
    }),
  }).ended;
}

async function allJobs(store: Store) {
  const lists = (await store.projects.list()).map(({ id }) => store.jobs.list(id));
  return (await Promise.all(lists)).flat();
}

const statuses = async (store: Store) => (await allJobs(store)).map(({ status }) => status);

describe('a delivery', () => {
  for (const kind of ['github', 'gitlab', 'gitea'] as const)
    it(`of ${kind} becomes a review on the pull request, however often it comes`, async () => {
      const { forge, number, head, deliver, runAll, server } = await stage(kind);
      const body = pullEvent(kind, forge.url, { number, head });
      const answer = await deliver(body);
      expect(answer.status).toBe(202);
      const { job } = JSON.parse(answer.text) as { job: string };
      expect(JSON.parse((await deliver(body)).text)).toMatchObject({ job });
      await runAll();
      expect(threadWords(forge, number)).toEqual(['one']);
      // Once more when all is done, as somebody who recorded it would send it.
      expect(JSON.parse((await deliver(body)).text)).toEqual({ job, status: 'succeeded' });
      await runAll();
      expect(threadWords(forge, number)).toEqual(['one']);
      expect(await statuses(server.store)).toEqual(['succeeded']);
    });

  it('is a job of its host and repository, so that all servers of a store make one of it', async () => {
    const { forge, number, head, deliver, server } = await stage('github');
    await deliver(pullEvent('github', forge.url, { number, head }));
    const project = `${new URL(forge.url).host}/acme/widgets`;
    expect(await server.store.jobs.list(project)).toMatchObject([{ status: 'queued' }]);
  });

  it('whose job failed begins it again', async () => {
    const { forge, number, head, deliver, runAll, server } = await stage('github');
    const body = pullEvent('github', forge.url, { number, head });
    const { job } = JSON.parse((await deliver(body)).text) as { job: string };
    const [claimed] = await server.store.jobs.claim({ limit: 1 }, 20_000);
    const refusal = { code: 'FORGE_NOT_CONFIGURED', message: 'There is no token.' };
    await server.store.jobs.settle(claimed as ClaimedJob, { status: 'failed', refusal });
    expect(await statuses(server.store)).toEqual(['failed']);
    expect(JSON.parse((await deliver(body)).text)).toEqual({ job, status: 'queued' });
    await runAll();
    expect(await statuses(server.store)).toEqual(['succeeded']);
    expect(threadWords(forge, number)).toEqual(['one']);
  });

  it('as GitHub itself writes it is understood', async () => {
    const { forge, number, deliver, runAll } = await stage('github');
    const { GITHUB_EVENT_PATH = '' } = await forge.event({ name: 'pull_request', number });
    expect((await deliver(readFileSync(GITHUB_EVENT_PATH, 'utf8'))).status).toBe(202);
    await runAll();
    expect(threadWords(forge, number)).toEqual(['one']);
  });

  it('of a newer push makes the one that waits unnecessary', async () => {
    const { forge, number, head, deliver, runAll, server } = await stage('github');
    await deliver(pullEvent('github', forge.url, { number, head }));
    const next = await forge.commit({ branch: 'topic', files: { 'src/a.ts': faulty('two', 15) } });
    await deliver(pullEvent('github', forge.url, { number, head: next, action: 'synchronize' }));
    expect((await statuses(server.store)).sort()).toEqual(['cancelled', 'queued']);
    await runAll();
    expect(threadWords(forge, number)).toEqual(['two']);
  });

  it('of a comment that calls us is answered, of any other not', async () => {
    const { forge, number, deliver, runAll, server } = await stage('github');
    const comment = (id: number, body: string) =>
      deliver(
        {
          ...{ action: 'created', comment: { id, body }, issue: { number, pull_request: {} } },
          repository: { full_name: 'acme/widgets', html_url: `${forge.url}/acme/widgets` },
        },
        { 'x-github-event': 'issue_comment' },
      );
    expect(JSON.parse((await comment(1, 'Nice work.')).text)).toEqual({ ignored: 'comment' });
    forge.as('ada').comment(number, '@galley pause');
    expect((await comment(2, '@galley pause')).status).toBe(202);
    expect(JSON.parse((await comment(2, '@galley pause')).text)).toMatchObject({ status: 'queued' });
    await runAll();
    expect(await statuses(server.store)).toEqual(['succeeded']);
    expect(forge.pull(number).comments.length).toBeGreaterThan(1);
  });

  it.each([
    ['a draft', { draft: true }, 'draft'],
    ['one that was closed', { action: 'closed' }, 'action'],
    ['one that got a label', { action: 'labeled' }, 'action'],
  ])('of %s is left alone', async (_, more, ignored) => {
    for (const kind of ['github', 'gitlab', 'gitea'] as const) {
      const { forge, number, head, deliver, server } = await stage(kind);
      const answer = await deliver(pullEvent(kind, forge.url, { number, head, ...more }));
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { ignored }]);
      expect(await statuses(server.store)).toEqual([]);
    }
  });
});

describe('a delivery that is not to be believed', () => {
  it('is refused with a line in the security log and without a word of it', async () => {
    for (const kind of ['github', 'gitlab', 'gitea'] as const) {
      const { forge, number, head, server } = await stage(kind);
      const text = JSON.stringify(pullEvent(kind, forge.url, { number, head }));
      const proofs: Record<string, string>[] = [
        signed(kind, text, 'another secret of length'),
        events[kind],
        { ...events[kind], 'x-hub-signature-256': 'sha256=', 'x-gitea-signature': '', 'x-gitlab-token': '' },
        // Signed, and then changed by one character.
        ...(kind === 'gitlab' ? [] : [signed(kind, `${text} `)]),
      ];
      for (const headers of proofs)
        expect((await server.post(`/webhooks/${kind}`, text, headers)).status).toBe(401);
      expect(server.lines.filter(({ level }) => level === 'security')).toHaveLength(proofs.length);
      expect(JSON.stringify(server.lines)).not.toContain('widgets');
      expect(await statuses(server.store)).toEqual([]);
    }
  });

  it.each([
    [
      'a repository that is not served',
      { full_name: 'other/thing', html_url: 'https://github.com/other/thing' },
      403,
    ],
    [
      'an address of another repository',
      { full_name: 'acme/widgets', html_url: 'https://github.com/other/thing' },
      400,
    ],
    ['a name that leads elsewhere', { full_name: 'acme/..', html_url: 'https://github.com/acme/..' }, 400],
    ['no repository', {}, 400],
  ])('names %s: nothing is queued', async (_, repository, status) => {
    const { forge, number, head, deliver, server } = await stage('github');
    const event = { ...pullEvent('github', forge.url, { number, head }), repository };
    expect((await deliver(event)).status).toBe(status);
    expect((await deliver('{"action":')).status).toBe(400);
    expect(await statuses(server.store)).toEqual([]);
  });

  it('is larger than any host sends: refused before it is read', async () => {
    const { server } = await stage('github');
    const before = process.memoryUsage().rss;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = httpRequest(`${server.address}/webhooks/github`, {
        method: 'POST',
        headers: {
          ...signed('github', 'x'),
          'content-type': 'application/json',
          'content-length': String(25 * 1024 * 1024 + 1),
        },
      });
      asked.on('response', (answer) => {
        asked.destroy();
        resolve(answer.statusCode);
      });
      asked.on('error', reject);
      asked.flushHeaders();
    });
    expect(status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('is larger than any host sends, and its signature has no form: refused for its size', async () => {
    const { server } = await stage('github');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = httpRequest(`${server.address}/webhooks/github`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': String(25 * 1024 * 1024 + 1) },
      });
      asked.on('response', (answer) => {
        asked.destroy();
        resolve(answer.statusCode);
      });
      asked.on('error', reject);
      asked.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('of 25 MB and rightly signed is taken', async () => {
    const { forge, number, head, deliver } = await stage('github');
    const event = pullEvent('github', forge.url, { number, head });
    const filler = 'x'.repeat(25 * 1024 * 1024 - 1000);
    expect((await deliver({ ...event, filler })).status).toBe(202);
  });
});

describe('a server for webhooks', () => {
  it('does not start without a secret, with a short one, or without repositories', () => {
    expect(() => webhookSecrets({})).toThrow(/GALLEY_WEBHOOK_SECRET/);
    expect(() => webhookSecrets({ GALLEY_WEBHOOK_SECRET: 'short' })).toThrow(/at least 16/);
    expect([...webhookSecrets({ GALLEY_WEBHOOK_SECRET_GITEA: secret }).keys()]).toEqual(['gitea']);
    const store = () => Promise.reject(new TypeError('nothing is stored'));
    expect(() => webhookDoor({ store, repositories: [], secrets: new Map([['github', secret]]) })).toThrow(
      /--webhook-repos/,
    );
  });
});
