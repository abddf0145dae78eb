import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findForge } from '../../../forges/find-forge.js';
import type { AskedEvent } from '../open-forge.js';
import { clientOf, type SampleForge, sampleForge } from '../sample-forge.js';

let sample: SampleForge;
beforeEach(async () => {
  sample = await sampleForge();
});
afterEach(() => sample.forge.close());

const eventOf = async (asked: Omit<AskedEvent, 'number'> & { readonly number?: number }) => {
  const variables = await sample.forge.event({ number: sample.number, ...asked });
  const found = await findForge({
    environment: { ...sample.forge.env, ...variables },
    remotes: async () => [],
    keptToken: async () => undefined,
  });
  const { number, origin } = found;
  return { number, origin, payload: JSON.parse(readFileSync(variables.GITHUB_EVENT_PATH!, 'utf8')) };
};

it('tells of a pull request that was pushed to', async () => {
  const { number, payload } = await eventOf({ name: 'pull_request' });
  expect(number).toBe(sample.number);
  expect(payload).toMatchObject({
    ...{ action: 'synchronize', after: sample.head },
    pull_request: { head: { sha: sample.head }, base: { sha: sample.base }, title: 'Ten and thirty' },
    repository: { full_name: 'acme/widgets' },
    sender: { login: 'ada' },
  });
  expect(JSON.stringify(payload.repository)).not.toMatch(/Codertocat\/Hello-World/);
});

it('tells of comments, on the whole and on a line', async () => {
  const comment = sample.forge.as('grace').comment(sample.number, '/galley review');
  const said = await eventOf({ name: 'issue_comment', comment });
  expect(said.number).toBe(sample.number);
  expect(said.payload).toMatchObject({
    issue: { number: sample.number, pull_request: {} },
    comment: { id: comment, body: '/galley review', user: { login: 'grace' } },
    sender: { login: 'grace' },
  });
  const line = { newLine: 10, position: { old: 11, new: 10 } };
  const remark = { key: 'k', path: 'a.txt', oldPath: 'a.txt', side: 'new', body: 'Look' } as const;
  const client = await clientOf(sample.forge);
  await client.addLineComments(sample.number, sample.head, [{ ...remark, first: line, last: line }]);
  const reply = sample.forge.as('linus').reply(sample.forge.pull(sample.number).threads[0]!.id, 'Why?');
  const answered = await eventOf({ name: 'pull_request_review_comment', comment: reply });
  expect(answered.number).toBe(sample.number);
  expect(answered.payload.comment).toMatchObject({
    id: reply,
    in_reply_to_id: expect.any(Number),
    path: 'a.txt',
  });
});

it('tells of a run for a branch of the repository, and does not name the pull request of a fork', async () => {
  expect((await eventOf({ name: 'workflow_run' })).number).toBe(sample.number);
  const commit = await sample.forge.commit({ branch: 'fix', owner: 'eve', from: 'main', files: { b: 'b' } });
  const fork = await sample.forge.openPull({ head: 'fix', owner: 'eve', author: 'eve' });
  const { number, origin } = await eventOf({ name: 'workflow_run', number: fork });
  expect([number, origin]).toEqual([undefined, { commit, branch: 'eve:fix' }]);
});

it('tells of nothing that is not there', async () => {
  await expect(eventOf({ name: 'pull_request', number: 99 })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  await expect(eventOf({ name: 'pull_request', action: 'exploded' })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  const comment = sample.forge.as('ada').comment(sample.number, 'x');
  await expect(eventOf({ name: 'pull_request_review_comment', comment })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
});
