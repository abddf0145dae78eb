import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../testing/forge/open-forge.js';
import { clientOf, type SampleForge, sampleForge } from '../testing/forge/sample-forge.js';
import type { Check, LineComment } from './forge.js';

const accounts = {
  workflow: { login: 'github-actions[bot]', isApp: true, rights: ['read', 'comment', 'status'] },
  person: { login: 'ada', rights: ['read', 'issues', 'comment', 'resolve', 'status'] },
  reader: { login: 'galley[bot]', isApp: true, rights: ['read'] },
} as const;
let sample: SampleForge;
beforeEach(async () => {
  sample = await sampleForge({ accounts });
});
afterEach(() => sample.forge.close());

const check: Check = {
  name: 'galley',
  conclusion: 'neutral',
  title: 'Half of it',
  summary: 'Half',
  annotations: [],
};
const line = { newLine: 10, position: { old: 11, new: 10 } };
const remark: LineComment = {
  ...{ key: 'k', path: 'a.txt', oldPath: 'a.txt', body: 'Look' },
  side: 'new',
  ...{ first: line, last: line },
};

describe('rights of a token', () => {
  it.each(['workflow', 'person'])(
    'to check runs are missing for a %s, which sets a status',
    async (token) => {
      const client = await clientOf(sample.forge, { token });
      await client.setCheck(sample.head, check);
      expect(sample.forge.checkRuns).toEqual([]);
      expect(sample.forge.statuses).toMatchObject([
        { state: 'success', context: 'galley', description: 'Half of it', commit: sample.head },
      ]);
    },
  );

  it('to a status may be missing, too', async () => {
    const client = await clientOf(sample.forge, { token: 'reader' });
    await expect(client.setCheck(sample.head, check)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('to threads need more than those to comments, and that is said', async () => {
    const client = await clientOf(sample.forge, { token: 'workflow' });
    await client.addLineComments(sample.number, sample.head, [remark]);
    const { threads } = await client.read(sample.number);
    const error = await client.resolveThreads(sample.number, threads).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('"contents: write"') });
  });

  it('to threads are missing, whatever else is', async () => {
    const client = await clientOf(sample.forge, { token: 'workflow' });
    await client.addLineComments(sample.number, sample.head, [remark, { ...remark, key: 'l' }]);
    const { threads } = await client.read(sample.number);
    await client.deleteLineComment(sample.number, threads[0]!);
    await expect(client.resolveThreads(sample.number, threads)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('to issues may be missing, and the rest is read all the same', async () => {
    await sample.forge.commit({ branch: 'fix', from: 'main', files: { b: 'b' } });
    const closes = [{ title: 'Broken', text: 'It is.' }];
    const number = await sample.forge.openPull({ head: 'fix', title: 'Fix', closes });
    const issuesFor = async (token: string) =>
      (await (await clientOf(sample.forge, { token })).read(number)).pull.issues.length;
    expect([await issuesFor('workflow'), await issuesFor('person')]).toEqual([0, 1]);
  });
});

describe('threads', () => {
  it('that a person resolves with a borrowed token are resolved by people', async () => {
    const client = await clientOf(sample.forge, { token: 'person' });
    await client.addLineComments(sample.number, sample.head, [remark]);
    const { threads } = await client.read(sample.number);
    await client.resolveThreads(sample.number, threads);
    expect((await client.read(sample.number)).threads).toMatchObject([{ isResolvedByPeople: true }]);
  });

  it('that are gone need not be resolved', async () => {
    const client = await clientOf(sample.forge, { token: 'person' });
    await client.addLineComments(sample.number, sample.head, [remark, { ...remark, key: 'l' }]);
    const { threads } = await client.read(sample.number);
    await client.deleteLineComment(sample.number, threads[0]!);
    await client.resolveThreads(sample.number, threads);
    expect(sample.forge.pull(sample.number).threads).toMatchObject([{ isResolved: true }]);
  });
});

describe('GraphQL, which says 200 to everything', () => {
  const said = (type: string): Fault => ({
    ...{ kind: 'status', status: 200 },
    body: JSON.stringify({ data: null, errors: [{ type, message: 'No.' }] }),
  });

  it('is asked again after a failure of its own, and left alone when it asks for that', async () => {
    const waits: number[] = [];
    const client = await clientOf(sample.forge, { sleep: async (ms) => waits.push(ms) });
    sample.forge.fail({ 1: said('RATE_LIMITED'), 2: said('SERVICE_UNAVAILABLE') });
    expect((await client.read(sample.number)).pull.number).toBe(sample.number);
    expect(waits).toEqual([60_000, 2000]);
  });

  it('knows no such pull request, or may not tell', async () => {
    const client = await clientOf(sample.forge);
    await expect(client.read(99)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { reason: 'missing' },
    });
    sample.forge.fail({ 1: said('FORBIDDEN') });
    await expect(client.read(sample.number)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    sample.forge.fail({ 1: { kind: 'status', status: 200, body: '{"data":{"repository":null}}' } });
    await expect(client.mergedPulls(3)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
