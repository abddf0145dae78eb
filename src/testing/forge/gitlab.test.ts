import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { after, askForge, type SampleForge, sampleForge } from './sample-forge.js';

let sample: SampleForge;
beforeEach(async () => {
  sample = await sampleForge({ kind: 'gitlab', roles: { grace: 'admin', linus: 'read' } });
});
afterEach(() => sample.forge.close());

const ask = (method: string, path: string, body?: unknown, token = 'loopback-token') =>
  askForge(sample.forge, { method, path: `/projects/acme%2Fwidgets${path}`, body, token });
const on = (method: string, path: string, body?: unknown, token?: string) =>
  ask(method, `/merge_requests/${sample.number}${path}`, body, token);
const refs = () => ({ base_sha: sample.base, start_sha: sample.base, head_sha: sample.head });
const discuss = (position: object) =>
  on('POST', '/discussions', {
    body: 'Look',
    position: { ...refs(), position_type: 'text', old_path: 'a.txt', new_path: 'a.txt', ...position },
  });
const code = (path: string, old: number, next: number) =>
  `${createHash('sha1').update(path).digest('hex')}_${old}_${next}`;
const threads = () => sample.forge.pull(sample.number).threads;

describe('a position', () => {
  it.each([
    ['an added line, by its new number', { new_line: 10 }, ['new', 10]],
    ['a removed line, by its old number', { old_line: 10 }, ['old', 10]],
    ['an unchanged line, by both', { old_line: 9, new_line: 9 }, ['new', 9]],
    ['an unchanged line that moved', { old_line: 32, new_line: 33 }, ['new', 33]],
    ['a line of a new file', { old_path: 'new.txt', new_path: 'new.txt', new_line: 1 }, ['new', 1]],
    ['a line of a removed file', { old_path: 'gone.txt', new_path: 'gone.txt', old_line: 2 }, ['old', 2]],
    [
      'a range',
      {
        new_line: 31,
        line_range: {
          start: { line_code: code('a.txt', 29, 29), type: null, old_line: 29, new_line: 29 },
          end: { line_code: code('a.txt', 31, 31), type: 'new', new_line: 31 },
        },
      },
      ['new', 31],
    ],
  ])('is taken for %s', async (_, position, seen) => {
    expect((await discuss(position)).status).toBe(201);
    expect(threads().map(({ side, line }) => [side, line])).toEqual([seen]);
  });

  it.each([
    ['an unchanged line by its new number only', { new_line: 9 }],
    ['an added line by both numbers', { old_line: 10, new_line: 10 }],
    ['a line outside of the diff', { old_line: 20, new_line: 20 }],
    ['a file that did not change', { old_path: 'b.txt', new_path: 'b.txt', new_line: 1 }],
    ['a new file without its old name', { old_path: undefined, new_path: 'new.txt', new_line: 1 }],
    ['another head', { new_line: 10, head_sha: 'f'.repeat(40) }],
    ['no kind', { new_line: 10, position_type: undefined }],
    [
      'a range whose codes are of other lines',
      {
        new_line: 31,
        line_range: {
          start: { line_code: code('a.txt', 29, 30), type: null },
          end: { line_code: code('a.txt', 31, 31), type: 'new' },
        },
      },
    ],
    [
      'a range whose lines are of another kind',
      {
        new_line: 31,
        line_range: {
          start: { line_code: code('a.txt', 29, 29), type: 'new' },
          end: { line_code: code('a.txt', 31, 31), type: 'new' },
        },
      },
    ],
  ])('is refused for %s', async (_, position) => {
    const { status, body } = await discuss(position);
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^400 Bad request - Note/)]);
    expect(threads()).toEqual([]);
  });

  it('follows its line, and stays behind once that is gone', async () => {
    await discuss({ new_line: 10 });
    const shown = async () =>
      (await on('GET', '/discussions')).body
        .flatMap(({ notes }: { notes: { position?: { new_line: number; head_sha: string } }[] }) => notes)
        .flatMap(({ position }: { position?: { new_line: number; head_sha: string } }) =>
          position === undefined ? [] : [[position.new_line, position.head_sha]],
        );
    const next = await sample.forge.commit({ branch: 'topic', files: { 'a.txt': `x\n${after}` } });
    expect(await shown()).toEqual([[11, next]]);
    await sample.forge.commit({ branch: 'topic', files: { 'a.txt': after.replace('ten', '10') } });
    expect(await shown()).toEqual([[10, sample.head]]);
  });
});

