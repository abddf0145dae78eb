import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Tiktoken } from 'tiktoken/lite';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Meter } from '../../core/model/meter.js';
import { loadMeter } from '../load-meter.js';
import { preTokenEnd } from './pre-token.js';

const require = createRequire(import.meta.url);
const encodings = ['o200k_base', 'cl100k_base'] as const;

const alphabet = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    'B',
    'é',
    'ſ',
    "'s",
    "'",
    "'ll",
    "'RE",
    '中',
    '文',
    '的',
    'ん',
    '한',
    'ß',
    'ǅ',
    'ʰ',
    'ا',
  ],
  ...['1', '23', '٣', ' ', '  ', '\t', '\n', '\r\n', '\r', '\u3000', '\u00a0', '\u0085', '\u2028', '\ufeff'],
  ...[
    '/',
    '//',
    '*',
    '-',
    '=',
    '.',
    '(',
    ');',
    '{',
    '"',
    '，',
    '。',
    '“',
    '😀',
    '👨‍👩‍👧',
    '🇨🇳',
    '\u0301',
    '\u0300',
    '\u20e3',
  ],
  ...[
    '𠀀',
    '𝐀',
    '𝟎',
    '\u{1d165}',
    '\ud83d',
    '\ude00',
    '<|endoftext|>',
    'the',
    ' the',
    'return',
    '\n    ',
    '\u200d',
  ],
);
const nasty = (maxLength: number) => fc.array(alphabet, { maxLength }).map((parts) => parts.join(''));
const runs = fc
  .array(fc.tuple(fc.array(alphabet, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 500 })), {
    maxLength: 5,
  })
  .map((parts) => parts.map(([unit, times]) => unit.join('').repeat(times)).join(''));

describe.each(encodings)('counting %s', (encoding) => {
  let meter: Meter;
  let peer: Tiktoken;
  let pattern: string;

  beforeAll(async () => {
    meter = await loadMeter(encoding);
    const vocabulary = require(`tiktoken/encoders/${encoding}.json`);
    pattern = vocabulary.pat_str;
    peer = new Tiktoken(vocabulary.bpe_ranks, vocabulary.special_tokens, pattern);
  });

  it('counts short texts as the unguarded tokenizer does', () => {
    fc.assert(
      fc.property(nasty(60), (text) => {
        expect(meter.weigh(text)).toBe(peer.encode_ordinary(text).length);
      }),
      { numRuns: 3000 },
    );
  });

  it('counts long runs as the unguarded tokenizer does, to the token', () => {
    fc.assert(
      fc.property(runs, (text) => {
        const bounded = text.slice(0, 3000);
        expect(meter.weigh(bounded)).toBe(peer.encode_ordinary(bounded).length);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the same pre-tokens as the pattern', () => {
    const javascript = new RegExp(
      pattern
        .replaceAll('(?i:', "(?:'ſ|'S|'T|'RE|'Re|'rE|'VE|'Ve|'vE|'M|'LL|'Ll|'lL|'D|")
        .replaceAll('[^\\s', '[^\\p{White_Space}')
        .replaceAll('(?!\\S)', '(?!\\P{White_Space})')
        .replaceAll('\\s', '\\p{White_Space}'),
      'gu',
    );
    fc.assert(
      fc.property(nasty(80), (text) => {
        const ends: number[] = [];
        for (let start = 0; start < text.length; ) {
          start = preTokenEnd(text, start, encoding);
          ends.push(start);
        }
        expect(ends).toEqual([...text.matchAll(javascript)].map((match) => match.index + match[0].length));
      }),
      { numRuns: 5000 },
    );
  });

  it('never costs more joined than apart plus the seam', () => {
    fc.assert(
      fc.property(nasty(25), nasty(25), (left, right) => {
        const apart = meter.weigh(left) + meter.weigh(right);
        expect(meter.weigh(left + right)).toBeLessThanOrEqual(apart + (meter.seam?.(left, right) ?? 0));
      }),
      { numRuns: 12_000 },
    );
  });
});
