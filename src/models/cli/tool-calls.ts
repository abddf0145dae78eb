// The calls of an agent's tools from their start to their end: who was started under which id, and what was refused, told once.
import type { AgentEvent, ToolOutcome } from '../contract/agent-event.js';
import { shown } from './tool-target.js';

export interface StartedTool {
  readonly id: string;
  readonly tool: string;
  readonly target?: string | undefined;
}

export interface ToolCalls {
  start(tool: StartedTool): AgentEvent[];
  started(id: string): StartedTool | undefined;
  end(id: string, outcome: ToolOutcome): AgentEvent[];
  /** It was refused, which its end did not say. */
  refuse(id: string): AgentEvent[];
}

export function toolCalls(): ToolCalls {
  const calls = new Map<string, StartedTool>();
  const refused = new Set<string>();
  const refuse = (id: string): AgentEvent[] => {
    const call = calls.get(id);
    if (call === undefined || refused.has(id)) return [];
    refused.add(id);
    return [{ kind: 'refused', tool: call.tool, ...targetOf(call) }];
  };
  return {
    start(given) {
      if (calls.has(given.id)) return [];
      const call = { ...given, tool: shown(given.tool, 100) };
      calls.set(call.id, call);
      return [{ kind: 'tool-started', id: call.id, tool: call.tool, ...targetOf(call) }];
    },
    started: (id) => calls.get(id),
    end(id, outcome) {
      const call = calls.get(id);
      if (call === undefined) return [];
      const ended = { kind: 'tool-ended' as const, id, tool: call.tool, ...targetOf(call), outcome };
      return outcome === 'refused' ? [ended, ...refuse(id)] : [ended];
    },
    refuse,
  };
}

function targetOf({ target }: StartedTool): { target?: string } {
  return target === undefined ? {} : { target };
}
