// How fast each meter weighs, what the guard for long runs and the count cache are worth. Peers run in the same
// process on the same texts. Arguments: a Chinese and an English text file, else built-in paragraphs.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { Tiktoken } from 'tiktoken/lite';
import { longestHead } from '../src/core/fit/concede.js';
import type { Meter } from '../src/core/model/meter.js';
import { createBpeMeter } from '../src/meters/bpe/bpe-meter.js';
import { createCountCache, withCountCache } from '../src/meters/count-cache.js';
import { loadMeter, meterIds } from '../src/meters/load-meter.js';
import { loadPeerEncoder } from '../src/testing/peer-encoder.js';

const require = createRequire(import.meta.url);
const paragraphs = {
  chinese:
    '雨下了一整夜。林若溪推开窗，看见院子里的石榴树倒了半边，红艳艳的花瓣贴在青石板上，像谁打翻了胭脂盒。她想起祖父说过的话：“树倒了可以再种，人走了就真的走了。”\n',
  english:
    'The compositor set the last line, locked the forme and pulled a proof; nobody in the shop expected it to be clean.\n',
};

// Processor time, so that a busy machine does not blur the ratios.
const elapsed = (work: () => unknown): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1) / 1000;
};
const best = (work: () => unknown, times = 3): number =>
  Math.min(...Array.from({ length: times }, () => elapsed(work)));
const megabytes = (text: string): number => Buffer.byteLength(text, 'utf8') / 1e6;

function sourceText(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('common-han.ts'))
    .sort()
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('');
}

function filled(text: string, length: number): string {
  return text
    .repeat(Math.ceil(length / text.length))
    .slice(0, length)
    .toWellFormed();
}

function unguarded(): (text: string) => number {
  const vocabulary = require('tiktoken/encoders/o200k_base.json');
  const encoder = new Tiktoken(vocabulary.bpe_ranks, vocabulary.special_tokens, vocabulary.pat_str);
  return (text) => encoder.encode_ordinary(text).length;
}

const [chineseFile, englishFile] = process.argv.slice(2);
const texts = {
  chinese: filled(chineseFile ? readFileSync(chineseFile, 'utf8') : paragraphs.chinese, 400_000),
  english: filled(englishFile ? readFileSync(englishFile, 'utf8') : paragraphs.english, 1_000_000),
  code: filled(sourceText('src'), 1_000_000),
};

const loads: { meter: string; ms: number }[] = [];
const meters = new Map<string, Meter>();
for (const id of meterIds) {
  const start = performance.now();
  meters.set(id, await loadMeter(id));
  loads.push({ meter: id, ms: performance.now() - start });
}
const start = performance.now();
meters.set(
  'o200k_base (vocabulary of gpt-tokenizer)',
  createBpeMeter('o200k_base', await loadPeerEncoder('o200k_base')),
);
loads.push({ meter: 'o200k_base (vocabulary of gpt-tokenizer)', ms: performance.now() - start });

const o200k = meters.get('o200k_base')!;
const plain = unguarded();
const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
const weighers: (readonly [string, (text: string) => number])[] = [
  ...[...meters].map(([id, meter]) => [id, meter.weigh] as const),
  ['peer: tiktoken, unguarded', plain],
  ['peer: gpt-tokenizer', (text) => countTokens(text, { disallowedSpecial: new Set() })],
];

// Tokenizers remember pieces they have seen, so the first pass over a text counts apart from the next ones.
const speeds = weighers.map(([name, weigh]) => {
  weigh(paragraphs.chinese + paragraphs.english);
  const speed = (text: string): string => {
    const perSecond = (ms: number): string => (megabytes(text) / (ms / 1000)).toFixed(1);
    return `${perSecond(elapsed(() => weigh(text)))} / ${perSecond(best(() => weigh(text)))}`;
  };
  return {
    meter: name,
    chinese: speed(texts.chinese),
    english: speed(texts.english),
    code: speed(texts.code),
  };
});

const han = filled(
  [...new Set(texts.chinese)].filter((unit) => /\p{Script=Han}/u.test(unit)).join(''),
  32_000,
);
const shuffled = [...han].map((_, index) => han[(index * 7919) % han.length]).join('');
const runs = [
  { run: '2,000 Han', text: shuffled.slice(0, 2000), off: true },
  { run: '8,000 Han', text: shuffled.slice(0, 8000), off: true },
  { run: '32,000 Han', text: shuffled, off: false },
  { run: '1 MB letter', text: 'a'.repeat(1e6), off: false },
  { run: '1 MB spaces', text: ' '.repeat(1e6), off: false },
  { run: '1 MB newlines', text: '\n'.repeat(1e6), off: false },
  { run: '1 MB emoji', text: '😀'.repeat(250_000), off: false },
  { run: '1 MB marks', text: '\u0301'.repeat(500_000), off: false },
  { run: '1 MB slashes', text: '/'.repeat(1e6), off: false },
  {
    run: '1 MB base64',
    text: Buffer.from(texts.chinese, 'utf8').subarray(0, 750_000).toString('base64'),
    off: false,
  },
].map(({ run, text, off }) => ({
  run,
  guarded: best(() => o200k.weigh(text)),
  unguarded: off ? best(() => plain(text), 1) : undefined,
}));

const blocks = texts.chinese.match(/[\s\S]{1,600}/g) ?? [];
const cache = createCountCache();
const cached = withCountCache(o200k, cache);
const weighBlocks = (): number => blocks.reduce((sum, block) => sum + cached.weigh(block), 0);
const cacheTimes = {
  blocks: blocks.length,
  cold: elapsed(weighBlocks),
  warm: best(weighBlocks),
  ...cache.statistics(),
};
const seams = {
  joins: blocks.length,
  ms: best(() => blocks.map((block, index) => o200k.seam?.(block, blocks[index + 1] ?? ''))),
};
const head = { tokens: 200_000, ms: best(() => longestHead(texts.english, 200_000, o200k), 1) };

const n = (value: number, digits = 1): string => value.toFixed(digits);
console.log(JSON.stringify({ loads, speeds, runs, cache: cacheTimes, seams, head }));
console.log('\n| meter | first load ms |\n|---|---|');
for (const { meter, ms } of loads) console.log(`| ${meter} | ${n(ms)} |`);
console.log('\n| MB/s, first pass / next passes | Chinese | English | code |\n|---|---|---|---|');
for (const { meter, chinese, english, code } of speeds) {
  console.log(`| ${meter} | ${chinese} | ${english} | ${code} |`);
}
console.log('\n| unbroken run | guarded ms | unguarded ms |\n|---|---|---|');
for (const { run, guarded, unguarded: off } of runs) {
  console.log(`| ${run} | ${n(guarded)} | ${off === undefined ? 'not tried' : n(off)} |`);
}
console.log(
  `\n| count cache, ${cacheTimes.blocks} blocks | cold ms | warm ms | ratio |\n|---|---|---|---|\n| o200k_base | ${n(cacheTimes.cold)} | ${n(cacheTimes.warm, 2)} | ${n(cacheTimes.cold / cacheTimes.warm, 0)} |`,
);
console.log(
  `\n${seams.joins} seams between blocks cut mid-line: ${n(seams.ms)} ms. Longest head of ${head.tokens} tokens: ${n(head.ms)} ms.`,
);
