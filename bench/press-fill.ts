// Promise: the budget is filled, never exceeded, and the answer does not depend on order, locale or time zone.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { hashText } from '../src/meters/content-hash.js';
import { createCountCache, withCountCache } from '../src/meters/count-cache.js';
import { loadMeter } from '../src/meters/load-meter.js';
import { chunkFragments, chunkPress, setChunks } from './peers/chunk-press.js';
import { chineseText, logNormal, seededRandom } from './peers/random.js';
import { report } from './peers/report.js';

const meter = await loadMeter('o200k_base');
const press = chunkPress(withCountCache(meter, createCountCache()));

function shuffledOutputs(): string {
  const random = seededRandom(5);
  const pieces = Array.from({ length: 60 }, () => ({ text: chineseText(random, 120), priority: 1 }));
  const fragments = chunkFragments(pieces);
  const outputs = new Set<string>();
  for (let shuffle = 0; shuffle < 50; shuffle += 1) {
    const order = fragments.map((fragment) => ({ fragment, key: random() })).sort((a, b) => a.key - b.key);
    const { prompt } = setChunks(
      press,
      order.map(({ fragment }) => fragment),
      { tokens: 2_000 },
    );
    outputs.add(hashText(JSON.stringify(prompt)));
  }
  return [...outputs].join(',');
}

if (process.argv[2] === '--outputs') {
  console.log(shuffledOutputs());
} else {
  const random = seededRandom(3);
  const fills: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const pieces = Array.from({ length: 200 }, () => ({
      text: chineseText(random, Math.max(8, Math.round(logNormal(random, 120, 0.9)))),
      priority: random(),
    }));
    const { receipt } = setChunks(press, chunkFragments(pieces), { tokens: 4_000 });
    fills.push(receipt.used.n / 4_000);
  }

  const snippets = [
    'def f(x):\n',
    '// a\n',
    '  indented\n',
    '林远走进屋子。',
    '\n\n',
    '/',
    '}',
    'word ',
    '😀',
    '\t',
    '...',
    '123',
  ];
  let over = 0;
  const cases = 20_000;
  for (let round = 0; round < cases; round += 1) {
    const pieces = Array.from({ length: 3 + Math.floor(random() * 12) }, () => ({
      text: Array.from(
        { length: 1 + Math.floor(random() * 14) },
        () => snippets[Math.floor(random() * snippets.length)],
      ).join(''),
      priority: random(),
    }));
    const tokens = 10 + Math.floor(random() * 120);
    const { prompt } = setChunks(press, chunkFragments(pieces), { tokens });
    const text = prompt.pages[0]?.parts[0]?.text ?? '';
    if (meter.weigh(text) > tokens) over += 1;
  }

  const outputs = new Set<string>([shuffledOutputs()]);
  for (const locale of ['C', 'en_US.UTF-8', 'zh_CN.UTF-8', 'tr_TR.UTF-8', 'de_DE.UTF-8']) {
    for (const zone of ['UTC', 'Asia/Shanghai', 'America/St_Johns']) {
      const env = { ...process.env, LANG: locale, LC_ALL: locale, TZ: zone };
      const script = fileURLToPath(import.meta.url);
      outputs.add(execFileSync(process.execPath, [script, '--outputs'], { env, encoding: 'utf8' }).trim());
    }
  }
  const mean = fills.reduce((sum, fill) => sum + fill, 0) / fills.length;
  const worst = Math.min(...fills);
  const distinct = new Set([...outputs].flatMap((line) => line.split(','))).size;
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  report('press-fill', [
    {
      promise: 'budget filled, 200 log-normal chunks, budget 4000',
      bar: '≥ 99.5 % mean, ≥ 99 % worst',
      measured: `${percent(mean)} mean, ${percent(worst)} worst`,
      reached: mean >= 0.995 && worst >= 0.99,
    },
    {
      promise: 'over budget, re-measured with the exact tokenizer',
      bar: `0 of ${cases}`,
      measured: `${over} of ${cases}`,
      reached: over === 0,
    },
    {
      promise: '50 shuffles of tied fragments, 5 locales, 3 time zones',
      bar: '1 distinct output',
      measured: `${distinct}`,
      reached: distinct === 1,
    },
  ]);
}
