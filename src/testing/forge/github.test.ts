import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { after, askForge, type SampleForge, sampleForge } from './sample-forge.js';

let sample: SampleForge;
beforeEach(async () => {
  sample = await sampleForge();
});
afterEach(() => sample.forge.close());

const call = (method: string, path: string, body?: unknown, token?: string) =>
  askForge(sample.forge, { method, path, body, ...(token === undefined ? {} : { token }) });
const rest = (method: string, path: string, body?: unknown, token?: string) =>
  call(method, `/v3/repos/acme/widgets${path}`, body, token);
const review = (comments: readonly object[], more: object = {}) =>
  rest('POST', `/pulls/${sample.number}/reviews`, {
    commit_id: sample.head,
    event: 'COMMENT',
    comments,
    ...more,
  });
const graphql = async (query: string, variables: object = {}, token?: string) =>
  (await call('POST', '/graphql', { query, variables }, token)).body;
const at = (line: number, more: object = {}) => ({
  path: 'a.txt',
  line,
  side: 'RIGHT',
  body: 'Look',
  ...more,
});

describe('a review', () => {
  it('is taken with lines of the diff, added, removed and around them', async () => {
    const { status } = await review([
      at(10),
      at(10, { side: 'LEFT' }),
      at(7),
      at(32, { start_line: 30, start_side: 'RIGHT' }),
      { path: 'new.txt', line: 2, side: 'RIGHT', body: 'New' },
      { path: 'gone.txt', line: 1, side: 'LEFT', body: 'Gone' },
    ]);
    expect(status).toBe(200);
    const { threads, reviews } = sample.forge.pull(sample.number);
    expect(threads.map(({ path, side, startLine, line }) => [path, side, startLine, line])).toEqual([
      ['a.txt', 'new', 10, 10],
      ['a.txt', 'old', 10, 10],
      ['a.txt', 'new', 7, 7],
      ['a.txt', 'new', 30, 32],
      ['new.txt', 'new', 2, 2],
      ['gone.txt', 'old', 1, 1],
    ]);
    expect(reviews).toHaveLength(1);
  });

  it.each([
    ['a line outside of the diff', at(20)],
    ['a line before the context', at(6)],
    ['a line behind the end of the file', at(99)],
    ['a side that has no such line', { path: 'new.txt', line: 1, side: 'LEFT', body: 'x' }],
    ['a file that did not change', { path: 'b.txt', line: 1, body: 'x' }],
    ['a range that ends before it begins', at(30, { start_line: 32 })],
    ['a range of one line', at(30, { start_line: 30 })],
    ['a range over two hunks', at(30, { start_line: 10 })],
    ['no text', at(10, { body: ' ' })],
    ['a text that is too long', at(10, { body: 'x'.repeat(65_537) })],
  ])('is refused as a whole for %s', async (_, wrong) => {
    const { status, body } = await review([at(10), wrong]);
    expect([status, body.message]).toEqual([422, 'Unprocessable Entity']);
    expect(sample.forge.pull(sample.number)).toMatchObject({ threads: [], reviews: [] });
  });

  it('is refused for a commit that is not one of the pull request', async () => {
    expect((await review([at(10)], { commit_id: sample.base })).status).toBe(422);
    expect((await review([at(10)], { commit_id: 'f'.repeat(40) })).status).toBe(422);
    const { forge, head } = sample;
    await forge.commit({ branch: 'topic', from: 'main', force: true, files: { 'a.txt': after } });
    expect((await review([at(10)], { commit_id: head })).status).toBe(422);
  });

  it('neither approves nor says nothing for the one who opened the pull request', async () => {
    const number = await sample.forge.openPull({ head: 'topic', author: 'github-actions[bot]' });
    const asked = (event: string, body: string) =>
      rest('POST', `/pulls/${number}/reviews`, { event, body }).then(({ status }) => status);
    expect(await asked('APPROVE', 'Fine')).toBe(422);
    expect(await asked('REQUEST_CHANGES', 'No')).toBe(422);
    expect(await asked('COMMENT', '')).toBe(422);
    expect(await asked('COMMENT', 'Hm')).toBe(200);
  });
});

