// What an agent did in a turn, gathered from its events: what it was refused and never got, which files it changed, what it cost.
import type { AgentEvent, FileChange, Refusal } from '../../models/contract/agent-event.js';

export interface TurnDeeds {
  /** Those for which no later call of that tool on that target was let through. */
  readonly refusals: readonly Refusal[];
  /** By its file tools; what its commands changed it does not say. */
  readonly filesChanged: readonly FileChange[];
  /** To resume it by, where it was to be kept. */
  readonly session?: string;
  /** As the CLI counts it, or by the prices known here. */
  readonly cost?: { readonly dollars: number };
}

interface WatchedTurn {
  onEvent(event: AgentEvent): void;
  deeds(): TurnDeeds;
}

export function watchTurn(listener: ((event: AgentEvent) => void) | undefined): WatchedTurn {
  let refusals: Refusal[] = [];
  const files = new Map<string, FileChange['change']>();
  let session: string | undefined;
  let dollars: number | undefined;
  const note = (event: AgentEvent) => {
    switch (event.kind) {
      case 'refused':
        if (!event.overcome && !refusals.some((known) => isSame(known, event)))
          refusals.push({
            tool: event.tool,
            ...(event.target === undefined ? {} : { target: event.target }),
          });
        return;
      case 'tool-ended':
        if (event.outcome === 'done') refusals = refusals.filter((refusal) => !isSame(refusal, event));
        return;
      case 'file-changed':
        noteChange(files, event);
        return;
      case 'session':
        session = event.id ?? session;
        return;
      case 'cost':
        dollars = event.dollars;
        return;
      default:
        return;
    }
  };
  return {
    onEvent(event) {
      note(event);
      listener?.(event);
    },
    deeds: () => ({
      refusals,
      filesChanged: [...files].map(([path, change]) => ({ path, change })),
      ...(session === undefined ? {} : { session }),
      ...(dollars === undefined ? {} : { cost: { dollars } }),
    }),
  };
}

/** How often each tool stayed refused, for a record that holds no words of anybody. */
export function refusedTools(refusals: readonly Refusal[]): { tool: string; times: number }[] {
  const times = new Map<string, number>();
  for (const { tool } of refusals) times.set(tool, (times.get(tool) ?? 0) + 1);
  return [...times].map(([tool, count]) => ({ tool, times: count }));
}

const isSame = (one: Refusal, other: Refusal) => one.tool === other.tool && one.target === other.target;

/** What is left of several changes of one file, against what was there before the turn. */
function noteChange(files: Map<string, FileChange['change']>, { path, change }: FileChange): void {
  const before = files.get(path);
  if (before === 'created' && change === 'removed') files.delete(path);
  else if (before === 'removed' && change === 'created') files.set(path, 'changed');
  else files.set(path, before === 'created' ? 'created' : change);
}
