import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { costOf, loadCatalog, rowFor } from './catalog.js';
import { providerProfileFor } from './provider-profiles.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-catalog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, value: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return { GALLEY_PRICES: path };
};

describe('prices', () => {
  it('charge fresh, cached, kept and answered tokens each at their own price', () => {
    const usage = {
      inputTokens: 1_000_000,
      outputTokens: 100_000,
      cachedInputTokens: 400_000,
      cacheWriteTokens: 100_000,
    };
    expect(costOf(usage, 'anthropic/claude-sonnet-4-5')?.dollars).toBeCloseTo(
      0.5 * 3 + 0.4 * 0.3 + 0.1 * 3.75 + 0.1 * 15,
      9,
    );
    expect(costOf({ inputTokens: 1_000_000, outputTokens: 0 }, 'ollama/qwen3')?.dollars).toBe(0);
  });

  it('change for a call that reads more than so many tokens', () => {
    const cost = (inputTokens: number) =>
      costOf({ inputTokens, outputTokens: 0 }, 'google/gemini-2.5-pro')?.dollars;
    expect(cost(200_000)).toBeCloseTo(0.25, 9);
    expect(cost(200_001)).toBeCloseTo(0.5, 4);
  });

  it('are those of the first row that fits, whoever offers the model', () => {
    expect(rowFor('anthropic/claude-opus-4-1')?.input).toBe(15);
    expect(rowFor('anthropic/claude-opus-4-5-20251101')?.input).toBe(5);
    expect(rowFor('openrouter/openai/gpt-5-mini')?.input).toBe(0.25);
    expect(rowFor('custom/nobody-knows')).toBeUndefined();
    for (const cloud of ['bedrock/us.anthropic', 'vertex', 'azure'])
      expect(rowFor(`${cloud}/claude-sonnet-4-5`), cloud).toBeUndefined();
    expect(costOf({ inputTokens: 1, outputTokens: 1 }, 'custom/nobody-knows')).toBeUndefined();
  });

  it('of the user come before ours, and say so', async () => {
    const environment = write('own.json', {
      version: 'mine',
      models: [
        { model: 'custom/*', input: 1, output: 2 },
        { model: 'bedrock/*', input: 3, output: 4 },
      ],
    });
    const catalog = await loadCatalog(environment);
    expect(costOf({ inputTokens: 1_000_000, outputTokens: 500_000 }, 'custom/x', catalog)).toEqual({
      dollars: 2,
      prices: expect.stringMatching(/^mine over /),
    });
    expect(rowFor('openai/gpt-4o', catalog)?.input).toBe(2.5);
    expect(rowFor('bedrock/anthropic.claude-sonnet-4-5', catalog)?.input).toBe(3);
    expect((await loadCatalog({})).version).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('in a bad file are refused by the field, without a path', async () => {
    const bad: [unknown, string][] = [
      ['{', 'JSON'],
      [{ version: 'x', models: [{ model: 'a', input: -1, output: 1 }] }, 'models.0.input'],
      [{ version: 'x', models: [{ model: 'a', input: 1, output: 1, extra: 1 }] }, 'models.0'],
      [{ models: [] }, 'version'],
    ];
    for (const [value, word] of bad) {
      const refused = loadCatalog(write('bad.json', value));
      await expect(refused).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(word),
      });
      await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(folder) });
    }
    await expect(loadCatalog({ GALLEY_PRICES: join(folder, 'nowhere') })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });
});

describe('provider profiles', () => {
  it('know the smallest prefix by the model', () => {
    const minimum = (model: string) => providerProfileFor(model).minimumTokens;
    expect(minimum('claude-opus-4-5')).toBe(4096);
    expect(minimum('claude-opus-4-7')).toBe(2048);
    expect(minimum('claude-opus-5-20260724')).toBe(512);
    expect(minimum('claude-opus-5-5')).toBe(1024);
    expect(minimum('claude-sonnet-4-5')).toBe(1024);
    expect(providerProfileFor('gpt-5.6-sol')).toMatchObject({ markers: 4, provider: 'openai' });
    expect(providerProfileFor('gpt-5.5')).toMatchObject({ markers: 0, stepTokens: 128 });
  });
});
