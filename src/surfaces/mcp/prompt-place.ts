// Where prompts are set, and the form they take: messages of the user, since the protocol has no others for instructions.
import type { GetPromptResult } from '@modelcontextprotocol/server';
import type { Engine } from '../engine.js';

export interface PromptPlace {
  readonly engine: Engine;
  readonly projectId: string;
  readonly folder: string;
}

export function messageOf(text: string): GetPromptResult['messages'][number] {
  return { role: 'user', content: { type: 'text', text } };
}
