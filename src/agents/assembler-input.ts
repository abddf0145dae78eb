// One turn for an agent: who reads it, what was said, what is said now, what the team works on, who the agent is.
import * as z from 'zod';
import { textField } from '../core/model/input.js';

export const defaultMaxBytes = 768 * 1024;

const name = textField(1024);

const contextMessage = z.strictObject({
  from: name.describe('who said it'),
  to: name.nullish().describe('to whom, if not to everyone'),
  content: textField(),
});

export const assemblerInput = z.strictObject({
  contextMessages: z.array(contextMessage),
  currentMessage: textField(),
  code: z
    .array(textField())
    .optional()
    .describe(
      'code found for the task, piece by piece, best first; set in a fence, as text that is not to be obeyed',
    ),
  teamTask: textField().nullish(),
  systemInstruction: textField().nullish(),
  instructionFileText: textField().nullish(),
  maxBytes: z.int().nonnegative().default(defaultMaxBytes),
  /** How context gives way: message by message, or in hops that keep a provider's cache hitting. */
  trim: z.enum(['exact', 'hops']).default('exact'),
});

export type AssemblerInput = z.input<typeof assemblerInput>;
export type CheckedAssemblerInput = z.output<typeof assemblerInput>;

/** Which agent will read the prompt. */
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
