// From how many tokens on each provider keeps a prefix. Written down here a second time on purpose: what is compared with a
// prediction must not be taken from it.

const anthropic: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:opus-4-[5-9]|haiku-4-5)/, 4096],
  [/claude-(?:3-5-haiku|3-haiku|haiku-3)/, 2048],
];

export function anthropicMinimum(model: string): number {
  return anthropic.find(([pattern]) => pattern.test(model))?.[1] ?? 1024;
}

export function geminiMinimum(model: string): number {
  return /pro/.test(model) ? 4096 : 2048;
}
