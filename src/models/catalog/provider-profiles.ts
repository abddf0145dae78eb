// How providers keep a prefix, as data: the first row whose pattern fits the model's name wins.

export interface ProviderProfile {
  readonly provider: string;
  readonly pattern: RegExp;
  /** Tokens below which nothing is cached. */
  readonly minimumTokens: number;
  /** Markers a request may carry; none where the provider finds prefixes by itself. */
  readonly markers: number;
  /** Cached tokens come in multiples of this. */
  readonly stepTokens: number;
  readonly lifeMs: number;
}

export const providerProfilesVersion = '2026-11-15';

const minute = 60_000;
const marked = { provider: 'anthropic', markers: 4, stepTokens: 1, lifeMs: 5 * minute };
const implicit = { provider: 'google', markers: 0, stepTokens: 1, lifeMs: 5 * minute };

const profiles: readonly ProviderProfile[] = [
  { ...marked, pattern: /claude-(?:opus-4-[56]|haiku-4-5)/, minimumTokens: 4_096 },
  { ...marked, pattern: /claude-(?:opus-4-7|3-5-haiku|3-haiku|haiku-3)/, minimumTokens: 2_048 },
  { ...marked, pattern: /claude-(?:opus|fable|mythos)-5(?![-.]\d(?!\d))/, minimumTokens: 512 },
  { ...marked, pattern: /claude/, minimumTokens: 1_024 },
  { ...implicit, pattern: /gemini-[\w.]*pro/, minimumTokens: 4_096 },
  { ...implicit, pattern: /gemini/, minimumTokens: 2_048 },
  {
    provider: 'openai',
    pattern: /gpt-(?:5\.[6-9]|[6-9])/,
    minimumTokens: 1_024,
    markers: 4,
    stepTokens: 1,
    lifeMs: 30 * minute,
  },
  {
    provider: 'deepseek',
    pattern: /deepseek/,
    minimumTokens: 64,
    markers: 0,
    stepTokens: 64,
    lifeMs: 60 * minute,
  },
  {
    provider: 'local',
    pattern: /(?:vllm|sglang|llama|qwen|mistral)/,
    minimumTokens: 16,
    markers: 0,
    stepTokens: 16,
    lifeMs: 60 * minute,
  },
];

const usual: ProviderProfile = {
  provider: 'openai',
  pattern: /^/,
  minimumTokens: 1_024,
  markers: 0,
  stepTokens: 128,
  lifeMs: 5 * minute,
};

/** Asked for the same model again and again. */
let asked = { model: '', profile: usual };

export function providerProfileFor(model: string): ProviderProfile {
  if (asked.model === model) return asked.profile;
  const name = model.toLowerCase();
  const profile = profiles.find(({ pattern }) => pattern.test(name)) ?? usual;
  asked = { model, profile };
  return profile;
}
