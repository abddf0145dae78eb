// From which size on providers cache a prefix, as data: the first row whose pattern fits the model's name wins.

export interface ProviderProfile {
  readonly provider: string;
  readonly pattern: RegExp;
  /** Tokens below which nothing is cached. */
  readonly minimumTokens: number;
}

export const providerProfilesVersion = '2026-11-15';

const profiles: readonly ProviderProfile[] = [
  { provider: 'anthropic', pattern: /claude-(?:opus-4-[5-9]|haiku-4-5)/, minimumTokens: 4_096 },
  { provider: 'anthropic', pattern: /claude-(?:3-5-haiku|3-haiku|haiku-3)/, minimumTokens: 2_048 },
  { provider: 'anthropic', pattern: /claude/, minimumTokens: 1_024 },
  { provider: 'google', pattern: /gemini-[\w.]*pro/, minimumTokens: 4_096 },
  { provider: 'google', pattern: /gemini/, minimumTokens: 2_048 },
  { provider: 'deepseek', pattern: /deepseek/, minimumTokens: 64 },
  { provider: 'local', pattern: /(?:vllm|sglang|llama|qwen|mistral)/, minimumTokens: 16 },
];

const usual: ProviderProfile = { provider: 'openai', pattern: /^/, minimumTokens: 1_024 };

export function providerProfileFor(model: string): ProviderProfile {
  const name = model.toLowerCase();
  return profiles.find(({ pattern }) => pattern.test(name)) ?? usual;
}
