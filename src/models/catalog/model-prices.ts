// What models cost and hold, as versioned data in dollars per million tokens: the first row whose pattern fits wins.

export interface Prices {
  readonly input: number;
  readonly output: number;
  /** The input price where left out. */
  readonly cachedInput?: number | undefined;
  /** The input price where left out. */
  readonly cacheWrite?: number | undefined;
}

export interface ModelRow extends Prices {
  /** `provider/model`, with `*` for any characters. */
  readonly model: string;
  /** Tokens of prompt and answer together. */
  readonly window?: number | undefined;
  readonly mostOutput?: number | undefined;
  /** Other prices for a call that reads more than so many tokens. */
  readonly long?: (Prices & { readonly above: number }) | undefined;
  /** What the provider allows to all who use the key together. */
  readonly callsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

export const modelPricesVersion = '2026-11-15';

const million = 1_000_000;
const claude = (model: string, input: number, output: number, row: Partial<ModelRow> = {}): ModelRow => ({
  model: `*${model}*`,
  input,
  output,
  cachedInput: round(input * 0.1),
  cacheWrite: round(input * 1.25),
  window: 200_000,
  mostOutput: 64_000,
  ...row,
});
/** What Claude Code calls [1m]: asked for by a header, so that the name of the model does not tell. */
export const longWindow = { of: 200_000, tokens: million };
const wide = { window: million, mostOutput: 128_000 };
const gpt = (model: string, input: number, output: number, row: Partial<ModelRow> = {}): ModelRow => ({
  model: `*${model}*`,
  input,
  output,
  cachedInput: round(input * 0.1),
  window: 400_000,
  mostOutput: 128_000,
  ...row,
});
/** From here on writing to the cache costs, and so does a long prompt. */
const newGpt = (model: string, input: number, output: number, cachedInput = round(input * 0.1)): ModelRow =>
  gpt(model, input, output, {
    cachedInput,
    cacheWrite: round(input * 1.25),
    window: 1_050_000,
    long: {
      above: 272_000,
      input: input * 2,
      output: output * 1.5,
      cachedInput: cachedInput * 2,
      cacheWrite: round(input * 2.5),
    },
  });
const other = (model: string, input: number, output: number, row: Partial<ModelRow> = {}): ModelRow => ({
  model,
  input,
  output,
  ...row,
});

export const modelPrices: readonly ModelRow[] = [
  other('ollama/*', 0, 0),
  other('vllm/*', 0, 0),
  other('lmstudio/*', 0, 0),
  claude('claude-fable-5-1', 10, 50, { ...wide, cachedInput: 0.25 }),
  claude('claude-fable-5', 10, 50, wide),
  claude('claude-opus-5-5', 4, 20, { ...wide, cachedInput: 0.2 }),
  claude('claude-opus-5', 5, 25, wide),
  claude('claude-sonnet-5-5', 2, 10, { ...wide, cachedInput: 0.1 }),
  claude('claude-sonnet-5', 2, 10, wide),
  claude('claude-haiku-5-5', 0.1, 0.5, {
    ...wide,
    long: { above: 100_000, input: 0.5, output: 2.5, cachedInput: 0.05, cacheWrite: 0.625 },
  }),
  ...['4-5', '4-6', '4-7', '4-8'].map((version) => claude(`claude-opus-${version}`, 5, 25)),
  claude('claude-opus-4', 15, 75, { mostOutput: 32_000 }),
  claude('claude-sonnet-4', 3, 15),
  claude('claude-haiku-4', 1, 5),
  claude('claude-3-7-sonnet', 3, 15),
  claude('claude-3-5-haiku', 0.8, 4, { mostOutput: 8_192 }),
  newGpt('gpt-6.1-terra', 1, 5, 0.05),
  newGpt('gpt-6.1-sol', 2, 10, 0.1),
  newGpt('gpt-6-sol', 2, 10),
  newGpt('gpt-6-luna', 0.1, 0.5),
  newGpt('gpt-5.6-terra', 2, 12),
  newGpt('gpt-5.6-luna', 0.2, 1.2),
  newGpt('gpt-5.6', 4, 20),
  gpt('gpt-5.5-pro', 30, 180, { cachedInput: undefined }),
  gpt('gpt-5.5', 5, 30, { window: million }),
  gpt('gpt-5.4-mini', 0.75, 4.5, { window: million }),
  gpt('gpt-5.4-nano', 0.2, 1.25, { window: million }),
  gpt('gpt-5.4-pro', 30, 180, { cachedInput: undefined }),
  gpt('gpt-5.4', 2.5, 15, { window: million }),
  gpt('gpt-5.2', 1.75, 14),
  gpt('gpt-5-mini', 0.25, 2),
  gpt('gpt-5-nano', 0.05, 0.4),
  gpt('gpt-5', 1.25, 10),
  gpt('gpt-4.1-mini', 0.4, 1.6, { cachedInput: 0.1, window: million, mostOutput: 32_768 }),
  gpt('gpt-4.1-nano', 0.1, 0.4, { cachedInput: 0.025, window: million, mostOutput: 32_768 }),
  gpt('gpt-4.1', 2, 8, { cachedInput: 0.5, window: million, mostOutput: 32_768 }),
  gpt('gpt-4o-mini', 0.15, 0.6, { cachedInput: 0.075, window: 128_000, mostOutput: 16_384 }),
  gpt('gpt-4o', 2.5, 10, { cachedInput: 1.25, window: 128_000, mostOutput: 16_384 }),
  other('*gemini-3*pro*', 2, 12, {
    cachedInput: 0.2,
    window: million,
    mostOutput: 65_536,
    long: { above: 200_000, input: 4, output: 18, cachedInput: 0.4 },
  }),
  other('*gemini-3*flash*', 0.5, 3, { cachedInput: 0.05, window: million, mostOutput: 65_536 }),
  other('*gemini-2.5-pro*', 1.25, 10, {
    cachedInput: 0.125,
    window: million,
    mostOutput: 65_536,
    long: { above: 200_000, input: 2.5, output: 15, cachedInput: 0.25 },
  }),
  other('*gemini-2.5-flash-lite*', 0.1, 0.4, { cachedInput: 0.01, window: million, mostOutput: 65_536 }),
  other('*gemini-2.5-flash*', 0.3, 2.5, { cachedInput: 0.03, window: million, mostOutput: 65_536 }),
  // The dearer hours; the cheaper ones are half.
  other('deepseek/deepseek-v4-pro*', 1.32, 3.96, {
    cachedInput: 0.044,
    window: million,
    mostOutput: 384_000,
  }),
  other('deepseek/*', 0.3, 1.2, { cachedInput: 0.006, window: million, mostOutput: 384_000 }),
];

function round(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
