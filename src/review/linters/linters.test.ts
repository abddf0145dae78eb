import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../git/testing/scratch-repository.js';
import { linterFormats, reviewRequest } from '../change/review-request.js';
import { reviewChunks } from '../pages/page-set.js';
import { parseFindings, readLinterFindings } from './read-linter-findings.js';

const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'scan',
          rules: [
            {
              id: 'R1',
              defaultConfiguration: { level: 'error' },
              messageStrings: { default: { text: 'no {0} here' } },
            },
          ],
        },
      },
      results: [
        {
          ruleIndex: 0,
          message: { id: 'default', arguments: ['eval'] },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'file:///repo/src/a%20b.ts' },
                region: { startLine: 3 },
              },
            },
          ],
        },
        {
          ruleId: 'R1',
          level: 'note',
          message: { text: 'hidden' },
          suppressions: [{ kind: 'inSource' }],
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'src/x.ts' }, region: { startLine: 1 } } },
          ],
        },
      ],
    },
  ],
});

describe('linter formats', () => {
  it('reads SARIF with rule defaults, message ids and suppressions', () => {
    expect(parseFindings('sarif', sarif)).toEqual([
      {
        path: '/repo/src/a b.ts',
        line: 3,
        endLine: 3,
        severity: 'error',
        rule: 'R1',
        message: 'no eval here',
        tool: 'scan',
      },
    ]);
  });

  it('reads ESLint, checkstyle, rdjson, rdjsonl, golangci and ruff', () => {
    const eslint = JSON.stringify([
      {
        filePath: '/r/a.ts',
        messages: [
          { ruleId: 'no-eval', severity: 2, message: 'bad', line: 4, endLine: 5 },
          { ruleId: null, fatal: true, severity: 2, message: 'parse' },
        ],
      },
    ]);
    const checkstyle =
      '<?xml version="1.0"?><checkstyle version="8"><file name="a.java"><error line="7" severity="warning" message="a &lt; b" source="Rule"/></file></checkstyle>';
    const one = {
      message: 'm',
      location: { path: 'a.go', range: { start: { line: 2, column: 1 } } },
      severity: 'ERROR',
      code: { value: 'C' },
    };
    const golangci = JSON.stringify({
      Issues: [{ FromLinter: 'vet', Text: 't', Severity: '', Pos: { Filename: 'a.go', Line: 9 } }],
      Report: {},
    });
    const ruff = JSON.stringify([
      {
        code: 'F401',
        message: 'unused',
        filename: '/r/a.py',
        location: { row: 1, column: 8 },
        end_location: { row: 2, column: 3 },
      },
    ]);
    expect(parseFindings('eslint', eslint).map(({ line, severity }) => [line, severity])).toEqual([
      [4, 'error'],
      [undefined, 'error'],
    ]);
    expect(parseFindings('checkstyle', checkstyle)).toEqual([
      { path: 'a.java', line: 7, endLine: 7, severity: 'warning', rule: 'Rule', message: 'a < b' },
    ]);
    const rd = { path: 'a.go', line: 2, endLine: 2, severity: 'error', rule: 'C', message: 'm' };
    expect(parseFindings('rdjson', JSON.stringify({ diagnostics: [one] }))).toEqual([rd]);
    expect(parseFindings('rdjsonl', `${JSON.stringify(one)}\n\n${JSON.stringify(one)}\n`)).toEqual([rd, rd]);
    expect(parseFindings('golangci', golangci)[0]).toMatchObject({
      line: 9,
      rule: 'vet',
      severity: 'warning',
    });
    expect(parseFindings('ruff', ruff)[0]).toMatchObject({ line: 1, endLine: 2, rule: 'F401' });
  });

  it.each(linterFormats)('refuses a malformed %s file by name of the field', (format) => {
    for (const text of ['{"a":', '{"runs":7}', '[1]', '<a><b></a>', '"text"']) {
      expect(() => parseFindings(format, text)).toThrowError(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(/^linter: /) }),
      );
    }
  });

  const folder = mkdtempSync(join(tmpdir(), 'galley-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses a file of 200 MB without reading it', async () => {
    writeFileSync(join(folder, 'huge.json'), '');
    truncateSync(join(folder, 'huge.json'), 200_000_000);
    await expect(
      readLinterFindings([{ path: 'huge.json', format: 'eslint' }], { folder, topLevel: folder }),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await expect(
      readLinterFindings([{ path: 'absent.json', format: 'eslint' }], { folder, topLevel: folder }),
    ).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});

describe('findings on pages', () => {
  const repository = scratchRepository();
  afterAll(() => repository.dispose());
  const messages = (...lines: number[]) =>
    lines.map((line) => ({
      ruleId: 'rule',
      severity: line === 2 ? 2 : 1,
      message: `finding ${line}`,
      line,
      endLine: line,
    }));

  it('stand on the page of their file, only for changed lines, and yield first [chunk.priority]', async () => {
    repository.write('a.ts', 'one\ntwo\nthree\nfour\n');
    repository.write('b.ts', 'one\n');
    repository.write('CLAUDE.md', 'Be kind.\n');
    repository.commit('before');
    repository.write('a.ts', 'one\nTWO\nthree\nfour\nfive\n');
    repository.write('b.ts', 'ONE\n');
    repository.commit('after');
    const report = join(repository.folder, '.git', 'eslint.json');
    writeFileSync(
      report,
      JSON.stringify([
        { filePath: join(repository.folder, 'a.ts'), messages: messages(2, 3, 5) },
        { filePath: 'b.ts', messages: messages(1) },
        { filePath: '/elsewhere/c.ts', messages: messages(1) },
      ]),
    );
    const ask = (extra: object) =>
      reviewChunks(
        reviewRequest.parse({
          repo: repository.folder,
          mode: 'commit',
          meter: 'chars/4',
          linter: [{ path: report, format: 'eslint' }],
          ...extra,
        }),
        { folder: repository.folder },
      );
    const { chunks } = await ask({ maxChunkTokens: 40 });
    expect(chunks.map(({ files }) => files)).toEqual([['a.ts'], ['b.ts']]);
    expect(chunks[0]?.text).toContain(
      '## Linter Output\n- a.ts:2: error: finding 2 (rule)\n- a.ts:5: warning: finding 5 (rule)\n\n## Code Changes\n',
    );
    expect(chunks[1]?.text).toContain('- b.ts:1: warning: finding 1 (rule)\n\n## Code');
    expect(chunks[0]?.text).not.toContain('finding 3');
    const all = await ask({ linterScope: 'changed-files' });
    expect(all.chunks[0]?.text).toContain('finding 3');
    const tight = await ask({ maxPromptTokens: (await ask({ linter: [] })).chunks[0]!.tokens + 20 });
    expect(tight.chunks).toHaveLength(1);
    expect(tight.chunks[0]?.text).toContain('Be kind.');
    expect(tight.chunks[0]?.text).toContain('+five');
    expect(
      tight.receipt.ledger.filter(({ layer, verdict }) => layer === 'linter' && verdict === 'conceded')
        .length,
    ).toBeGreaterThan(0);
    expect(tight.chunks[0]!.tokens).toBeLessThanOrEqual(tight.receipt.budget.n);
  });
});
