import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../core/model/error.js';
import { loadEncoder } from './bpe/load-encoder.js';
import { loadMeter } from './load-meter.js';

describe('loading a meter', () => {
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

describe('loading a vocabulary', () => {
  const refusal = (read: () => string): unknown => {
    try {
      return loadEncoder('o200k_base', read);
    } catch (error) {
      return error;
    }
  };

  it('refuses a vocabulary that cannot be read, and says what to use instead [budget.fallback]', () => {
    const error = refusal(() => {
      throw new RangeError('no such file here');
    });
    expect(isGalleyError(error)).toBe(true);
    expect(String(error)).toMatch(/cjk-estimate/);
    expect(JSON.stringify(error)).not.toMatch(/such file here/);
  });

  it.each(['', '{}', '{"bpe_ranks":"! 7 IQ=="}', '{"bpe_ranks":"! 0 IQ== Ig=="}'])(
    'refuses a vocabulary that cannot count: %s',
    (text) => {
      expect(refusal(() => text)).toMatchObject({ code: 'INTERNAL' });
    },
  );
});
