// Few pages of a large change: never more than asked for, and every line keeps the number it has in the whole change.
import { describe, expect, it } from 'vitest';
import type { ScratchRepository } from '../../src/git/testing/scratch-repository.js';
import type { DryRun } from '../../src/review/run/result-of-run.js';
import { groundForTest } from './review-ground.js';

const body = (file: number, edited: boolean): string => {
  const lines: string[] = [];
  for (let part = 0; part < 12; part += 1) {
    lines.push(`export function f${file}x${part}(input: number): number {`);
    if (edited && (part + file) % 3 !== 0) lines.push(`  check${part}(input);`, `  log('${file}', ${part});`);
    for (let at = 0; at < 14; at += 1)
      if (!(edited && at === 9 && part % 4 === 1)) lines.push(`  input += ${at} * ${part} * ${file};`);
    if (edited && part % 5 === 2) lines.push(...Array.from({ length: 25 }, (_, n) => `  more${n}(input);`));
    lines.push('  return input;', '}', '');
  }
  return lines.join('\n');
};
const files = Array.from({ length: 9 }, (_, file) => `src/f${file}.ts`);
const before = (repository: ScratchRepository) => {
  for (const [file, path] of files.entries()) repository.write(path, body(file, false));
};
const after = (repository: ScratchRepository) => {
  for (const [file, path] of files.entries()) repository.write(path, body(file, true));
};

/** Lines of hunks that do not stand where their header says. */
function misplaced({ pages }: DryRun): string[] {
  const wrong: string[] = [];
  for (const { prompt } of pages) {
    let path = '';
    let sides: { old: number; new: number } | undefined;
    for (const line of prompt.split('\n')) {
      const named = /^## (src\/f\d\.ts)/.exec(line);
      if (named) path = named[1] ?? '';
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (hunk) {
        const first = (start = '', count = '1') => Number(start) + (count === '0' ? 1 : 0);
        sides = { old: first(hunk[1], hunk[2]), new: first(hunk[3], hunk[4]) };
      } else if (line.startsWith('```')) sides = undefined;
      else if (sides !== undefined) {
        const file = files.indexOf(path);
        const at = (edited: boolean, number: number) => body(file, edited).split('\n')[number - 1];
        const text = line.slice(1);
        if (line[0] !== '+' && at(false, sides.old) !== text) wrong.push(`${path} old ${sides.old} ${line}`);
        if (line[0] !== '-' && at(true, sides.new) !== text) wrong.push(`${path} new ${sides.new} ${line}`);
        if (line[0] !== '+') sides.old += 1;
        if (line[0] !== '-') sides.new += 1;
      }
    }
  }
  return wrong;
}

describe('few pages of a large change', () => {
  it.each([
    [1, 3_000],
    [1, 4_000],
    [2, 3_000],
    [3, 2_800],
    [5, 2_600],
  ])(
    'are at most %i of %i tokens, and their lines are counted as in the whole change',
    async (maxPages, maxPromptTokens) => {
      const { dryRun } = groundForTest(after, before);
      const run = await dryRun({ maxPages, maxPromptTokens });
      expect(run.pages.length).toBeGreaterThan(0);
      expect(run.pages.length).toBeLessThanOrEqual(maxPages);
      expect(run.omitted.some(({ rule }) => rule === 'pages')).toBe(true);
      expect(run.pages.some(({ prompt }) => prompt.includes('@@ -'))).toBe(true);
      expect(misplaced(run)).toEqual([]);
    },
  );
});
