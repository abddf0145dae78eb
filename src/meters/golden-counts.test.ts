import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadMeter } from './load-meter.js';

const english = 'The quick brown fox jumps over the lazy dog, and nobody at the press was surprised.\n';
const chinese = '他把最后一行铅字排进字盘，抬头看了看窗外的雪：“今晚印得完吗？”没有人回答。\n';
const traditional = '臺灣的龜與鬱金香，見證了繁體中文的憂鬱。\n';
const code =
  'export function weigh(text: string): number {\n  return text.length > 0 ? count(text) : 0;\n}\n';
const json = '{"id":"a1b2-c3d4","lines":[1,22,333,4444],"ok":true,"path":"src/core/fit.ts"}\n';
const emoji = 'Done 🎉 — 👨‍👩‍👧 family, 🇨🇳 flag, 👍🏽 thumb ❤️\n';
const special = 'This <|endoftext|> is text, and so is <|im_start|>.\n';

const golden: readonly (readonly [title: string, text: string, o200k: number, cl100k: number])[] = [
  ['English', english, 18, 18],
  ['Chinese', chinese, 34, 45],
  ['traditional Chinese', traditional, 23, 36],
  ['code', code, 25, 25],
  ['JSON', json, 35, 35],
  ['emoji', emoji, 26, 36],
  ['special tokens as text', special, 20, 18],
];

describe('golden counts', () => {
  it.each(golden)('count %s [budget.tokenizer]', async (_, text, o200k, cl100k) => {
    expect((await loadMeter('o200k_base')).weigh(text)).toBe(o200k);
    expect((await loadMeter('cl100k_base')).weigh(text)).toBe(cl100k);
  });

  it.each(golden)('agree with an independent implementation on %s', (_, text, o200k, cl100k) => {
    expect(countO200k(text, { disallowedSpecial: new Set() })).toBe(o200k);
    expect(countCl100k(text, { disallowedSpecial: new Set() })).toBe(cl100k);
  });
});