describe('a thread', () => {
  const states = () =>
    sample.forge
      .pull(sample.number)
      .threads.map(({ isOutdated, lineNow }) => (isOutdated ? 'outdated' : lineNow));

  it('follows its line, and is outdated when that is changed, removed or no longer in the diff', async () => {
    await review([at(10), at(30), at(31), at(28)]);
    const { forge } = sample;
    await forge.commit({ branch: 'topic', files: { 'a.txt': `new first line\n${after}` } });
    expect(states()).toEqual([11, 31, 32, 29]);
    await forge.commit({ branch: 'topic', files: { 'a.txt': after.replace('line ten', 'line 10') } });
    expect(states()).toEqual(['outdated', 30, 31, 28]);
    const without = after.replace('line ten', 'line 10').replace('and one more\n', '');
    await forge.commit({ branch: 'topic', files: { 'a.txt': without } });
    expect(states()).toEqual(['outdated', 30, 'outdated', 28]);
  });

  it('stays where lines are added right behind it, and moves where they are added right before', async () => {
    await review([at(9), at(11)]);
    const { forge } = sample;
    await forge.commit({
      branch: 'topic',
      files: { 'a.txt': after.replace('line 9\n', 'line 9\nnine and a half\n') },
    });
    expect(states()).toEqual([9, 12]);
    await forge.commit({
      branch: 'topic',
      files: { 'a.txt': after.replace('line 9\n', 'eight and a half\nline 9\n') },
    });
    expect(states()).toEqual([10, 12]);
  });

  it('follows a line over a forced push, and is outdated where the commit is gone', async () => {
    await review([at(10)]);
    const { forge } = sample;
    await forge.commit({ branch: 'topic', from: 'main', force: true, files: { 'a.txt': `x\n${after}` } });
    expect(states()).toEqual([11]);
    await forge.forgetUnreachable();
    await forge.commit({ branch: 'topic', files: { 'a.txt': after } });
    expect(states()).toEqual(['outdated']);
  });

  it('is not touched by a base that moves on', async () => {
    await review([at(10)]);
    await sample.forge.commit({ branch: 'main', files: { 'b.txt': 'b\n' } });
    expect(states()).toEqual([10]);
    expect(sample.forge.pull(sample.number).base.commit).toBe(sample.base);
  });
});

describe('limits', () => {
  it('of a comment are in characters', async () => {
    const post = async (body: unknown) =>
      (await rest('POST', `/issues/${sample.number}/comments`, { body })).status;
    expect(await post('😀'.repeat(65_536))).toBe(201);
    expect(await post(`${'x'.repeat(65_536)}y`)).toBe(422);
    expect(await post('')).toBe(422);
    expect((await rest('POST', `/issues/${sample.number}/comments`, 'no json')).status).toBe(400);
  });

  it('of creations hold for a minute and for an hour, and name no time to wait', async () => {
    const path = `/issues/${sample.number}/comments`;
    for (let at = 0; at < 80; at += 1) expect((await rest('POST', path, { body: 'x' })).status).toBe(201);
    const refused = await rest('POST', path, { body: 'x' });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toMatch(/secondary rate limit/);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect((await rest('PATCH', `/pulls/${sample.number}`, { body: 'x' })).status).toBe(200);
    for (let at = 80; at < 500; at += 1) {
      if (at % 70 === 10) sample.forge.advance(60_001);
      expect((await rest('POST', path, { body: 'x' })).status).toBe(201);
    }
    sample.forge.advance(60_001);
    expect((await rest('POST', path, { body: 'x' })).status).toBe(403);
    sample.forge.advance(60 * 60_000);
    expect((await rest('POST', path, { body: 'x' })).status).toBe(201);
  });

  it('of a check run are kept', async () => {
    const annotation = (line: number) => ({
      ...{ path: 'a.txt', start_line: line, end_line: line, message: 'x' },
      annotation_level: 'warning',
    });
    const post = (output: object) =>
      rest('POST', '/check-runs', {
        ...{ name: 'galley', head_sha: sample.head, conclusion: 'neutral' },
        output: { title: 't', summary: 's', ...output },
      });
    expect((await post({ summary: 'x'.repeat(65_536) })).status).toBe(422);
    expect((await post({ text: 'x'.repeat(65_536) })).status).toBe(422);
    const many = Array.from({ length: 51 }, (_, at) => annotation(at + 1));
    expect((await post({ annotations: many })).status).toBe(422);
    expect((await post({ annotations: [{ ...annotation(3), end_line: 2 }] })).status).toBe(422);
    const { status, body } = await post({ annotations: many.slice(1) });
    expect(status).toBe(201);
    const more = { output: { title: 't', summary: 's', annotations: many.slice(0, 1) } };
    expect((await rest('PATCH', `/check-runs/${body.id}`, more)).body.output.annotations_count).toBe(51);
    expect((await post({ summary: 's' })).status).toBe(201);
  });
});

