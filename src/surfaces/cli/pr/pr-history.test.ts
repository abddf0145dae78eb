import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { someFinding } from '../../../review/findings/testing/some-finding.js';
import { markFinding } from '../../../review/pull/finding-marks.js';
import type { Replay } from '../../../review/replay/replay-result.js';
import { type PastRepository, pastRepository } from '../../../review/replay/testing/past-repository.js';
import { clientOf, sampleForge } from '../../../testing/forge/sample-forge.js';
import { scriptedModel } from '../../../testing/scripted-model.js';
import { speak } from '../words/word.js';
import { type PrReplayOptions, prReplay, replayText } from './pr-replay.js';
import { prStats } from './pr-stats.js';

let past: PastRepository;
beforeAll(() => {
  past = pastRepository();
});
afterAll(() => past.dispose());
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await speak('en');
});

async function printed(run: () => Promise<void>) {
  const written = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.err += String(text);
    return true;
  });
  await run();
  vi.restoreAllMocks();
  return written;
}

const replay = (options: Partial<PrReplayOptions> = {}, seam: Parameters<typeof prReplay>[1] = {}) =>
  printed(() => prReplay({ repo: past.folder, local: true, ...options }, seam));

describe('galley pr replay', () => {
  it('needs no key: a table, and what it comes to', async () => {
    const { out, err } = await replay();
    const [head, names, totals, , measured, seen] = out.split('\n');
    expect(head?.split(/\s{2,}/)).toEqual([
      ...['pull', 'change', 'fixes', 'seen with', 'without', 'tokens with', 'without'],
    ]);
    expect(names).toMatch(/^#2 +Names +[\d,]+ +[\d,]+$/);
    expect(totals).toMatch(/^#1 +Totals with rates +1 +2 of 2 +1 of 2 +[\d,]+ +[\d,]+$/);
    expect(measured).toBe('1 of 2 merged pull requests had later fixes.');
    expect(seen).toMatch(
      /^With context a reviewer sees 2 of the 2 places that a later fix changed \(100 %\), without context 1 \(50 %\)\. It takes [\d,]+ tokens instead of [\d,]+ \(about \$0\.\d+ instead of \$0\.\d+, at \$3 a million\)\.$/,
    );
    expect(err).toContain('no model is set');
  });

  it('says each result as it comes, and what all cost', async () => {
    const answer = JSON.stringify({ findings: [{ ...someFinding({ path: 'src/total.ts', startLine: 6 }) }] });
    const { out, err } = await replay(
      { model: 'test/scripted' },
      { model: async () => scriptedModel([answer]) },
    );
    expect(err).toContain('#2: 0 of 1 on such lines with context, 0 of 1 on such lines without\n');
    expect(err).toContain('#1: 1 of 1 on such lines with context, 1 of 1 on such lines without\n');
    expect(out).toContain(
      'With context 1 of 2 findings stand on lines that a later fix changed, without context 1 of 2;',
    );
    expect(out).toContain('1 of 2 such places were met, and 1 without. It cost $0.0000 instead of $0.0000.');
  });

  it('speaks Chinese, and JSON speaks no language', async () => {
    await speak('zh');
    const { out } = await replay({ last: '1' });
    expect(out).toContain('最近 1 个已合并的合并请求都没有在后来被修复，因此无从衡量');
    const { out: json } = await replay({ last: '1', json: true });
    const { pulls, total } = JSON.parse(json) as Replay;
    expect([pulls.map(({ number }) => number), total.pulls]).toEqual([[2], 1]);
    expect(json).not.toContain(past.folder);
  });

  it('shows titles without what a terminal would act on', async () => {
    const { out } = await replay({ last: '1', json: true });
    const read = JSON.parse(out) as Replay;
    const wild = { ...read, pulls: read.pulls.map((pull) => ({ ...pull, title: 'a\u001b[31mb\u202ec' })) };
    expect(replayText(wild, 160)).toMatch(/^#2 +a \[31mb c /m);
  });
});

describe('galley pr stats', () => {
  it('counts what became of findings, in both languages', async () => {
    const { forge, head, number } = await sampleForge();
    try {
      const client = await clientOf(forge);
      const seam = {
        forge: async () => ({ forge: client, number: undefined, origin: undefined, tokenFrom: 'test' }),
      };
      const none = await printed(() => prStats({ repo: '.' }, seam));
      expect(none.out).toBe('No findings stand on the last 1 pull requests of acme/widgets.\n');
      const at = { newLine: 10, position: { old: 10, new: 10 } };
      const body = markFinding(someFinding({ path: 'a.txt', startLine: 10, endLine: 10 }));
      const place = {
        key: 'one',
        path: 'a.txt',
        oldPath: 'a.txt',
        first: at,
        last: at,
        side: 'new',
        body,
      } as const;
      await client.addLineComments(number, head, [place]);
      const { out } = await printed(() => prStats({ repo: '.' }, seam));
      expect(out).toContain(
        '1 finding on 1 of the last 1 pull requests of acme/widgets: 0 accepted (0 %), 0 dismissed, 1 open.\n',
      );
      expect(out).toMatch(/^medium +1 +0 +0 +1$/m);
      expect(out).toMatch(/^correctness +1 +0 +0 +1$/m);
      expect(out).toMatch(/^2026-01 +1 +0 +0 +1$/m);
      await speak('zh');
      const { out: chinese } = await printed(() => prStats({ repo: '.' }, seam));
      expect(chinese).toContain('采纳 0（0 %），驳回 0，未处理 1。');
    } finally {
      await forge.close();
    }
  });
});
