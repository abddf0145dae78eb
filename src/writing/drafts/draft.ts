// A draft is a text that a skill wrote for a place of a chapter, as the chapter was then. A step is what once happened to a chapter.
import { hashText } from '../../meters/content-hash.js';
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

/** Pieces of a draft that stand in the chapter. */
export interface AppliedPieces {
  readonly numbers: ReadonlySet<number>;
  /** Of how many; 0 while none was applied. */
  readonly of: number;
}

/** Those applied and not undone, by the text the draft has now. */
export function appliedPieces({ name, text }: Draft, steps: readonly Step[]): AppliedPieces {
  const textHash = hashText(text);
  const own = standingSteps(steps).filter(
    ({ kind, draft, draftText }) => kind === 'apply' && draft === name && draftText === textHash,
  );
  return { numbers: new Set(own.flatMap(({ pieces }) => pieces ?? [])), of: own.at(-1)?.of ?? 0 };
}

export function stateOf({ isDiscarded }: Draft, { numbers, of }: AppliedPieces): DraftState {
  if (numbers.size > 0 && numbers.size >= of) return 'applied';
  // What of it stands in the chapter stays there; the rest is put aside.
  if (isDiscarded) return 'discarded';
  return numbers.size > 0 ? 'partly applied' : 'open';
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
