// How long may the words of a skill be, and what may not stand in them?

export interface SkillPatterns {
  readonly max: number;
  readonly refuse: RegExp;
}

export const skillLimits = {
  name: { max: 64, refuse: /[\p{Cc}\u2028\u2029]/u },
  description: { max: 1024, refuse: /(?![\n\t])\p{Cc}/u },
} as const satisfies Record<string, SkillPatterns>;

/** The rule of the public skill format; other names work here but not in every reader. */
export const publicName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const publicFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);

export const ownFields: ReadonlySet<string> = new Set([
  'context_rules',
  'recipe',
  'prompt',
  'budget_tokens',
  'output',
]);
