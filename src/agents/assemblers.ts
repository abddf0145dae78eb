// The assemblers by name, for callers that hold one per agent.

import type { Meter } from '../core/model/meter.js';
import { assembleTurn } from './assemble-turn.js';
import type { AgentType, AssemblerInput } from './assembler-input.js';

export interface AssemblerOutput {
  prompt: string;
  systemFlag?: string | undefined;
}

export interface ContextAssembler {
  getAgentType(): AgentType;
  /** A turn with `maxTokens` needs the meter that counts them. */
  assemble(input: AssemblerInput, options?: { readonly meter?: Meter }): AssemblerOutput;
}

function assemblerFor(agentType: AgentType) {
  return class implements ContextAssembler {
    getAgentType(): AgentType {
      return agentType;
    }

    assemble(input: AssemblerInput, { meter }: { readonly meter?: Meter } = {}): AssemblerOutput {
      const { prompt, systemFlag } = assembleTurn(agentType, input, { meter });
      return { prompt, systemFlag };
    }
  };
}

export class ClaudeContextAssembler extends assemblerFor('claude-code') {}
export class CodexContextAssembler extends assemblerFor('openai-codex') {}
export class GeminiContextAssembler extends assemblerFor('google-gemini') {}
export class PlainContextAssembler extends assemblerFor('unknown') {}
