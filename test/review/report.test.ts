// From what a model answered to a report, on a real repository.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import type { OperationContext } from '../../src/operations/operation.js';
import type { AnsweredReport } from '../../src/review/report/report-answers.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-report-'));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: folder });
beforeAll(() => {
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'a.ts'), 'one\ntwo\nthree\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(join(folder, 'a.ts'), 'one\nTWO\nthree\nfour\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context: OperationContext = {
  signal: new AbortController().signal,
  folder,
  debug: false,
  grants: new Set(['read']),
  log: () => {},
  now: () => 0,
  store: () => Promise.reject(new Error('not needed')),
  model: () => Promise.reject(new Error('not needed')),
};
const finding = (change: object) => ({
  path: 'a.ts',
  startLine: 2,
  endLine: 2,
  severity: 'high',
  category: 'bug',
  confidence: 0.9,
  title: 'Shouting',
  message: 'TWO is shouted.',
  evidence: 'TWO',
  ...change,
});
const report = async (answers: string[], options: object = {}) =>
  (await call('review:report', { mode: 'working', answers, ...options }, context)) as AnsweredReport;

describe('review:report', () => {
  it('anchors a finding to its hunk, moves one by its quoted code, and sends the rest to the summary', async () => {
    const answer = JSON.stringify({
      findings: [
        finding({}),
        finding({
          category: 'style',
          startLine: 90,
          endLine: 90,
          evidence: 'four',
          message: 'Too many lines.',
        }),
        finding({
          category: 'design',
          path: 'elsewhere.ts',
          startLine: 7,
          endLine: 7,
          message: 'Not in the change.',
        }),
      ],
    });
    const { findings } = await report([`Here you go:\n\`\`\`json\n${answer}\n\`\`\``]);
    const places = new Map(
      findings.map((one) => [one.finding.category, [one.place.kind, one.finding.startLine]]),
    );
    expect(places.get('bug')).toEqual(['anchored', 2]);
    expect(places.get('style')).toEqual(['anchored', 4]);
    expect(places.get('design')?.[0]).toBe('summary');
  });

  it('writes every format, fails at the level asked for, and says when an answer was no answer', async () => {
    const answers = [JSON.stringify([finding({})])];
    for (const format of ['markdown', 'json', 'sarif', 'rdjson', 'rdjsonl', 'gitlab', 'github']) {
      const written = await report(answers, { format, failLevel: 'high' });
      expect(written.report).toContain('a.ts');
      expect(written.fails).toBe(true);
    }
    expect((await report(answers, { failLevel: 'critical' })).fails).toBe(false);
    expect((await report(['I am sorry, I cannot do that.'])).complete).toBe(false);
  });

  it('carries earlier findings on and resolves those that are gone', async () => {
    const first = await report(
      [
        JSON.stringify([
          finding({}),
          finding({ category: 'old', evidence: 'four', startLine: 4, endLine: 4 }),
        ]),
      ],
      {
        format: 'json',
      },
    );
    const second = await report([JSON.stringify([finding({})])], { format: 'json', earlier: first.report });
    expect(second.findings.map(({ standing }) => standing)).toEqual(['still-there']);
    expect(JSON.parse(second.report).resolved).toHaveLength(1);
  });

  it('words the report in the language asked for, and its coverage too', async () => {
    const { report: text, findings } = await report(
      [JSON.stringify({ findings: [finding({})] }), 'no answer'],
      {
        language: 'zh',
      },
    );
    expect(text).toContain('### 代码审查（galley）\n\n严重 1；新增 1，仍然存在 0。\n\n**不完整**：');
    expect(text).toContain('部分：1 个文件（+2 -1）。共 2 份回答，其中 1 份未能完整读取。');
    expect(findings[0]?.finding.severity).toBe('high');
    const json = await report([JSON.stringify({ findings: [] })], { language: 'zh', format: 'json' });
    expect(JSON.parse(json.report).coverage).toBe('Complete: 1 file (+2 -1); nothing left out.');
    await expect(report(['{}'], { language: 'fr' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
