// From galley init to remarks on a pull request, on what is shipped: the packed program, the proposed workflows, the action, and a host
// and a model on this machine.
import { describe, expect, it } from 'vitest';
import { type CiGround, ciGround, modelKey, pageCalls } from './ci-ground.js';

const finding = (path: string) => ({
  path,
  startLine: 1,
  endLine: 1,
  side: 'new',
  severity: 'high',
  category: 'bug',
  title: 'Zero is lost',
  message: 'The value is dropped when it is zero.',
  confidence: 0.9,
});
const sum = { 'src/sum.ts': 'export const sum = (a: number) => a || 1;\n' };

async function openPull({ forge }: CiGround, files: Readonly<Record<string, string>>, owner?: string) {
  const fork = owner === undefined ? {} : { owner };
  await forge.commit({ branch: 'topic', from: 'main', files, ...fork });
  return forge.openPull({ head: 'topic', title: 'Sums', ...fork });
}

/** What stands on a pull request. */
const postedOn = ({ forge }: CiGround, number: number) => {
  const { comments, threads } = forge.pull(number);
  return {
    comments: comments.length,
    threads: threads.map(({ path }) => path),
    checks: forge.checkRuns.length,
  };
};
const nothing = { comments: 0, threads: [], checks: 0 };

describe('a pull request', () => {
  it('is reviewed after one commit and with one secret', async () => {
    const ground = await ciGround();
    const number = await openPull(ground, sum);
    ground.model.play({ json: { findings: [finding('src/sum.ts')] } });
    const [plan, review] = await ground.runs(number);
    expect([plan?.conclusion, review?.conclusion]).toEqual(['success', 'success']);
    expect(postedOn(ground, number)).toEqual({ comments: 1, threads: ['src/sum.ts'], checks: 1 });
    expect(ground.forge.checkRuns[0]).toMatchObject({
      name: 'galley',
      commit: ground.forge.pull(number).head.commit,
    });
    expect(Object.keys(ground.world.secrets)).toEqual(['ANTHROPIC_API_KEY']);
    expect(pageCalls(ground.model)).toHaveLength(1);
    // Plan, coverage, cost and receipt are on the page of the job; the finding is, too.
    for (const part of [/Complete: 1 file/, /\| `src\/sum\.ts` \| 1 \| 0 \| 1 \|/, /Receipt [0-9a-f]{16}/])
      for (const { summary } of [plan!, review!]) expect(summary).toMatch(part);
    expect(plan!.summary).toMatch(/reading them costs about `\$0\.\d{4}`/);
    expect(review!.summary).toMatch(
      /\*\*Zero is lost\*\*[\s\S]*2 calls, \d+ tokens in .*, \d+ out, `\$0\.\d{4}`\./,
    );
  });

  it('is shown what would be read where the secret is not set, and nothing is posted', async () => {
    const ground = await ciGround({ secrets: {} });
    const number = await openPull(ground, sum);
    const [, review] = await ground.runs(number);
    expect(review?.conclusion).toBe('success');
    expect(review?.summary).toMatch(/key of the model is not set.*set ANTHROPIC/);
    expect(review?.summary).toMatch(/\| `src\/sum\.ts` \| 1 \| 0 \| 1 \|/);
    expect([postedOn(ground, number), ground.model.calls.length]).toEqual([nothing, 0]);
    expect(ground.caches.saved).toEqual([]);
  });

  it('that is a draft costs nothing', async () => {
    const ground = await ciGround();
    const number = await openPull(ground, sum);
    ground.forge.editPull(number, { isDraft: true });
    expect((await ground.runs(number)).map(({ conclusion }) => conclusion)).toEqual(['skipped', 'skipped']);
    expect(ground.model.calls).toEqual([]);
  });

  it('fails its job where a finding is as severe as was asked for, and keeps what was answered', async () => {
    const ground = await ciGround({
      init: ['--no-forks'],
      edit: (text) => text.replace('fail-level: none', 'fail-level: high'),
    });
    const number = await openPull(ground, sum);
    ground.model.play({ json: { findings: [finding('src/sum.ts')] } });
    const [only, ...others] = await ground.runs(number);
    expect([only?.conclusion, others]).toEqual(['failure', []]);
    expect(ground.forge.checkRuns).toMatchObject([{ conclusion: 'failure' }]);
    expect(ground.caches.saved.map(({ ref }) => ref)).toEqual([`refs/pull/${number}/merge`]);
  });

  it('of a fork has no secret where one workflow does it all: it is told what would be read', async () => {
    const ground = await ciGround({ init: ['--no-forks'] });
    const number = await openPull(ground, sum, 'mallory');
    const [only] = await ground.runs(number);
    expect(only?.conclusion).toBe('success');
    expect(only?.summary).toContain('src/sum.ts');
    expect([postedOn(ground, number), ground.model.calls.length]).toEqual([nothing, 0]);
    expect(JSON.stringify(only)).not.toContain(modelKey);
  });
});

