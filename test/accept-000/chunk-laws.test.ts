// The laws of chunks over generated repositories and over the one that holds every kind of entry.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { tortureRepository } from '../../src/git/testing/torture-repository.js';
import { reviewRequest } from '../../src/review/change/review-request.js';
import { type ReviewChunks, reviewChunks } from '../../src/review/pages/page-set.js';
import { sweepSize } from '../sweep-size.js';
import { applyChunks } from './apply-chunks.js';

const opened: ScratchRepository[] = [];
afterEach(() => {
  for (const repository of opened.splice(0)) repository.dispose();
});

function chunksOf(repository: ScratchRepository, extra: object): Promise<ReviewChunks> {
  const request = reviewRequest.parse({
    repo: repository.folder,
    mode: 'commit',
    meter: 'chars/4',
    ...extra,
  });
  return reviewChunks(request, { folder: repository.folder });
}

function numstat(repository: ScratchRepository): { added: number; removed: number } {
  const output = repository.git(
    'diff-tree',
    '-r',
    '--numstat',
    '-C50%',
    '--diff-algorithm=histogram',
    'HEAD~1',
    'HEAD',
  );
  const rows = output.split('\n').map((line) => line.split('\t').map((field) => Number(field) || 0));
  return {
    added: rows.reduce((sum, [added = 0]) => sum + added, 0),
    removed: rows.reduce((sum, [, removed = 0]) => sum + removed, 0),
  };
}

const line = fc.constantFrom(
  'alpha',
  'beta()',
  '',
  '}',
  'function gamma() {',
  '  return delta;',
  '+ plus',
  '- minus',
  '@@ -1 +1 @@',
  '中文一行',
  `long ${'word '.repeat(40)}`,
);
const content = fc
  .tuple(fc.array(line, { minLength: 20, maxLength: 120, size: 'max' }), fc.boolean())
  .map(([lines, end]) => lines.join('\n') + (end && lines.length > 0 ? '\n' : ''));
const file = fc.record({
  before: fc.option(content),
  after: fc.option(content),
  edits: fc.array(fc.nat(200), { maxLength: 6 }),
});
const change = fc.array(file, { minLength: 1, maxLength: 3 });

function edited(text: string, edits: readonly number[]): string {
  const lines = text.split('\n');
  for (const at of edits) {
    const place = at % (lines.length + 1);
    if (at % 3 === 0) lines.splice(place, 1);
    else if (at % 3 === 1) lines.splice(place, 0, `inserted ${at}`);
    else lines[place] = `changed ${at}`;
  }
  return lines.join('\n');
}

