// Data inside code, through the packed program: shown in part, counted, named, and whole for whoever asks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import type { ReviewChunks } from '../../src/review/pages/page-set.js';
import { runPacked } from './packed-program.js';

let repository: ScratchRepository;

const drawing = (seed: number) =>
  Array.from({ length: 400 }, (_, at) => `M${(at * seed) % 97}.${at} ${at}c-1.2 .${at}z`).join(' ');
const icons = (seed: number) =>
  `export const first = 1;\nexport const icon = '<path d="${drawing(seed)}"/>';\nexport const last = ${seed};\n`;
const table = (count: number) =>
  `export const table = [\n${Array.from({ length: count }, (_, at) => `  [${at}, ${at * 7}, 'row ${at}'],\n`).join('')}];\n`;
const snapshot = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `exports[\`part ${at}\`] = "${word} ${at}";\n`).join('');

beforeAll(() => {
  repository = scratchRepository();
  repository.write('src/icons.ts', icons(3));
  repository.write('src/table.ts', `${table(5)}\nexport const after = 1;\n`);
  repository.write('src/__snapshots__/view.snap', snapshot(200, 'before'));
  repository.commit('before');
  repository.write('src/icons.ts', icons(5));
  repository.write('src/table.ts', `${table(900)}\nexport const after = 2;\n`);
  repository.write('src/__snapshots__/view.snap', snapshot(200, 'after'));
  repository.commit('after');
});
afterAll(() => repository?.dispose());

async function chunks(request: object = {}): Promise<ReviewChunks> {
  const run = await runPacked(['call', 'review:chunks'], {
    cwd: repository.folder,
    input: JSON.stringify({ mode: 'commit', ...request }),
  });
  expect([run.exit, run.stderr]).toEqual([0, '']);
  return JSON.parse(run.stdout) as ReviewChunks;
}

const truth = () => {
  const rows = repository.git('diff', '--numstat', '--diff-algorithm=histogram', 'HEAD~1', 'HEAD').trim();
  const sum = { added: 0, removed: 0 };
  for (const row of rows.split('\n')) {
    const [added, removed] = row.split('\t').map(Number);
    sum.added += added ?? 0;
    sum.removed += removed ?? 0;
  }
  return sum;
};

describe('data inside code', () => {
  it('is shown in part, counted where it stood and named in the coverage [R11]', async () => {
    const { chunks: pages, coverage, omitted, receipt } = await chunks();
    const text = pages.map((page) => page.text).join('');
    expect(pages.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThan(4000);
    expect(text).toMatch(
      /\+export const icon = '<path d="M0\.0 .*\[\.\.\. \d+ characters of data not shown \.\.\.\].*\/>';/,
    );
    expect(text).toMatch(/\n\\ \d+ added lines of data not shown\n/);
    expect(text).toContain('+export const last = 5;');
    expect(coverage).toMatch(/^Partial: .*; data abridged in 3 files \(\+\d+ -\d+ only counted\)\.$/);
    expect(omitted.map(({ path, rule }) => [path, rule])).toEqual(
      ['src/__snapshots__/view.snap', 'src/icons.ts', 'src/table.ts'].map((path) => [path, 'abridged']),
    );
    const { onPages, abridged, omitted: left } = receipt.accounting;
    expect(abridged.added).toBeGreaterThan(800);
    expect({
      added: onPages.added + abridged.added + left.added,
      removed: onPages.removed + abridged.removed + left.removed,
    }).toEqual(truth());
    expect(receipt.accounting.notApplicable).toBe(3);
  });

  it('reads lines made to be hard to read in no time', async () => {
    const hostile = scratchRepository();
    try {
      hostile.write('a.ts', 'export const a = 1;\n');
      hostile.commit('before');
      const lines = ['[', '1', '""', '- '].map((mark) => `${mark.repeat(300)}!\n`.repeat(20));
      hostile.write('a.ts', lines.join(''));
      hostile.commit('after');
      const { exit, stdout } = await runPacked(['call', 'review:chunks'], {
        cwd: hostile.folder,
        input: JSON.stringify({ mode: 'commit' }),
      });
      expect(exit).toBe(0);
      expect((JSON.parse(stdout) as ReviewChunks).receipt.accounting.onPages.added).toBe(80);
    } finally {
      hostile.dispose();
    }
  });

  it('leaves the lines behind it under their own numbers [R11]', async () => {
    const text = (await chunks()).chunks.map((page) => page.text).join('');
    const after = repository.git('show', 'HEAD:src/table.ts').split('\n');
    const own = text.slice(text.indexOf('+++ b/src/table.ts'));
    let line = 0;
    let checked = 0;
    for (const row of own.split('\n').slice(1)) {
      const start = /^@@ -\S+ \+(\d+)/.exec(row)?.[1];
      if (start !== undefined) line = Number(start);
      else if (/^[ +]/.test(row) && line > 0) {
        expect([line, row.slice(1)]).toEqual([line, after[line - 1]]);
        line += 1;
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(20);
    expect(own).toContain('+export const after = 2;');
  });

  it('is shown whole on request, and then applies [R11]', async () => {
    const { coverage, receipt } = await chunks({ wholeData: true });
    expect(coverage).toMatch(/^Complete: /);
    expect(receipt.accounting).toMatchObject({
      onPages: truth(),
      abridged: { added: 0, removed: 0 },
      notApplicable: 0,
    });
    const run = await runPacked(['review', '--commit', 'HEAD', '--whole-data', '--json'], {
      cwd: repository.folder,
    });
    expect((JSON.parse(run.stdout) as ReviewChunks).coverage).toBe(coverage);
  });

  it('keeps to the account when pages are few [R11]', async () => {
    for (const maxPromptTokens of [500, 900, 1500]) {
      const { receipt } = await chunks({ maxPages: 1, maxPromptTokens });
      const { onPages, abridged, omitted } = receipt.accounting;
      expect([
        onPages.added + abridged.added + omitted.added,
        onPages.removed + abridged.removed + omitted.removed,
      ]).toEqual([truth().added, truth().removed]);
    }
  });
});
