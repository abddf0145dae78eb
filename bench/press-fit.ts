// Promise: fitting alone is nearly free and grows no faster than n log n.

import { fit } from '../src/core/fit/fit.js';
import type { Meter } from '../src/core/model/meter.js';
import { phrase } from '../src/core/phrase/phrase.js';
import { chunkFragments, chunkPress } from './peers/chunk-press.js';
import { type Piece, renderWithPromptTsx } from './peers/prompt-tsx.js';
import { seededRandom } from './peers/random.js';
import { quantile, report, timed } from './peers/report.js';

const free: Meter = { id: 'free', unit: 'tokens', exact: true, scale: 1, weigh: (text) => text.length };
const random = seededRandom(2);
const piecesOf = (count: number): Piece[] =>
  Array.from({ length: count }, () => ({
    text: 'x'.repeat(20 + Math.floor(random() * 80)),
    priority: Math.floor(random() * 1e6),
  }));

async function fitTime(count: number, rounds: number): Promise<number> {
  const press = chunkPress(free);
  const dialect = press.dialect as Parameters<typeof phrase>[1]['dialect'];
  const fragments = chunkFragments(piecesOf(count));
  const limit = count * 15;
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const phrased = phrase(fragments, { recipe: press.recipe, dialect, meter: free });
    for (const { levels } of phrased.fragments) levels[0]?.weight();
    times.push(await timed(() => fit(phrased, { recipe: press.recipe, meter: free, limit })));
  }
  return quantile(times, 0.5);
}

await fitTime(10_000, 5);
const peerPieces = piecesOf(10_000);
const peer = Math.min(
  await timed(() => renderWithPromptTsx(peerPieces, 150_000, (text) => text.length)),
  await timed(() => renderWithPromptTsx(peerPieces, 150_000, (text) => text.length)),
);
const ours = await fitTime(10_000, 15);
const small = await fitTime(1_000, 101);
const large = await fitTime(100_000, 7);
const growth = large / small;
const allowed = (100_000 * Math.log2(100_000)) / (1_000 * Math.log2(1_000));
report('press-fit', [
  {
    promise: 'fit of 10,000 fragments, free meter',
    bar: 'at least 100× below prompt-tsx',
    measured: `${(peer / ours).toFixed(0)}× (${ours.toFixed(1)} ms against ${peer.toFixed(0)} ms)`,
    reached: peer / ours >= 100,
  },
  {
    promise: 'growth from 1k to 100k fragments',
    bar: `at most n·log n (${allowed.toFixed(0)}×)`,
    measured: `${growth.toFixed(0)}× (${small.toFixed(2)} ms to ${large.toFixed(1)} ms)`,
    reached: growth <= allowed,
  },
]);
