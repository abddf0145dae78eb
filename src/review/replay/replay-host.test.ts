import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DiffLine, ForgeKind } from '../../forges/forge.js';
import { everyRight, type LoopbackForge, openForge } from '../../testing/forge/open-forge.js';
import { clientOf } from '../../testing/forge/sample-forge.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { someFinding } from '../findings/testing/some-finding.js';
import { markFinding } from '../pull/finding-marks.js';
import { type ReplayContext, replayPulls } from './replay-pulls.js';
import { replayRequest } from './replay-request.js';
import { before, brought, fixed, rates, total } from './testing/past-repository.js';

let forge: LoopbackForge;
let folder: string;
let number: number;
beforeEach(() => setUp('github'));

async function setUp(kind: ForgeKind): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'galley-test-'));
  forge = await openForge({
    kind,
    repository: 'acme/widgets',
    accounts: {
      ours: { login: 'galley[bot]', isApp: true, rights: everyRight },
      graces: { login: 'grace', rights: everyRight },
      robots: { login: 'robot[bot]', isApp: true, rights: everyRight },
      adas: { login: 'ada', rights: everyRight },
    },
  });
  const files = { 'src/total.ts': total(before), 'src/rates.ts': rates('rates.get(region)!') };
  await forge.commit({ branch: 'main', files });
  const head = await forge.commit({
    ...{ branch: 'topic', from: 'main' },
    files: { 'src/total.ts': total(brought), 'src/names.ts': 'export const names = [];\n' },
  });
  number = await forge.openPull({ head: 'topic', title: 'Totals with rates', author: 'ada' });
  const say = async (token: string, path: string, newLine: number, body: string) => {
    const at: DiffLine = { newLine, position: { old: newLine, new: newLine } };
    const place = { key: body, path, oldPath: path, first: at, last: at, side: 'new' as const, body };
    await (await clientOf(forge, { token })).addLineComments(number, head, [place]);
  };
  await say('graces', 'src/names.ts', 1, 'Why empty?');
  await say('robots', 'src/total.ts', 4, 'An advertisement.');
  await say('adas', 'src/total.ts', 6, 'A note of the author.');
  await say('ours', 'src/total.ts', 5, markFinding(someFinding({ path: 'src/total.ts' })));
  await forge.merge(number, 'grace');
  await forge.commit({ branch: 'main', files: { 'src/total.ts': `// Moved.\n${total(brought)}` } });
  await forge.commit({
    branch: 'main',
    message: 'Fix totals of unknown regions',
    files: { 'src/total.ts': `// Moved.\n${total(fixed)}`, 'src/rates.ts': rates('rates.get(region) ?? 0') },
  });
  const other = await forge.commit({ branch: 'other', from: 'main', files: { 'README.md': 'Words.\n' } });
  expect(other).toMatch(/^[0-9a-f]{40}$/);
  await forge.openPull({ head: 'other', title: 'Still open' });
}

afterEach(tearDown);

async function tearDown(): Promise<void> {
  await forge.close();
  rmSync(folder, { recursive: true, force: true });
}

async function replay(request: object = {}, context: Partial<ReplayContext> = {}) {
  const client = await clientOf(forge, { token: 'ours' });
  return replayPulls(replayRequest.parse({ repo: folder, dryRun: true, ...request }), {
    ...{ folder: '/', signal: new AbortController().signal },
    model: () => Promise.reject(new TypeError('no model here')),
    forge: async () => ({ forge: client, number: undefined, origin: undefined, tokenFrom: 'test' }),
    ...context,
  });
}

describe('a replay of what a host has', () => {
  it.each<ForgeKind>(['github', 'gitlab', 'gitea'])(
    'reads merged pull requests on %s without a clone, with what people said and what was fixed later',
    async (kind) => {
      await tearDown();
      await setUp(kind);
      const { source, pulls, warnings } = await replay();
      expect([source, warnings]).toEqual(['host', []]);
      expect(pulls).toMatchObject([
        {
          ...{ number, title: 'Totals with rates', fixes: 1, places: { comments: 1, fixes: 2 } },
          ...{ withContext: { shown: 3 }, withoutContext: { shown: 2 } },
        },
      ]);
    },
  );

  it('writes nothing to the host, with a model or without one', async () => {
    const before = forge.pull(number);
    const answer = JSON.stringify({ findings: [{ ...someFinding({ path: 'src/names.ts', startLine: 1 }) }] });
    const read = forge.requests.length;
    await replay();
    const { total: sum } = await replay(
      { dryRun: false },
      { model: async () => scriptedModel([answer]), answers: join(folder, 'answers') },
    );
    expect(sum.withContext.review).toMatchObject({ findings: 1, onPlaces: 1, placesFound: 1 });
    const calls = forge.requests.slice(read);
    expect(calls.length).toBeGreaterThan(4);
    // A question in GraphQL is a POST; what it leaves behind is looked at below.
    const isReading = ({ method, path }: (typeof calls)[number]) =>
      method === 'GET' || path.endsWith('/graphql') || path.endsWith('/git-upload-pack');
    expect(calls.filter((each) => !isReading(each))).toEqual([]);
    expect(forge.pull(number)).toEqual(before);
    expect([forge.statuses, forge.checkRuns]).toEqual([[], []]);
  });

  it('keeps answers in the clone, so that a second run asks nothing', async () => {
    execFileSync('git', ['clone', '-q', forge.gitDirectory, folder]);
    const model = scriptedModel(['{"findings":[]}']);
    const run = () => replay({ dryRun: false }, { model: async () => model });
    await run();
    expect(model.requests).toHaveLength(2);
    expect((await run()).pulls).toHaveLength(1);
    expect(model.requests).toHaveLength(2);
  });

  it('does without later fixes of a branch that is gone', async () => {
    await forge.commit({
      branch: 'stack',
      from: 'topic',
      files: { 'src/more.ts': 'export const more = 1;\n' },
    });
    const stacked = await forge.openPull({ head: 'stack', base: 'other' });
    await forge.merge(stacked, 'grace');
    await forge.deleteBranch({ branch: 'other' });
    const { pulls } = await replay();
    expect(pulls.map((pull) => [pull.number, pull.fixes]).toSorted()).toEqual([
      [number, 1],
      [stacked, 0],
    ]);
  });
});