describe('rights', () => {
  const accounts = {
    reader: { login: 'galley[bot]', isApp: true, rights: ['read'] },
    person: { login: 'ada', rights: ['read', 'comment', 'check', 'status'] },
    nothing: { login: 'eve', rights: [] },
    old: { login: 'galley[bot]', isApp: true, rights: ['read'], isExpired: true },
  } as const;
  beforeEach(async () => {
    await sample.forge.close();
    sample = await sampleForge({ accounts, roles: { grace: 'admin', linus: 'read' } });
  });
  const comments = () => `/issues/${sample.number}/comments`;

  it('are missing, expired or unknown', async () => {
    expect((await rest('GET', comments(), undefined, 'reader')).status).toBe(200);
    const refused = await rest('POST', comments(), { body: 'x' }, 'reader');
    expect([refused.status, refused.body.message]).toEqual([403, 'Resource not accessible by integration']);
    expect((await rest('GET', comments(), undefined, 'nothing')).status).toBe(404);
    expect((await rest('GET', comments(), undefined, 'old')).status).toBe(401);
    expect((await rest('GET', comments(), undefined, 'nobody')).status).toBe(401);
    expect((await rest('GET', '/pulls/99', undefined, 'reader')).status).toBe(404);
  });

  it('to check runs are for apps only', async () => {
    const body = { name: 'galley', head_sha: sample.head, conclusion: 'success' };
    const { status, body: said } = await rest('POST', '/check-runs', body, 'person');
    expect([status, said.message]).toEqual([403, 'You must authenticate via a GitHub App.']);
    const set = { state: 'success', context: 'galley' };
    expect((await rest('POST', `/statuses/${sample.head}`, set, 'person')).status).toBe(201);
    expect((await rest('POST', `/statuses/${'f'.repeat(40)}`, set, 'person')).status).toBe(422);
  });

  it('to threads need more than comments do, and GraphQL says so with status 200', async () => {
    const comments = [at(10)];
    await rest('POST', `/pulls/${sample.number}/reviews`, { event: 'COMMENT', comments }, 'person');
    const [thread] = sample.forge.pull(sample.number).threads;
    const query = 'mutation($t: ID!) { resolveReviewThread(input: { threadId: $t }) { thread { id } } }';
    expect(await graphql(query, { t: thread!.id }, 'person')).toMatchObject({
      data: { resolveReviewThread: null },
      errors: [{ type: 'FORBIDDEN', path: ['resolveReviewThread'] }],
    });
    expect(sample.forge.pull(sample.number).threads[0]?.isResolved).toBe(false);
  });

  it('of people are told by their names', async () => {
    const of = async (login: string) =>
      (await rest('GET', `/collaborators/${login}/permission`, undefined, 'reader')).body.permission;
    expect([await of('grace'), await of('linus'), await of('ada')]).toEqual(['admin', 'read', 'write']);
    sample.forge.as('drive-by').comment(sample.number, 'Hello');
    expect(await of('drive-by')).toBe('read');
    expect(await of('nobody-at-all')).toBeUndefined();
  });
});

