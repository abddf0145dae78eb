// The assemblers by name, for callers that hold one per agent.

import { assembleTurn } from './assemble-turn.js';
import type { AgentType, AssemblerInput } from './assembler-input.js';

export interface AssemblerOutput {
  prompt: string;
  systemFlag?: string | undefined;
}

export interface ContextAssembler {
  getAgentType(): AgentType;
  assemble(input: AssemblerInput): AssemblerOutput;
}

function assemblerFor(agentType: AgentType) {
  return class implements ContextAssembler {
    getAgentType(): AgentType {
      return agentType;
    }

    assemble(input: AssemblerInput): AssemblerOutput {
      const { prompt, systemFlag } = assembleTurn(agentType, input);
      return { prompt, systemFlag };
    }
  };
}

export class ClaudeContextAssembler extends assemblerFor('claude-code') {}
export class CodexContextAssembler extends assemblerFor('openai-codex') {}
export class GeminiContextAssembler extends assemblerFor('google-gemini') {}
export class PlainContextAssembler extends assemblerFor('unknown') {}
