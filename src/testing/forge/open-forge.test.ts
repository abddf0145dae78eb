import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { borrowRepository } from '../../git/repository/borrow-repository.js';
import { everyNth, type Fault } from './open-forge.js';
import { clientOf, type SampleForge, sampleForge } from './sample-forge.js';

let sample: SampleForge;
beforeEach(async () => {
  sample = await sampleForge();
});
afterEach(() => sample.forge.close());

async function post(body: string): Promise<string> {
  const response = await fetch(
    `${sample.forge.apiUrl}/v3/repos/acme/widgets/issues/${sample.number}/comments`,
    {
      method: 'POST',
      headers: { authorization: 'Bearer loopback-token', 'user-agent': 'test' },
      body: JSON.stringify({ body }),
      signal: AbortSignal.timeout(10_000),
    },
  ).catch(() => undefined);
  if (response === undefined) return 'no answer';
  const text = await response.text();
  const after = response.headers.get('retry-after');
  const isJson = text.startsWith('{') && text.endsWith('}') ? '' : ' malformed';
  return `${response.status}${after === null ? '' : ` after ${after}`}${isJson}`;
}
const bodies = () => sample.forge.pull(sample.number).comments.map(({ body }) => body);

describe('faults', () => {
  it.each<[Fault, string, boolean]>([
    [{ kind: 'status', status: 422 }, '422', false],
    [{ kind: 'status', status: 429, retryAfter: 7 }, '429 after 7', false],
    [{ kind: 'status', status: 502, body: '<html>' }, '502 malformed', false],
    [{ kind: 'secondary-limit' }, '403', false],
    [{ kind: 'cut' }, 'no answer', false],
    [{ kind: 'lost-answer' }, 'no answer', true],
    [{ kind: 'malformed' }, '201 malformed', true],
  ])('%o ends in %s', async (fault, seen, isDone) => {
    sample.forge.fail({ 2: fault });
    expect([await post('one'), await post('two'), await post('three')]).toEqual(['201', seen, '201']);
    expect(bodies()).toEqual(isDone ? ['one', 'two', 'three'] : ['one', 'three']);
  });

  it('come by predicate, and every so often', async () => {
    sample.forge.fail(({ path }) =>
      path.includes('/comments') ? { kind: 'status', status: 500 } : undefined,
    );
    expect(await post('one')).toBe('500');
    sample.forge.fail(everyNth(2, { kind: 'status', status: 500 }));
    expect([await post('a'), await post('b'), await post('c'), await post('d')]).toEqual([
      ...['201', '500', '201', '500'],
    ]);
    sample.forge.fail(undefined);
    expect(await post('e')).toBe('201');
  });

  it('leave a caller without an answer until it goes', async () => {
    sample.forge.fail({ 1: { kind: 'hang' } });
    const gone = new AbortController();
    const waiting = fetch(`${sample.forge.apiUrl}/v3/user`, { signal: gone.signal }).catch(() => 'left');
    while (sample.forge.requests.length === 0) await new Promise(setImmediate);
    gone.abort();
    expect(await waiting).toBe('left');
    expect(sample.forge.requests.map(({ method, status }) => [method, status])).toEqual([['GET', 0]]);
  });
});

describe('what is remembered of a request', () => {
  it('is its method, its path and its status, and no token', async () => {
    await post('one');
    expect(sample.forge.requests).toEqual([
      {
        ...{ number: 1, method: 'POST', kind: 'api', status: 201 },
        path: `/api/v3/repos/acme/widgets/issues/${sample.number}/comments`,
      },
    ]);
    expect(JSON.stringify(sample.forge.requests)).not.toContain('loopback-token');
  });
});

describe('commits', () => {
  const borrow = async (anyCommit: boolean) => {
    await sample.forge.close();
    sample = await sampleForge({ anyCommit });
    const { git, headRef } = await clientOf(sample.forge);
    return await borrowRepository({
      ...git,
      base: { commit: sample.base, ref: 'refs/heads/main' },
      head: { commit: sample.head, ref: headRef(sample.number) },
    });
  };

  it.each([true, false])('are fetched where any can be asked for by its id: %s', async (anyCommit) => {
    const borrowed = await borrow(anyCommit);
    const asked = sample.forge.requests.filter(({ kind }) => kind === 'git');
    expect(asked.some(({ path }) => path.endsWith('/git-upload-pack'))).toBe(true);
    expect(asked.every(({ status }) => status === 200)).toBe(true);
    await borrowed.close();
  });

  it('are not fetched with another token', async () => {
    const { git } = await clientOf(sample.forge);
    const base = { commit: sample.base, ref: 'refs/heads/main' };
    const head = { commit: sample.head, ref: 'refs/heads/topic' };
    const header = `Authorization: Basic ${Buffer.from('x:wrong').toString('base64')}`;
    await expect(borrowRepository({ url: git.url, header, base, head })).rejects.toMatchObject({
      code: 'FORGE_UNAVAILABLE',
    });
    expect(new Set(sample.forge.requests.map(({ status }) => status))).toEqual(new Set([401]));
  });
});

describe('a script', () => {
  it('pushes, moves, closes and merges as people do', async () => {
    const { forge, number } = sample;
    await expect(forge.push({ branch: 'topic', commit: sample.base })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await forge.push({ branch: 'topic', commit: sample.base, force: true });
    expect(forge.pull(number).head.commit).toBe(sample.base);
    await forge.deleteBranch({ branch: 'topic' });
    expect(forge.pull(number).state).toBe('closed');
    await forge.commit({ branch: 'other', from: 'main', files: { 'b.txt': 'b' } });
    const other = await forge.openPull({ head: 'other' });
    const merged = await forge.merge(other, 'grace');
    expect(forge.pull(other).state).toBe('merged');
    expect(await forge.commit({ branch: 'main', files: { c: 'c' } })).not.toBe(merged);
  });
});