describe('notes', () => {
  it('are limited in length and in number', async () => {
    const post = async (body: string) => (await on('POST', '/notes', { body })).status;
    expect([await post('x'.repeat(1_000_000)), await post('x'.repeat(1_000_001)), await post(' ')]).toEqual([
      ...[201, 400, 400],
    ]);
    for (let count = 3; count < 60; count += 1) expect(await post('x')).toBe(201);
    expect(await post('x')).toBe(429);
    sample.forge.advance(60_001);
    expect(await post('x')).toBe(201);
  });

  it('carry out what looks like a command', async () => {
    expect((await on('POST', '/notes', { body: '```\n/close\n```' })).status).toBe(201);
    expect(sample.forge.pull(sample.number).state).toBe('open');
    expect((await on('POST', '/notes', { body: '/close' })).status).toBe(202);
    expect(sample.forge.pull(sample.number)).toMatchObject({ state: 'closed', comments: [{}] });
  });

  it('of others are not ours to change', async () => {
    const id = sample.forge.as('linus').comment(sample.number, 'Mine');
    expect((await on('PUT', `/notes/${id}`, { body: 'Yours' })).status).toBe(403);
    expect((await on('DELETE', `/notes/${id}`)).status).toBe(403);
  });

  it('come in pages, with what GitLab itself noted down', async () => {
    await sample.forge.commit({ branch: 'topic', files: { 'a.txt': 'x' } });
    for (let count = 0; count < 25; count += 1) sample.forge.as('ada').comment(sample.number, `${count}`);
    const { body, headers } = await on('GET', '/discussions');
    expect(body).toHaveLength(20);
    expect(body[0].notes[0].system).toBe(true);
    expect([headers.get('x-next-page'), headers.get('x-total')]).toEqual(['2', '26']);
    expect(headers.get('link')).toContain('rel="next"');
    expect((await on('GET', '/discussions?per_page=100')).headers.get('x-next-page')).toBe('');
  });
});

describe('a merge request', () => {
  it('has its refs only where it is asked for alone', async () => {
    expect((await on('GET', '')).body.diff_refs).toEqual(refs());
    const { body } = await ask('GET', '/merge_requests?source_branch=topic&state=opened');
    expect(body.map(({ iid }: { iid: number }) => iid)).toEqual([sample.number]);
    expect(body[0]).not.toHaveProperty('diff_refs');
  });

  it('of a fork has no branch here that a status could stand on', async () => {
    const set = { state: 'success', name: 'galley' };
    expect((await ask('POST', `/statuses/${sample.head}`, set)).status).toBe(201);
    const commit = await sample.forge.commit({
      branch: 'fix',
      owner: 'eve',
      from: 'main',
      files: { b: 'b' },
    });
    await sample.forge.openPull({ head: 'fix', owner: 'eve', author: 'eve' });
    expect((await ask('POST', `/statuses/${commit}`, set)).status).toBe(404);
    expect((await ask('POST', `/statuses/${sample.head}`, { state: 'neutral' })).status).toBe(400);
    const found = await ask('GET', `/repository/commits/${commit}/merge_requests`);
    expect(found.body).toHaveLength(1);
  });

  it('stays open when its branch goes', async () => {
    await sample.forge.deleteBranch({ branch: 'topic' });
    expect(sample.forge.pull(sample.number).state).toBe('open');
  });
});

describe('people', () => {
  const accounts = {
    reader: { login: 'reader', rights: ['read'] },
    guest: { login: 'linus', rights: ['read', 'comment'] },
    old: { login: 'old', rights: ['read'], isExpired: true },
  } as const;
  beforeEach(async () => {
    await sample.forge.close();
    sample = await sampleForge({ kind: 'gitlab', accounts, roles: { grace: 'admin', linus: 'read' } });
  });

  it('need the scope, and the role', async () => {
    expect((await on('GET', '', undefined, 'old')).status).toBe(401);
    const refused = await on('POST', '/notes', { body: 'x' }, 'reader');
    expect([refused.status, refused.body.scope]).toEqual([403, 'api']);
    const position = { ...refs(), position_type: 'text', old_path: 'a.txt', new_path: 'a.txt', new_line: 10 };
    const { body } = await on('POST', '/discussions', { body: 'x', position }, 'guest');
    expect((await on('PUT', `/discussions/${body.id}?resolved=true`, undefined, 'guest')).status).toBe(403);
    expect(threads()[0]?.isResolved).toBe(false);
    expect((await ask('GET', '/merge_requests/99', undefined, 'reader')).status).toBe(404);
  });
});
