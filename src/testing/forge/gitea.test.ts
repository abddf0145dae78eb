import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { after, askForge, type SampleForge, sampleForge } from './sample-forge.js';

let sample: SampleForge;
beforeEach(async () => {
  sample = await sampleForge({ kind: 'gitea' });
});
afterEach(() => sample.forge.close());

const ask = (method: string, path: string, body?: unknown, token = 'loopback-token') =>
  askForge(sample.forge, { method, path: `/repos/acme/widgets${path}`, body, token });
const review = (comments: readonly object[], more: object = {}) =>
  ask('POST', `/pulls/${sample.number}/reviews`, { event: 'COMMENT', body: '', comments, ...more });
const at = (line: number, path = 'a.txt') => ({ path, new_position: line, old_position: 0, body: 'Look' });
const old = (line: number, path = 'a.txt') => ({
  path,
  new_position: 0,
  old_position: line,
  body: 'Look',
});

describe('a review', () => {
  it('names each line by its number on one side', async () => {
    const { body } = await review([at(10), old(10), at(9), old(1, 'gone.txt')]);
    expect(body.comments_count).toBe(4);
    const comments = (await ask('GET', `/pulls/${sample.number}/reviews/${body.id}/comments`)).body;
    const shown = comments.map((each: Record<string, unknown>) => [
      ...[each.path, each.position, each.original_position],
    ]);
    expect(shown.toSorted()).toEqual([
      ['a.txt', 0, 10],
      ['a.txt', 10, 0],
      ['a.txt', 9, 0],
      ['gone.txt', 0, 1],
    ]);
    const hunk = comments.find((each: Record<string, unknown>) => each.position === 10).diff_hunk;
    expect(hunk.split('\n').at(-1)).toBe('+line ten');
  });

  it.each([
    ['a line outside of the diff', [at(10), at(20)]],
    ['a file that did not change', [at(1, 'b.txt')]],
    ['no line', [at(0)]],
    ['nothing to say', []],
  ])('is refused for %s', async (_, comments) => {
    expect((await review(comments)).status).toBe(422);
    expect(sample.forge.pull(sample.number)).toMatchObject({ threads: [], reviews: [] });
  });

  it('needs words to ask for changes', async () => {
    expect((await review([at(10)], { event: 'REQUEST_CHANGES' })).status).toBe(422);
    expect((await review([at(10)], { event: 'REQUEST_CHANGES', body: 'No' })).status).toBe(200);
    const own = await sample.forge.openPull({ head: 'topic', author: 'review-bot' });
    const approved = await ask('POST', `/pulls/${own}/reviews`, { event: 'APPROVED' });
    expect(approved.status).toBe(422);
  });

  it('goes as a whole, and no remark of it alone', async () => {
    const { body } = await review([at(10), at(30)]);
    const [first] = sample.forge.pull(sample.number).threads;
    expect((await ask('DELETE', `/issues/comments/${first!.comments[0]!.id}`)).status).toBe(204);
    expect(sample.forge.pull(sample.number).threads).toHaveLength(2);
    expect((await ask('DELETE', `/pulls/${sample.number}/reviews/${body.id}`)).status).toBe(204);
    expect(sample.forge.pull(sample.number)).toMatchObject({ threads: [], reviews: [] });
  });
});

describe('lists', () => {
  it('of reviews give fifty at most and tell the total, those of comments give all', async () => {
    for (let count = 0; count < 60; count += 1) await review([at(10)]);
    const { body, headers } = await ask('GET', `/pulls/${sample.number}/reviews?limit=100`);
    expect(body).toHaveLength(50);
    expect([headers.get('x-total-count'), headers.get('link')]).toEqual(['60', null]);
    expect((await ask('GET', `/pulls/${sample.number}/reviews?limit=100&page=2`)).body).toHaveLength(10);
    for (let count = 0; count < 60; count += 1) sample.forge.as('ada').comment(sample.number, `${count}`);
    expect((await ask('GET', `/issues/${sample.number}/comments?limit=20&page=3`)).body).toHaveLength(60);
  });
});

describe('a pull request', () => {
  it('stands on its base as that is now', async () => {
    const moved = await sample.forge.commit({ branch: 'main', files: { b: 'b' } });
    const { body } = await ask('GET', `/pulls/${sample.number}`);
    expect([body.base.sha, body.merge_base, body.head.sha]).toEqual([moved, sample.base, sample.head]);
  });

  it('shows its diff, and a thumb down', async () => {
    const { body } = await ask('GET', `/pulls/${sample.number}.diff`);
    expect(body).toContain('+line ten\n');
    const id = sample.forge.as('ada').comment(sample.number, 'Hm');
    const reactions = async () => (await ask('GET', `/issues/comments/${id}/reactions`)).body;
    expect(await reactions()).toBeNull();
    sample.forge.as('linus').react(id, '-1');
    expect(await reactions()).toMatchObject([{ content: '-1', user: { login: 'linus' } }]);
    expect(after).toContain('line ten');
  });
});

describe('people', () => {
  it('are told of by administrators, and by themselves', async () => {
    const permission = (login: string) => ask('GET', `/collaborators/${login}/permission`);
    expect((await permission('review-bot')).body.permission).toBe('write');
    expect((await permission('grace')).status).toBe(403);
    await sample.forge.close();
    sample = await sampleForge({ kind: 'gitea', roles: { 'review-bot': 'admin', grace: 'write' } });
    expect((await permission('grace')).body.permission).toBe('write');
    expect((await permission('nobody')).status).toBe(404);
  });

  it('need the scope', async () => {
    await sample.forge.close();
    const reader = { login: 'reader', rights: ['read'] } as const;
    sample = await sampleForge({ kind: 'gitea', accounts: { reader } });
    const refused = await ask('POST', `/issues/${sample.number}/comments`, { body: 'x' }, 'reader');
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('write:issue')]);
    expect((await ask('GET', '/pulls/1', undefined, 'other')).status).toBe(401);
  });
});
