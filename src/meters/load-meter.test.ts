import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../core/model/error.js';
import { createBpeMeter } from './bpe/bpe-meter.js';
import { loadEncoder } from './bpe/load-encoder.js';
import { loadMeter } from './load-meter.js';

describe('loadMeter', () => {
  it('loads a tokenizer once', async () => {
    expect(await loadMeter('o200k_base')).toBe(await loadMeter('o200k_base'));
  });

  it.each(['', 'o300k', 'toString', '__proto__'])(
    'refuses the unknown meter "%s" and names the known ones',
    async (id) => {
      await expect(loadMeter(id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      await expect(loadMeter(id)).rejects.toThrow(/meter: .*o200k_base/);
    },
  );

  it('imports no tokenizer before one is asked for', () => {
    const folder = new URL('.', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))) {
      const source = readFileSync(new URL(name, folder), 'utf8');
      expect(source, name).not.toMatch(/^import (?!type)[^;]*'(?:tiktoken|gpt-tokenizer)/m);
    }
  });
});

describe('loadEncoder', () => {
  const failing = async (): Promise<never> => {
    throw new RangeError('no such file here');
  };

  it('takes the next implementation when one does not load, or cannot count', async () => {
    const real = await loadEncoder('cl100k_base');
    const lying = async () => ({ ...real, merge: () => [] });
    const encoder = await loadEncoder('cl100k_base', [failing, lying, async () => real]);
    expect(encoder).toBe(real);
    expect(createBpeMeter('cl100k_base', encoder).weigh('hello world')).toBe(2);
  });

  it('refuses when none loads, and says what to use instead [budget.fallback]', async () => {
    const error: unknown = await loadEncoder('o200k_base', [failing, failing]).catch(
      (reason: unknown) => reason,
    );
    expect(isGalleyError(error)).toBe(true);
    expect(String(error)).toMatch(/cjk-estimate/);
    expect(JSON.stringify(error)).not.toMatch(/such file here/);
  });
});