describe('chunks of generated repositories', () => {
  it('lose no line, apply in order, and give the head [chunk.conserve] [chunk.huge]', async () => {
    const numRuns = sweepSize('generated repositories cut into pages', { everyRun: 6, nightly: 200 });
    let split = 0;
    await fc.assert(
      fc.asyncProperty(change, fc.constantFrom(120, 200, 600), async (files, maxChunkTokens) => {
        const repository = scratchRepository();
        try {
          repository.write('keep.txt', 'stays\n');
          files.forEach(({ before }, at) => {
            if (before !== null) repository.write(`f${at}.ts`, before);
          });
          repository.commit('before');
          files.forEach(({ before, after, edits }, at) => {
            const next = before !== null && edits.length > 0 ? edited(before, edits) : after;
            if (next === null) repository.remove(`f${at}.ts`);
            else repository.write(`f${at}.ts`, next);
          });
          repository.commit('after');
          const answer = await chunksOf(repository, { maxChunkTokens });
          const truth = numstat(repository);
          const applied = applyChunks(repository, 'HEAD~1', answer);
          const { onPages, abridged, omitted, splitFiles } = answer.receipt.accounting;
          split += splitFiles;
          expect({ added: applied.added, removed: applied.removed }).toEqual(truth);
          expect({
            added: onPages.added + abridged.added + omitted.added,
            removed: onPages.removed + abridged.removed + omitted.removed,
          }).toEqual(truth);
          if (applied.unapplied.length === 0)
            expect(applied.tree).toBe(repository.git('rev-parse', 'HEAD^{tree}'));
          for (const { diffTokens, pieces } of answer.chunks) {
            expect(diffTokens).toBeLessThanOrEqual(maxChunkTokens);
            for (const { parts, path } of pieces)
              if (parts > 1)
                expect(answer.chunks.some(({ text }) => text.includes(`WARNING: ${path} is too large`))).toBe(
                  true,
                );
          }
        } finally {
          repository.dispose();
        }
      }),
      { numRuns, seed: 11 },
    );
    expect(split).toBeGreaterThan(numRuns / 2);
  });

  it('keeps a file whole unless it alone exceeds the limit [chunk.whole-files]', async () => {
    const repository = scratchRepository();
    opened.push(repository);
    const text = (name: string, lines: number) =>
      Array.from({ length: lines }, (_, at) => `${name} line ${at}\n`).join('');
    repository.commit('before');
    for (const [at, lines] of [40, 70, 20, 90, 10, 55, 400].entries())
      repository.write(`f${at}.txt`, text(`f${at}`, lines));
    repository.commit('after');
    const { chunks } = await chunksOf(repository, { maxChunkTokens: 500 });
    const pages = new Map<string, Set<number>>();
    for (const { files, index } of chunks)
      for (const path of files) pages.set(path, (pages.get(path) ?? new Set()).add(index));
    expect([...pages].filter(([, on]) => on.size > 1).map(([path]) => path)).toEqual(['f6.txt']);
  });
});

describe('chunks of every kind of entry', () => {
  it('lose no line and give the head on what is not omitted [chunk.conserve]', async () => {
    for (const maxChunkTokens of [400, 32_000]) {
      const { repository, before, after, expected } = tortureRepository();
      opened.push(repository);
      const answer = await chunksOf(repository, { commit: after, maxChunkTokens });
      const applied = applyChunks(repository, before, answer);
      const left = new Set([...answer.omitted.map(({ path }) => path), ...applied.unapplied]);
      const differing = repository.git(
        'diff-tree',
        '-r',
        '-z',
        '--name-only',
        '--no-renames',
        applied.tree,
        after,
      );
      const wrong = differing.split('\0').filter((path) => path !== '' && !left.has(path));
      expect(wrong).toEqual([]);
      expect(applied.unapplied).toContain('invalid.txt');
      const { onPages, abridged, omitted, notApplicable } = answer.receipt.accounting;
      const total = (list: readonly { added?: number; removed?: number }[]) => [
        list.reduce((sum, { added = 0 }) => sum + added, 0),
        list.reduce((sum, { removed = 0 }) => sum + removed, 0),
      ];
      expect(total([onPages, abridged, omitted])).toEqual(total(expected));
      expect(notApplicable).toBeGreaterThan(0);
    }
  });

  it('are the same bytes under hostile git settings [chunk.deterministic]', async () => {
    const { repository, after } = tortureRepository();
    opened.push(repository);
    const plain = await chunksOf(repository, { commit: after });
    writeFileSync(
      join(repository.folder, '.git', 'config'),
      '[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n\talgorithm = minimal\n\tcontext = 0\n\trenames = false\n\texternal = false\n[core]\n\tquotePath = false\n[color]\n\tui = always\n',
      { flag: 'a' },
    );
    mkdirSync(join(repository.folder, 'deep', 'inside'), { recursive: true });
    const inside = await reviewChunks(
      reviewRequest.parse({ repo: 'deep/inside', mode: 'commit', commit: after, meter: 'chars/4' }),
      { folder: repository.folder },
    );
    expect(JSON.stringify(inside)).toBe(JSON.stringify(plain));
  });
});
