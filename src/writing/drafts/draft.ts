// A draft is a text that a skill wrote for a place of a chapter, as the chapter was then. A step is what once happened to a chapter.
import type { Step } from './steps.js';

export interface Draft {
  /** Short and readable: the chapter, the skill, the number. */
  readonly name: string;
  /** Counts the drafts of the project from 1 on and is never used twice. */
  readonly number: number;
  readonly documentId: string;
  readonly skillId: string;
  readonly model: string;
  readonly createdAt: number;
  /** Code points of the chapter it was made from; an empty range is a place to insert at. */
  readonly start: number;
  readonly end: number;
  /** SHA-256 of the chapter it was made from. */
  readonly base: string;
  readonly isDiscarded: boolean;
  /** The number of the first draft of the same run, where there are several. */
  readonly variantOf?: number;
  readonly runId?: string;
  readonly text: string;
}

export type DraftState = 'open' | 'partly applied' | 'applied' | 'discarded';

/** Which of its pieces stand in the chapter: those applied and not undone, by the text it has now. */
export function appliedPieces(draft: Draft, textHash: string, steps: readonly Step[]): ReadonlySet<number> {
  const applied = new Set<number>();
  for (const step of standingSteps(steps)) {
    if (step.kind !== 'apply' || step.draft !== draft.name || step.draftText !== textHash) continue;
    for (const piece of step.pieces ?? []) applied.add(piece);
  }
  return applied;
}

export function stateOf(draft: Draft, pieces: number, applied: ReadonlySet<number>): DraftState {
  if (applied.size > 0) return applied.size >= pieces ? 'applied' : 'partly applied';
  return draft.isDiscarded ? 'discarded' : 'open';
}

/** Changes that happened and were not undone, oldest first. */
export function standingSteps(steps: readonly Step[]): Step[] {
  const undone = new Set(steps.flatMap(({ undoes }) => (undoes === undefined ? [] : [undoes])));
  return steps.filter(({ id, kind }) => (kind === 'apply' || kind === 'restore') && !undone.has(id));
}

/** A name that is a file's name everywhere. */
export function draftName(documentId: string, skillId: string, number: number): string {
  const stem = (documentId.split('/').at(-1) ?? '').replace(/\.(md|markdown|txt)$/iu, '');
  const words = [stem, skillId].map((word) =>
    [...word.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-')]
      .slice(0, 40)
      .join('')
      .replace(/^-+|-+$/g, ''),
  );
  return [...words.filter((word) => word !== ''), number].join('-');
}
