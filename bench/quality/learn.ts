// Learns the weights of the piece signals, once on all repositories and once without each of them.
// Writes bench/results/quality-weights.json; the entry `all` is what src/review/related/rank-pieces.ts holds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SignalName, signalNames } from '../../src/review/related/file-pieces.js';
import { measureFilePieces } from '../../src/review/related/rank-pieces.js';
import { fitLogistic, type Sample } from './fit-logistic.js';
import { instanceCorpus } from './instance-corpus.js';
import { visitRepository } from './measure-repository.js';

/** Signals that are constant or redundant on one side stay out of it. */
const near: readonly SignalName[] = ['any', 'nearness', 'unitWords', 'wordRank', 'mentions', 'test', 'named'];
const far: readonly SignalName[] = [
  'any',
  'unitWords',
  'lineWords',
  'wordRank',
  'historyRank',
  'sameStem',
  'sharedFolders',
  'imported',
  'defines',
  'mentions',
  'stale',
  'test',
  'named',
];
const columns = [
  ...near.map((name) => ['near', name] as const),
  ...far.map((name) => ['far', name] as const),
];
const negatives = 300;
const taskWeight = { followup: 150, crossfile: 100, samefile: 0 } as const;

interface Taken extends Sample {
  readonly repository: string;
  readonly task: keyof typeof taskWeight;
}

const taken: Taken[] = [];
const instances = new Map<string, number>();
for (const name of ['hono', 'trpc', 'zod', 'nitro', 'express', 'flask']) {
  await visitRepository(name, ['prfollow', 'crossfile'], async (instance, library) => {
    const pieces = await measureFilePieces({
      change: { hunks: instance.hunks },
      corpus: instanceCorpus(instance, library),
      lexicon: library.lexicon,
    });
    const hits = pieces.map((piece) =>
      instance.gold.some(
        (unit) =>
          unit.path === piece.path &&
          unit.lines.some((line) => line >= piece.startLine && line <= piece.endLine),
      ),
    );
    const misses = hits.filter((hit) => !hit).length;
    if (misses === hits.length) return;
    const group = `${name} ${instance.task}`;
    instances.set(group, (instances.get(group) ?? 0) + 1);
    const stride = Math.max(1, misses / negatives);
    let seen = 0;
    pieces.forEach((piece, index) => {
      const hit = hits[index]!;
      if (!hit) {
        const before = Math.floor(seen / stride);
        seen += 1;
        if (Math.floor(seen / stride) === before) return;
      }
      const row = Float64Array.from(columns, ([side, signal]) =>
        (side === 'near') === piece.visible ? piece.signals[signalNames.indexOf(signal)]! : 0,
      );
      const weight = (hit ? 1 : stride) / instance.gold.length;
      taken.push({ row, hit, weight, repository: name, task: instance.task });
    });
  });
  console.error(name, taken.length);
}

const results: Record<string, Record<string, [number, number]>> = {};
for (const without of ['all', 'hono', 'trpc', 'zod', 'nitro', 'express', 'flask']) {
  const samples = taken
    .filter((sample) => sample.repository !== without)
    .map((sample) => ({
      row: sample.row,
      hit: sample.hit,
      weight:
        (sample.weight * taskWeight[sample.task]) / instances.get(`${sample.repository} ${sample.task}`)!,
    }));
  const fitted = fitLogistic(samples, columns.length);
  const weights: Record<string, [number, number]> = Object.fromEntries(
    signalNames.map((name) => [name, [0, 0]]),
  );
  columns.forEach(([side, name], index) => {
    weights[name]![side === 'near' ? 0 : 1] = Number(fitted[index]!.toFixed(2));
  });
  results[without] = weights;
}
mkdirSync(join('bench', 'results'), { recursive: true });
writeFileSync(join('bench', 'results', 'quality-weights.json'), `${JSON.stringify(results, undefined, 1)}\n`);
for (const name of signalNames) console.log(name, JSON.stringify(results.all![name]));
