// Promise: assembling is far cheaper than prompt-tsx, cold and warm, with the same exact tokenizer for both.
import { existsSync, readFileSync } from 'node:fs';
import { get_encoding } from 'tiktoken';
import type { Meter } from '../src/core/model/meter.js';
import { createCountCache, withCountCache } from '../src/meters/count-cache.js';
import { loadMeter } from '../src/meters/load-meter.js';
import { chunkFragments, chunkPress, setChunks } from './peers/chunk-press.js';
import { type Piece, renderWithPromptTsx } from './peers/prompt-tsx.js';
import { chineseText, seededRandom } from './peers/random.js';
import { quantile, report, timed } from './peers/report.js';

const rounds = Number(process.argv[2] ?? 30);
const budget = 16_000;
const novelFile = process.env.GALLEY_BENCH_NOVEL ?? '../shared/data/text/hongloumeng.txt';
// The plain tokenizer for both: Galley's own meter remembers pieces of text and would speed the peer up as well.
const encoding = get_encoding('o200k_base');
const meter: Meter = {
  ...(await loadMeter('o200k_base')),
  weigh: (text) => encoding.encode_ordinary(text).length,
};
const random = seededRandom(1);
const novel = existsSync(novelFile) ? readFileSync(novelFile, 'utf8') : undefined;
let place = 0;
/** Text nobody has counted before: the next stretch of a novel where one is at hand, else made up. */
function freshText(characters: number): string {
  if (novel === undefined) return chineseText(random, characters);
  place = (place + characters) % (novel.length - characters);
  return novel.slice(place, place + characters);
}
const freshPieces = (): Piece[] =>
  Array.from({ length: 200 }, (_, index) => ({
    text: freshText(360),
    priority: (index * 7919) % 1000,
  }));

const peerTimes: number[] = [];
const coldTimes: number[] = [];
const lazyTimes: number[] = [];
const warmTimes: number[] = [];
const warmShares: number[] = [];
let inputTokens = 0;
for (let round = -15; round < rounds; round += 1) {
  const pieces = freshPieces();
  const peer = await timed(() => renderWithPromptTsx(pieces, budget, (text) => meter.weigh(text)));
  const cache = createCountCache();
  const press = chunkPress(withCountCache(meter, cache));
  const fragments = chunkFragments(pieces);
  const cold = await timed(() => setChunks(press, fragments, { tokens: budget }));
  const lazyPress = chunkPress(withCountCache(meter, createCountCache()), false);
  const lazy = await timed(() => setChunks(lazyPress, fragments, { tokens: budget, ledger: 'kept' }));

  const changed = fragments.with(17, {
    ...fragments[17]!,
    levels: [{ name: 'whole', body: freshText(360) }],
  });
  const before = cache.statistics().measured;
  const warm = await timed(() => setChunks(press, changed, { tokens: budget }));
  if (round < 0) continue;
  const characters = pieces.reduce((sum, { text }) => sum + text.length, 0);
  inputTokens = pieces.reduce((sum, { text }) => sum + meter.weigh(text), 0);
  peerTimes.push(peer);
  coldTimes.push(cold);
  lazyTimes.push(lazy);
  warmTimes.push(warm);
  warmShares.push((cache.statistics().measured - before) / characters);
}
const p95 = (values: readonly number[]) => quantile(values, 0.95);
const ratio = (values: readonly number[]) => p95(peerTimes) / p95(values);
const show = (values: readonly number[]) =>
  `${ratio(values).toFixed(1)}× (p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${p95(values).toFixed(1)} ms; ` +
  `peer p50 ${quantile(peerTimes, 0.5).toFixed(0)} ms, p95 ${p95(peerTimes).toFixed(0)} ms)`;
report(
  'press-assemble',
  [
    {
      promise: `200 fragments, ${inputTokens} tokens of fresh Chinese, 16k budget, cold`,
      bar: 'p95 at least 3× below prompt-tsx',
      measured: show(coldTimes),
      reached: ratio(coldTimes) >= 3,
    },
    {
      promise: 'the same with lazy prices and no refill',
      bar: 'reported',
      measured: show(lazyTimes),
      reached: ratio(lazyTimes) >= 3,
    },
    {
      promise: 'the same again, one fragment changed, warm',
      bar: 'p95 at least 50× below prompt-tsx',
      measured: show(warmTimes),
      reached: ratio(warmTimes) >= 50,
    },
    {
      promise: 'characters tokenised when one fragment changed',
      bar: 'at most 0.05× the input',
      measured: `${Math.max(...warmShares).toFixed(3)}×`,
      reached: Math.max(...warmShares) <= 0.05,
    },
  ],
  { peerTimes, coldTimes, lazyTimes, warmTimes },
);
