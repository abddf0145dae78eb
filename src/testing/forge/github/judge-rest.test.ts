import { expect, it } from 'vitest';
import { sampleForge } from '../sample-forge.js';
import { restJudge } from './judge-rest.js';

const reviews = 'POST /repos/{}/{}/pulls/{}/reviews';

it('takes requests as GitHub describes them, and no name it does not know', async () => {
  const { request } = await restJudge();
  const comment = { path: 'a', line: 1, side: 'RIGHT', body: 'x' };
  expect(request(reviews, { event: 'COMMENT', comments: [comment] })).toBeUndefined();
  expect(request(reviews, { event: 'PRAISE' })).toMatch(/allowed values/);
  expect(request(reviews, { comments: [{ ...comment, line: '1' }] })).toMatch(/comments\/0\/line.*integer/);
  expect(request(reviews, { comments: [{ ...comment, startLine: 1 }] })).toMatch(/startLine/);
  expect(request('POST /repos/{}/{}/issues/{}/comments', {})).toMatch(/body/);
});

it('takes no answer that is not one of GitHub', async () => {
  const { answer } = await restJudge();
  const status = 'POST /repos/{}/{}/statuses/{}';
  expect(answer(status, 201, { id: 1, state: 'success' })).toMatch(/must have required property/);
  expect(answer(status, 200, {})).toMatch(/another status/);
  expect(answer(status, 422, { message: 'No' })).toBeUndefined();
  expect(answer('GET /nothing', 200, {})).toMatch(/has no/);
  expect(answer('DELETE /repos/{}/{}/issues/comments/{}', 204, undefined)).toBeUndefined();
});

it('lets nobody close a forge that was found to be wrong', async () => {
  const { forge, number } = await sampleForge();
  const query = `{ repository(owner: "acme", name: "widgets") { pullRequest(number: ${number}) { isInMergeQueue } } }`;
  const headers = { authorization: 'Bearer loopback-token' };
  await fetch(`${forge.apiUrl}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  await expect(forge.close()).rejects.toThrow(/PullRequest\.isInMergeQueue/);
});
