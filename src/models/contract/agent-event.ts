// What an agent does while it works, in the same words for all of them. Paths are relative to the folder it works in; what
// lies outside is named as such and no further.
import type { Finish, Usage } from './usage.js';

/** What an agent may do in its folder: look, change files too, run commands too. */
export const permissions = ['read', 'edit', 'run'] as const;

export type Permission = (typeof permissions)[number];

/** How the call of a tool ended; refused: the agent may not. */
export type ToolOutcome = 'done' | 'failed' | 'refused';

export interface FileChange {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'removed';
}

/** `agent`: whose it is, where several work at once. */
export type AgentEvent = AgentDeed & { readonly agent?: string };

type AgentDeed =
  /** The agent is up; with the id it can be resumed by, where its session is kept. */
  | { readonly kind: 'session'; readonly id?: string; readonly model?: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'tool-started';
      readonly id: string;
      readonly tool: string;
      readonly target?: string;
    }
  | {
      readonly kind: 'tool-ended';
      readonly id: string;
      readonly tool: string;
      readonly target?: string;
      readonly outcome: ToolOutcome;
    }
  | ({ readonly kind: 'file-changed' } & FileChange)
  /** `overcome`: told only at the end, when a later call of that tool on that target had been let through. */
  | ({ readonly kind: 'refused'; readonly overcome?: true } & Refusal)
  /** All that was used so far. */
  | ({ readonly kind: 'usage' } & Usage)
  | { readonly kind: 'cost'; readonly dollars: number }
  | {
      readonly kind: 'compacted';
      readonly by: 'itself' | 'request';
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
    }
  | { readonly kind: 'warning'; readonly about: string; readonly message: string }
  | { readonly kind: 'end'; readonly finish: Finish };

/** A tool the agent wanted to use and could not, because it may not. */
export interface Refusal {
  readonly tool: string;
  readonly target?: string;
}
