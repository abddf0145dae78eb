// What a reviewer gets for one unit. Field names are a contract with reviewers.
import type { ContextLevel, ExtraRequest, RequestType } from '../plan/context-need.js';
import type { Snippet } from '../units/snippet.js';

/** A place that a request found; its text stands in a snippet unless the answer had no room for it. */
export interface FoundPlace {
  readonly type: RequestType;
  readonly subject: string;
  readonly path: string;
  readonly line: number;
  readonly within?: string;
  readonly certainty: 'certain' | 'possible';
}

export interface RequestReport {
  readonly type: RequestType;
  readonly subject?: string;
  readonly total: number;
  readonly shown: number;
  /** Places with the word in files that were not opened. */
  readonly unchecked?: number;
  /** What a reader should know: nothing found, or more than shown. */
  readonly note?: string;
}

export interface ContextBundle {
  readonly unit_id: string;
  readonly meta: {
    readonly file_path: string;
    readonly location: string;
    readonly tags: readonly string[];
  };
  readonly final_context_level: ContextLevel;
  /** What the plan asked for, where the budget allowed only less. */
  readonly planned_context_level?: ContextLevel;
  readonly extra_requests: readonly ExtraRequest[];
  readonly diff: string;
  readonly function_context: string | null;
  readonly file_context: string | null;
  readonly full_file: string | null;
  readonly previous_version: string | null;
  readonly callers: readonly FoundPlace[];
  readonly search_results: readonly FoundPlace[];
  readonly requests: readonly RequestReport[];
  readonly snippets: readonly Snippet[];
}
