import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DiffLine, LineComment } from '../../forges/forge.js';
import { everyRight, type LoopbackForge, openForge } from '../../testing/forge/open-forge.js';
import { clientOf } from '../../testing/forge/sample-forge.js';
import type { ReviewFinding } from '../findings/finding.js';
import { someFinding } from '../findings/testing/some-finding.js';
import { markComment } from '../report/review-comments.js';
import { markFinding, markState } from './finding-marks.js';
import { pullStatsRequest } from './pull-requests.js';
import { pullStats } from './pull-stats.js';

const lines = Array.from({ length: 60 }, (_, at) => `export const v${at} = ${at};`);
const text = (change: (line: string, at: number) => string = (line) => line) =>
  `${lines.map(change).join('\n')}\n`;

let forge: LoopbackForge;
let head: string;
beforeEach(async () => {
  forge = await openForge({
    kind: 'github',
    repository: 'acme/widgets',
    accounts: { ours: { login: 'galley[bot]', isApp: true, rights: everyRight } },
  });
  await forge.commit({ branch: 'main', files: { 'README.md': 'Words.\n' } });
  head = await forge.commit({ branch: 'topic', from: 'main', files: { 'src/a.ts': text() } });
});
afterEach(() => forge.close());

async function client() {
  return clientOf(forge, { token: 'ours' });
}

/** Says one finding for each line, as a review does. */
async function say(number: number, findings: readonly ReviewFinding[]): Promise<Map<number, string>> {
  const comments = findings.map((finding): LineComment => {
    const at: DiffLine = { newLine: finding.startLine, position: { old: 0, new: finding.startLine } };
    const body = `${markFinding(finding)}${finding.title}`;
    return {
      key: finding.id,
      path: finding.path,
      oldPath: finding.path,
      first: at,
      last: at,
      side: 'new',
      body,
    };
  });
  expect(await (await client()).addLineComments(number, head, comments)).toEqual({ posted: true });
  return new Map(forge.pull(number).threads.map(({ line, id }) => [line, id]));
}

const on = (line: number, changes: Partial<ReviewFinding> = {}) =>
  someFinding({ path: 'src/a.ts', startLine: line, endLine: line, id: `finding-${line}`, ...changes });

async function stats(request: object = {}, onProgress?: (progress: { done: number; total: number }) => void) {
  const found = await client();
  return pullStats(pullStatsRequest.parse(request), {
    ...{ folder: '/', signal: new AbortController().signal },
    forge: async () => ({ forge: found, number: undefined, origin: undefined, tokenFrom: 'test' }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

describe('what became of findings', () => {
  it('is told by threads, lines and what people said', async () => {
    const number = await forge.openPull({ head: 'topic' });
    const threads = await say(number, [
      on(5, { severity: 'high', category: 'security' }),
      on(15, { severity: 'high' }),
      on(25),
      on(35),
      on(45),
      on(47),
      on(55, { severity: 'low' }),
    ]);
    const grace = forge.as('grace');
    grace.resolve(threads.get(15)!);
    grace.reply(threads.get(25)!, 'This is by design.');
    grace.react(forge.pull(number).threads.find(({ line }) => line === 35)!.comments[0]!.id, '-1');
    await forge.commit({
      branch: 'topic',
      files: { 'src/a.ts': text((line, at) => ([4, 44, 46].includes(at) ? `${line} // better` : line)) },
    });
    const outdated = forge.pull(number).threads.filter(({ isOutdated }) => isOutdated);
    expect(outdated.map(({ line }) => line)).toEqual([5, 45, 47]);
    grace.resolve(threads.get(5)!);
    const summary = on(0, { id: 'without-a-line', category: 'design' });
    const state = { head, complete: true, gone: ['finding-47'], findings: [summary] };
    await (await client()).addComment(number, markComment(`${markState(state, 60_000)}Summary`));

    expect(await stats()).toEqual({
      ...{ repository: 'acme/widgets', pulls: 1, withFindings: 1 },
      // 5 was changed and closed, 47 not found again; 15 closed as it was, 25 and 35 objected to; 45 changed and left open.
      total: { accepted: 2, dismissed: 3, open: 3 },
      bySeverity: [
        { name: 'high', accepted: 1, dismissed: 1, open: 0 },
        { name: 'medium', accepted: 1, dismissed: 2, open: 2 },
        { name: 'low', accepted: 0, dismissed: 0, open: 1 },
      ],
      byCategory: [
        { name: 'correctness', accepted: 1, dismissed: 3, open: 2 },
        { name: 'design', accepted: 0, dismissed: 0, open: 1 },
        { name: 'security', accepted: 1, dismissed: 0, open: 0 },
      ],
      byMonth: [{ name: '2026-01', accepted: 2, dismissed: 3, open: 3 }],
    });
  });

  it('is read once for each of the last pull requests, open and merged, and changes nothing', async () => {
    const numbers: number[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      await forge.commit({ branch: name, from: 'main', files: { [`src/${name}.ts`]: 'export {};\n' } });
      numbers.push(await forge.openPull({ head: name }));
      forge.advance(60_000);
    }
    await forge.merge(numbers[0]!, 'grace');
    forge.closePull(numbers[1]!);
    const before = forge.requests.length;
    const seen: number[] = [];
    const { pulls, withFindings, total } = await stats({ last: 2 }, ({ done }) => seen.push(done));
    expect([pulls, withFindings, total]).toEqual([2, 0, { accepted: 0, dismissed: 0, open: 0 }]);
    expect(seen).toEqual([1, 2]);
    expect(forge.requests.slice(before).map(({ path }) => path)).toEqual(
      Array.from({ length: 3 }, () => '/api/graphql'),
    );
    expect((await stats()).pulls).toBe(3);
  });
});
