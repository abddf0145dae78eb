// A turn of an agent as it is heard: what it said so far, what it did, what it was refused, what it used.
import type { AgentEvent, FileChange, ToolOutcome } from '../../../src/models/contract/agent-event.js';
import type { Usage } from '../../../src/models/contract/usage.js';

export type Deed =
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly tool: string;
      readonly target?: string;
      /** Absent while it is at work. */
      readonly outcome?: ToolOutcome | 'overcome';
    }
  | ({ readonly kind: 'file' } & FileChange)
  | { readonly kind: 'warning'; readonly about: string; readonly message: string }
  | { readonly kind: 'compacted' };

export interface Turn {
  readonly standing: 'speaking' | 'ended' | 'cancelled' | 'failed';
  /** Who speaks, where that was said. */
  readonly agent?: string;
  readonly sums: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly deeds: readonly Deed[];
  readonly usage?: Usage;
  readonly dollars?: number;
  readonly error?: unknown;
}

export const begun = ({ agent, sums = false }: { agent?: string; sums?: boolean }): Turn => ({
  ...{ standing: 'speaking', sums, text: '', reasoning: '', deeds: [] },
  ...(agent === undefined ? {} : { agent }),
});

export function heard(turn: Turn, event: AgentEvent): Turn {
  switch (event.kind) {
    case 'reasoning':
      return { ...turn, reasoning: turn.reasoning + event.text };
    case 'tool-started':
    case 'tool-ended':
      return { ...turn, deeds: withTool(turn.deeds, event) };
    case 'file-changed':
      return { ...turn, deeds: [...turn.deeds, { kind: 'file', path: event.path, change: event.change }] };
    case 'refused':
      return { ...turn, deeds: withRefusal(turn.deeds, event) };
    case 'warning':
      return { ...turn, deeds: [...turn.deeds, { ...event }] };
    case 'compacted':
      return { ...turn, deeds: [...turn.deeds, { kind: 'compacted' }] };
    case 'usage': {
      const { kind: _, ...usage } = event;
      return { ...turn, usage };
    }
    case 'cost':
      return { ...turn, dollars: event.dollars };
    default:
      return turn;
  }
}

type ToolEvent = Extract<AgentEvent, { kind: 'tool-started' | 'tool-ended' }>;

/** The end of a tool stands where its beginning stood. */
function withTool(deeds: readonly Deed[], event: ToolEvent): Deed[] {
  const { id, tool, target } = event;
  const deed: Deed = {
    ...{ kind: 'tool', id, tool },
    ...(target === undefined ? {} : { target }),
    ...(event.kind === 'tool-ended' ? { outcome: event.outcome } : {}),
  };
  const at = deeds.findIndex((other) => other.kind === 'tool' && other.id === id);
  return at === -1 ? [...deeds, deed] : deeds.with(at, deed);
}

/** What was refused is told by the tool as well; it is one line, unless the tool never spoke of it. */
function withRefusal(deeds: readonly Deed[], event: Extract<AgentEvent, { kind: 'refused' }>): Deed[] {
  const { tool, target, overcome } = event;
  const outcome = overcome === true ? 'overcome' : 'refused';
  const at = deeds.findIndex(
    (other) =>
      other.kind === 'tool' &&
      other.tool === tool &&
      other.target === target &&
      (other.outcome === 'refused' || other.outcome === undefined),
  );
  const told = deeds[at];
  if (told?.kind === 'tool') return deeds.with(at, { ...told, outcome });
  const refused = { kind: 'tool', id: `refused ${deeds.length}`, tool, outcome } as const;
  return [...deeds, { ...refused, ...(target === undefined ? {} : { target }) }];
}
