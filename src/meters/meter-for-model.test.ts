import { describe, expect, it } from 'vitest';
import { meterIds } from './load-meter.js';
import { meterForModel, modelMeters, unknownModelMeter } from './meter-for-model.js';

describe('the meter of a model', () => {
  it.each([
    ['gpt-4o', 'o200k_base'],
    ['gpt-4o-mini-2024-07-18', 'o200k_base'],
    ['chatgpt-4o-latest', 'o200k_base'],
    ['gpt-4.1-nano', 'o200k_base'],
    ['gpt-5', 'o200k_base'],
    ['gpt-5.6-codex', 'o200k_base'],
    ['openai/gpt-oss-120b', 'o200k_base'],
    ['o1', 'o200k_base'],
    ['o3-mini', 'o200k_base'],
    ['o4-mini', 'o200k_base'],
    ['ft:gpt-4o:acme::abc', 'o200k_base'],
    ['gpt-4', 'cl100k_base'],
    ['GPT-4-turbo', 'cl100k_base'],
    ['gpt-3.5-turbo', 'cl100k_base'],
    ['gpt-35-turbo', 'cl100k_base'],
    ['claude-3-5-sonnet-20241022', 'claude-estimate'],
    ['claude-sonnet-4-20250514', 'claude-estimate'],
    ['claude-sonnet-4-5', 'claude-estimate'],
    ['claude-opus-4-6', 'claude-estimate'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-estimate'],
    ['claude-opus-4-7', 'claude-estimate-4.7'],
    ['claude-opus-5', 'claude-estimate-4.7'],
    ['claude', 'claude-estimate-4.7'],
    ['gemini-2.5-pro', 'gemini-estimate'],
    ['google/gemma-3-27b', 'gemini-estimate'],
    ['deepseek-chat', 'deepseek'],
    ['deepseek/deepseek-r1', 'deepseek'],
    ['deepseek-v4', 'deepseek-estimate'],
    ['qwen3-max', 'qwen'],
    ['Qwen/Qwen2.5-72B-Instruct', 'qwen'],
    ['qwen3.6-plus', 'qwen-estimate'],
    ['qwen-plus', 'qwen-estimate'],
    ['glm-4.6', 'chinese-estimate'],
    ['kimi-k2', 'chinese-estimate'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'general-estimate'],
    ['meta.llama3-70b-instruct-v1:0', 'general-estimate'],
  ])('weighs %s with %s [budget.tokenizer]', (model, meter) => {
    const found = meterForModel(model);
    expect(found.meter).toBe(meter);
    expect(found.known).toBe(true);
    expect(found.warning).toBeUndefined();
  });

  it.each(['', 'my-private-model', 'gpt-9000', 'o1nonsense'])(
    'estimates safely and says so for "%s"',
    (model) => {
      const found = meterForModel(model);
      expect(found).toMatchObject({ meter: unknownModelMeter, known: false });
      expect(found.warning?.code).toBe('METER_MODEL_UNKNOWN');
    },
  );

  it('names only meters that can be loaded', () => {
    for (const { meter } of modelMeters) expect(meterIds).toContain(meter);
    expect(meterIds).toContain(unknownModelMeter);
  });
});