describe('a push that touches one of ten files', () => {
  const fileOf = (at: number, change = 0) =>
    Array.from(
      { length: 24 },
      (_, line) => `export const v${at}_${line} = ${at * 100 + line + change};\n`,
    ).join('');
  const pathOf = (at: number) => `src/part-${at}.ts`;
  const ten = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [pathOf(at), fileOf(at)]));
  const changedIn = (bytes: Buffer) =>
    Object.keys(ten).filter((path) => bytes.toString('utf8').includes(`## ${path}`));

  it.each([
    ['on which nothing was found, from kept answers', []],
    ['on which something stands, from what stands there', [finding(pathOf(3))]],
  ])('of a pull request %s asks for its page alone', async (_, findings) => {
    const files = { 'galley.config.yaml': 'maxChunkTokens: 400\n' };
    const ground = await ciGround({ files });
    const number = await openPull(ground, ten, 'mallory');
    ground.model.play(({ bytes }) => ({
      json: { findings: findings.filter(({ path }) => changedIn(bytes).includes(path)) },
    }));
    await ground.runs(number);
    expect(
      pageCalls(ground.model)
        .flatMap(({ bytes }) => changedIn(bytes))
        .toSorted(),
    ).toEqual(Object.keys(ten));
    expect(pageCalls(ground.model)).toHaveLength(10);
    ground.model.forgetCalls();
    await ground.forge.commit({ branch: 'topic', owner: 'mallory', files: { [pathOf(7)]: fileOf(7, 5000) } });
    const [, review] = await ground.runs(number);
    expect(review?.conclusion).toBe('success');
    expect(ground.model.calls.map(({ bytes }) => changedIn(bytes))).toEqual([[pathOf(7)]]);
  });
});

describe('a comment', () => {
  const asked = { body: '@galley ask what is lost?', author: 'grace', association: 'MEMBER' };

  it('is answered below the pull request by the same program', async () => {
    const ground = await ciGround();
    const number = await openPull(ground, sum, 'a-fork');
    ground.model.play({ json: { answer: 'Zero is.' } });
    expect((await ground.comments(number, asked)).conclusion).toBe('success');
    expect(ground.forge.pull(number).comments.map(({ body }) => body)).toEqual([
      asked.body,
      expect.stringContaining('Zero is.'),
    ]);
    expect(JSON.stringify(ground.model.calls[0]?.body)).toContain('what is lost?');
  });

  it('of somebody who may not push starts nothing, and where it does gets no answer', async () => {
    const ground = await ciGround();
    const number = await openPull(ground, sum);
    const stranger = { ...asked, author: 'mallory', association: 'NONE' };
    expect((await ground.comments(number, stranger)).conclusion).toBe('skipped');
    expect((await ground.comments(number, { ...stranger, association: 'MEMBER' })).conclusion).toBe(
      'success',
    );
    expect((await ground.comments(number, { ...asked, body: 'so says @galley' })).conclusion).toBe('skipped');
    expect(ground.model.calls).toEqual([]);
    expect(ground.forge.pull(number).comments).toHaveLength(3);
  });
});
