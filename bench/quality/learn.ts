// Learns the weights of the piece signals: once from all repositories, and for every repository once without it. What it writes to
// bench/results/quality-weights.json under `all` is what src/review/related/rank-pieces.ts holds; the others are for context.ts.
// With --fix the hashes of the questions are written first; they are never changed afterwards.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SignalName, signalNames } from '../../src/review/related/file-pieces.js';
import { measureFilePieces } from '../../src/review/related/rank-pieces.js';
import { fitLogistic, type Sample } from './fit-logistic.js';
import { instanceCorpus } from './instance-corpus.js';
import { visitRepository } from './measure-repository.js';
import {
  askedRows,
  drawnRepositories,
  givenRepositories,
  hashOf,
  heldOutRepositories,
  pageRepositories,
} from './protocol.js';

/** Signals that are constant on one side, or say nothing there, stay out of it. */
const onlyFar = new Set<SignalName>([
  'historyRank',
  'sameStem',
  'sharedFolders',
  'imported',
  'defines',
  'stale',
]);
const onlyNear = new Set<SignalName>(['nearness']);
const columns = (['near', 'far'] as const).flatMap((side) =>
  signalNames
    .filter((name) => name !== 'any' && !(side === 'near' ? onlyFar : onlyNear).has(name))
    .map((name) => [side, name] as const),
);
const negatives = 300;
const taskWeight = { followup: 150, crossfile: 100, samefile: 0 } as const;

interface Taken extends Sample {
  readonly repository: string;
  readonly task: keyof typeof taskWeight;
}

const asked = [
  ...[...givenRepositories.prfollow, ...drawnRepositories].map((name) => ['prfollow', name] as const),
  ...givenRepositories.crossfile.map((name) => ['crossfile', name] as const),
];
if (process.argv.includes('--fix')) {
  const fixed = [
    ...asked,
    ...[...heldOutRepositories, ...pageRepositories].map((name) => ['prfollow', name] as const),
  ];
  const hashes = fixed.flatMap(([kind, name]) => {
    const rows = askedRows(name, kind);
    return rows.length === 0 ? [] : [[`${kind} ${name}`, hashOf(rows)]];
  });
  writeFileSync(
    join('bench', 'quality', 'questions.json'),
    `${JSON.stringify(Object.fromEntries(hashes), undefined, 2)}\n`,
  );
}

const taken: Taken[] = [];
const instances = new Map<string, number>();
for (const [kind, name] of asked) {
  await visitRepository(name, [kind], async (instance, library) => {
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
      const row = Float64Array.from([
        Number(piece.visible),
        ...columns.map(([side, signal]) =>
          (side === 'near') === piece.visible ? piece.signals[signalNames.indexOf(signal)]! : 0,
        ),
      ]);
      const weight = (hit ? 1 : stride) / instance.gold.length;
      taken.push({ row, hit, weight, repository: name, task: instance.task });
    });
  });
  console.error(kind, name, taken.length);
}

const results: Record<string, Record<string, [number, number]>> = {};
for (const without of ['all', ...new Set(asked.map(([, name]) => name))]) {
  const samples = taken
    .filter((sample) => sample.repository !== without)
    .map((sample) => ({
      row: sample.row,
      hit: sample.hit,
      weight:
        (sample.weight * taskWeight[sample.task]) / instances.get(`${sample.repository} ${sample.task}`)!,
    }));
  const { bias, weights: fitted } = fitLogistic(samples, columns.length + 1);
  const weights: Record<string, [number, number]> = Object.fromEntries(
    signalNames.map((name) => [name, [0, 0]]),
  );
  weights.any = [rounded(bias + fitted[0]!), rounded(bias)];
  columns.forEach(([side, name], index) => {
    weights[name]![side === 'near' ? 0 : 1] = rounded(fitted[index + 1]!);
  });
  results[without] = weights;
}
mkdirSync(join('bench', 'results'), { recursive: true });
writeFileSync(join('bench', 'results', 'quality-weights.json'), `${JSON.stringify(results, undefined, 1)}\n`);
for (const name of signalNames) console.log(`${name}: ${JSON.stringify(results.all![name])},`);

function rounded(weight: number): number {
  return Number(weight.toFixed(2));
}
