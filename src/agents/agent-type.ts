// Which agent will read the prompt.

export const agentTypes = ['claude-code', 'openai-codex', 'google-gemini', 'unknown'] as const;

export type AgentType = (typeof agentTypes)[number];

const aliases: ReadonlyMap<string, AgentType> = new Map([
  ['claude', 'claude-code'],
  ['codex', 'openai-codex'],
  ['gemini', 'google-gemini'],
]);

/** Any name nobody here knows is a plain reader. */
export function agentTypeOf(name: string): AgentType {
  return aliases.get(name) ?? agentTypes.find((type) => type === name) ?? 'unknown';
}
