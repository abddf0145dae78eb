// What an agent does while it works, in the same words for all of them. Paths are relative to the folder it works in; what
// lies outside is named as such and no further.
import type { Finish, Usage } from './model.js';

/** What an agent may do in its folder: look, change files too, run commands too. */
export const permissions = ['read', 'edit', 'run'] as const;

export type Permission = (typeof permissions)[number];

export type AgentEvent =
  /** The agent is up; with the id it can be resumed by, where it has one. */
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
      readonly outcome: 'done' | 'failed' | 'refused';
    }
  | {
      readonly kind: 'file-changed';
      readonly path: string;
      readonly change: 'created' | 'changed' | 'removed';
    }
  | ({ readonly kind: 'refused' } & Refusal)
  | ({ readonly kind: 'usage' } & Usage)
  | { readonly kind: 'cost'; readonly dollars: number }
  | {
      readonly kind: 'compacted';
      readonly by: 'itself' | 'request';
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
    }
  | { readonly kind: 'warning'; readonly about: string }
  | { readonly kind: 'end'; readonly finish: Finish };

/** A tool the agent wanted to use and could not, because it may not. */
export interface Refusal {
  readonly tool: string;
  readonly target?: string;
}
