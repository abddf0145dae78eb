// Learns what code:find makes of the pieces of a file, on fixes of the repositories that may teach, once on all of them and once without
// each; those held out are never opened. Writes bench/results/find-piece-weights.json; the entry `all` is what
// src/review/find/telling-pieces.ts holds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureFindPieces, pieceSignals } from '../../src/review/find/telling-pieces.js';
import { fitLogistic, type Sample } from '../quality/fit-logistic.js';
import { visitPieces } from './measure-pieces.js';
import { teaching } from './tasks.js';

/** Every repository counts as much as this many pieces. */
const weightOfOne = 3_000;

const samples = new Map<string, Sample[]>();
for (const repository of teaching) {
  const own: Omit<Sample, 'weight'>[] = [];
  await visitPieces(repository, async ({ files, hunks, question }) => {
    for (const { path, range, signals } of measureFindPieces(files, question)) {
      const touches = (hunk: (typeof hunks)[number]) =>
        hunk.path === path && hunk.startLine <= range.endLine && hunk.endLine >= range.startLine;
      own.push({ row: signals, hit: hunks.some(touches) });
    }
  });
  if (own.length === 0) continue;
  samples.set(
    repository,
    own.map((sample) => ({ ...sample, weight: weightOfOne / own.length })),
  );
  console.error(repository, own.length);
}

const rounded = (value: number) => Number(value.toFixed(2));
const results: Record<string, Record<string, number>> = {};
for (const without of ['all', ...samples.keys()]) {
  const taught = [...samples].flatMap(([repository, own]) => (repository === without ? [] : own));
  const { bias, weights } = fitLogistic(taught, pieceSignals.length);
  const named = pieceSignals.map((name, at): [string, number] => [name, rounded(weights[at]!)]);
  results[without] = { bias: rounded(bias), ...Object.fromEntries(named) };
}
mkdirSync(join('bench', 'results'), { recursive: true });
const file = join('bench', 'results', 'find-piece-weights.json');
writeFileSync(file, `${JSON.stringify(results, undefined, 1)}\n`);
console.log(results.all);