describe('GraphQL', () => {
  const threads = (more: string) =>
    graphql(
      `query($n: Int!) { repository(owner: "acme", name: "widgets") { pullRequest(number: $n) { ${more} } } }`,
      { n: sample.number },
    );

  it('is judged by the schema of GitHub', async () => {
    expect((await threads('number isResolved')).errors[0].message).toMatch(/Cannot query field "isResolved"/);
    expect((await graphql('query {')).errors).toHaveLength(1);
    expect((await graphql('query($n: Int!) { viewer { login } }')).errors[0].message).toMatch(/\$n/);
  });

  it('gives at most a hundred at once, and the rest behind a cursor', async () => {
    for (let index = 0; index < 101; index += 1) sample.forge.as('ada').comment(sample.number, `${index}`);
    const asked = (args: string) =>
      threads(`comments(${args}) { nodes { body } totalCount pageInfo { hasNextPage endCursor } }`);
    expect((await asked('first: 101')).errors[0].type).toBe('EXCESSIVE_PAGINATION');
    expect((await threads('comments { nodes { body } }')).errors[0].type).toBe(
      'MISSING_PAGINATION_BOUNDARIES',
    );
    expect((await threads('comments { totalCount }')).data.repository.pullRequest.comments.totalCount).toBe(
      101,
    );
    const first = (await asked('first: 100')).data.repository.pullRequest.comments;
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second = (await asked(`first: 100, after: "${first.pageInfo.endCursor}"`)).data.repository
      .pullRequest.comments;
    expect([second.nodes, second.pageInfo.hasNextPage]).toEqual([[{ body: '100' }], false]);
    expect((await asked('first: 1, after: "nowhere"')).errors[0].type).toBe('INVALID_CURSOR_ARGUMENTS');
  });

  it('knows no pull request that is not there', async () => {
    const found = await graphql('{ repository(owner: "acme", name: "other") { id } }');
    expect(found).toMatchObject({ data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] });
  });

  it('resolves several threads in one call', async () => {
    await review([at(10), at(30)]);
    const ids = sample.forge.pull(sample.number).threads.map(({ id }) => id);
    const query =
      'mutation($a: ID!, $b: ID!) { a: resolveReviewThread(input: { threadId: $a }) { thread { isResolved } } b: resolveReviewThread(input: { threadId: $b }) { thread { isResolved } } }';
    await graphql(query, { a: ids[0], b: ids[1] });
    expect(sample.forge.pull(sample.number).threads.map(({ resolvedBy }) => resolvedBy)).toEqual([
      'github-actions[bot]',
      'github-actions[bot]',
    ]);
    const missing = await graphql(query, { a: 'nothing', b: ids[1] });
    expect(missing).toMatchObject({ data: { a: null, b: {} }, errors: [{ type: 'NOT_FOUND', path: ['a'] }] });
  });
});

describe('commits and their pull requests', () => {
  const numbers = async (commit: string) =>
    (await rest('GET', `/commits/${commit}/pulls`)).body.map(({ number }: { number: number }) => number);

  it('are found for branches of the repository, and not for those of a fork', async () => {
    expect(await numbers(sample.head)).toEqual([sample.number]);
    const commit = await sample.forge.commit({
      branch: 'fix',
      owner: 'eve',
      from: 'main',
      files: { b: 'b' },
    });
    const number = await sample.forge.openPull({ head: 'fix', owner: 'eve', author: 'eve' });
    expect(await numbers(commit)).toEqual([]);
    const found = await rest('GET', `/pulls?head=eve:fix`);
    expect(found.body.map((pull: { number: number }) => pull.number)).toEqual([number]);
    expect((await rest('GET', `/commits/${'f'.repeat(40)}/pulls`)).status).toBe(422);
  });

  it('end when the base has them', async () => {
    await sample.forge.merge(sample.number);
    expect(sample.forge.pull(sample.number).state).toBe('merged');
    expect(await numbers(sample.head)).toEqual([sample.number]);
  });
});

describe('git over HTTP', () => {
  const fetchInto = (what: string, token: string) => {
    const { url } = sample.forge;
    const header = `Authorization: Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
    const args = ['-c', `http.extraHeader=${header}`, 'ls-remote', `${url}/acme/widgets.git`, what];
    return new Promise<string>((resolve) => {
      import('node:child_process').then(({ execFile }) =>
        execFile('git', args, { env: { ...process.env, GIT_TERMINAL_PROMPT: '0' } }, (error, out) =>
          resolve(error === null ? out : 'refused'),
        ),
      );
    });
  };

  it('shows heads of pull requests to those who have a token, and branches of forks to nobody', async () => {
    const { forge, number, head } = sample;
    await forge.commit({ branch: 'fix', owner: 'eve', from: 'main', files: { b: 'b' } });
    expect(await fetchInto(`refs/pull/${number}/head`, 'loopback-token')).toContain(head);
    expect(await fetchInto('*', 'loopback-token')).not.toContain('eve');
    expect(await fetchInto('*', 'wrong')).toBe('refused');
    expect(execFileSync('git', ['-C', forge.gitDirectory, 'cat-file', '-t', head]).toString()).toBe(
      'commit\n',
    );
  });
});
