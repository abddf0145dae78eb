// One turn for an agent: who reads it, what was said, what is said now, what the team works on, who the agent is.
import * as z from 'zod';
import { textField } from '../core/model/input.js';

export const defaultMaxBytes = 768 * 1024;

const name = textField(1024);

const contentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text').describe('words'), text: textField() }),
  z.strictObject({
    type: z.literal('file').describe('a file, by its name'),
    path: textField(4096)
      .refine((path) => path.trim() !== '' && !/[\r\n]/.test(path), { error: 'must be a name on one line' })
      .describe('what the file is called; its bytes are never sent'),
  }),
]);

/** What was said: a text, or texts and files, each on lines of its own. */
export const messageContent = z.union([textField(), z.array(contentPart)]);

export type MessageContent = z.output<typeof messageContent>;

/** Stands in receipts, so it holds no words. */
export const messageIdField = z
  .string()
  .regex(/^[\w.:-]{1,128}$/, { error: 'must be 1 to 128 letters, digits, dots, colons and dashes' });

const contextMessage = z.strictObject({
  id: messageIdField.optional().describe('of the message; lines of the receipt name it'),
  from: name.describe('who said it'),
  to: name.nullish().describe('to whom, if not to everyone'),
  role: textField(64).nullish().describe('of who said it; the reader is told the name instead'),
  timestamp: z
    .union([z.number(), textField(64)])
    .nullish()
    .describe('when it was said; not sent, for messages stand in the order in which they are given'),
  content: messageContent,
  priority: z.int().min(-1000).max(1000).optional().describe('higher stays longer; 0 unless told'),
  pinned: z.boolean().optional().describe('stays word for word; paid before the others'),
});

export const assemblerInput = z.strictObject({
  contextMessages: z.array(contextMessage),
  currentMessage: messageContent,
  code: z
    .array(textField())
    .optional()
    .describe(
      'code found for the task, piece by piece, best first; set in a fence, as text that is not to be obeyed',
    ),
  teamTask: textField().nullish(),
  systemInstruction: z
    .union([textField(), z.array(textField())])
    .nullish()
    .describe('who the agent is; of a list every text stands on a line of its own'),
  instructionFileText: textField().nullish(),
  maxBytes: z.int().nonnegative().default(defaultMaxBytes),
  maxTokens: z
    .int()
    .nonnegative()
    .optional()
    .describe('what prompt and system text may cost together, in place of maxBytes'),
  meter: textField(200)
    .optional()
    .describe(
      'counts for maxTokens: a meter, or the model that reads it; the usual one of the agent unless told',
    ),
  /** How context gives way: message by message, or in hops that keep a provider's cache hitting. */
  trim: z.enum(['exact', 'hops']).default('exact'),
});

/** A message as one text. Files go by reference: a line that names each. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : fileReference(part.path))).join('\n');
}

export const fileReference = (path: string) => `[file: ${path}]`;

/** The system text of an agent as one text. */
export function systemText(instruction: string | readonly string[] | null | undefined): string {
  const parts = typeof instruction === 'string' ? [instruction] : (instruction ?? []);
  return parts.flatMap((part) => part.trim() || []).join('\n');
}

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
