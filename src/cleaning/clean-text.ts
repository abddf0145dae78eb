// Text as it may leave the machine: secrets taken out, hidden text shown, and where that happened.
import type { FinishHits } from '../core/model/fragment.js';
import { type HiddenKind, lineIndexes, neutralise } from './hidden-text.js';
import { redact } from './redact.js';

export interface PlacedHit {
  /** One-based; absent for what stands on every page. */
  readonly page?: number;
  /** Absent for what stands beside the diff: rules, instructions, messages of linters. */
  readonly path?: string;
  readonly side?: 'new' | 'old';
  /** Absent above the hunks and outside of the diff. */
  readonly line?: number;
}

export interface Redaction extends PlacedHit {
  readonly rule: string;
}

export interface HiddenText extends PlacedHit {
  readonly kind: HiddenKind;
  readonly count: number;
}

export interface CleanText {
  readonly text: string;
  readonly redactions: readonly Redaction[];
  readonly hidden: readonly HiddenText[];
  /** Whether anything was replaced: such a piece reads right and no longer applies. */
  readonly altered: boolean;
}

export function cleanText(text: string, at: PlacedHit = {}): CleanText {
  return cleanLines(text, '', () => at);
}

/** What was done to a text, by its kind, as a line of the ledger tells it. */
export function hitsOf({ redactions, hidden }: Pick<CleanText, 'redactions' | 'hidden'>): FinishHits {
  const hits: Record<string, number> = {};
  for (const { rule } of redactions) hits[`secret:${rule}`] = (hits[`secret:${rule}`] ?? 0) + 1;
  for (const { kind, count } of hidden) hits[`hidden:${kind}`] = (hits[`hidden:${kind}`] ?? 0) + count;
  return hits;
}

/** `path` says what kind of file the text is from; `placeOf` where its zero-based lines stand. */
export function cleanLines(text: string, path: string, placeOf: (lineIndex: number) => PlacedHit): CleanText {
  const { text: safe, hits } = redact(text, path);
  const shown = neutralise(safe, path);
  const lines = lineIndexes(
    text,
    hits.map(({ offset }) => offset),
  );
  return {
    text: shown.text,
    redactions: hits.map(({ rule }, at) => ({ ...placeOf(lines[at] ?? 0), rule })),
    hidden: shown.hits.map(({ kind, count, lineIndex }) => ({ ...placeOf(lineIndex), kind, count })),
    altered: hits.length > 0 || shown.changed,
  };
}
