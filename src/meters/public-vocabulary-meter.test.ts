import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Meter } from '../core/model/meter.js';
import { meterContract } from '../testing/meter-contract.js';
import { loadPublicVocabulary, type PublicVocabularyName } from './public-vocabulary-meter.js';

/** A file as the packages hold it: 256 bytes, a few merges, one special token. */
function fileOf(merges: readonly string[]): string {
  const printable = (byte: number) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  const vocab: Record<string, number> = { '<|end|>': 0 };
  const letters = new Map<number, string>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte += 1)
    letters.set(byte, String.fromCharCode(printable(byte) ? byte : next++));
  for (const letter of letters.values()) vocab[letter] = Object.keys(vocab).length;
  const written = (text: string) => [...Buffer.from(text)].map((byte) => letters.get(byte)).join('');
  for (const merge of merges) vocab[written(merge)] = Object.keys(vocab).length;
  const path = join(mkdtempSync(join(tmpdir(), 'galley-vocabulary-')), 'tokenizer.json');
  const added_tokens = [{ id: 0, content: '<|end|>' }];
  writeFileSync(path, JSON.stringify({ model: { vocab }, added_tokens }));
  return path;
}

const path = fileOf([
  'th',
  'the',
  ' t',
  ' th',
  ' the',
  '12',
  '123',
  '中',
  '国',
  '中国',
  '，中国',
  '\n\n',
  'é',
  '\xa0',
]);
const load = (name: PublicVocabularyName): Meter => loadPublicVocabulary(name, () => path)!;

describe('a public vocabulary', () => {
  it('counts in the pieces of its family [W16] [budget.tokenizer]', () => {
    const [qwen, deepseek] = [load('qwen'), load('deepseek')];
    expect([qwen.weigh('the the'), deepseek.weigh('the the')]).toEqual([2, 2]);
    // Digits are single in the one, up to three in the other.
    expect([qwen.weigh('123123'), deepseek.weigh('123123')]).toEqual([6, 2]);
    // A mark leads its word in the one, and Han stand by themselves in the other.
    expect([qwen.weigh('，中国'), deepseek.weigh('，中国')]).toEqual([1, 4]);
    expect(qwen.weigh('e\u0301')).toBe(1);
    expect(qwen.weigh('<|end|>')).toBe(7);
    expect(qwen).toMatchObject({ id: 'qwen', exact: true, scale: 1 });
  });

  it('is not there when its package is not', () => {
    const missing = () => {
      throw new TypeError('no such package');
    };
    expect(loadPublicVocabulary('qwen', missing)).toBeUndefined();
  });

  it('takes a run of any length', () => {
    expect(load('qwen').weigh('th'.repeat(50_000))).toBe(50_000);
  });
});

describe.each(['qwen', 'deepseek'] as const)('the meter %s keeps the contract', (name) => {
  meterContract(async () => load(name), { cases: 1500 });
});
