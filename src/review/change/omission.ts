// A changed file, or a part of one, that is not sent: named with its reason and what it would have added.
import { byCodePoint } from '../../core/model/code-points.js';

export interface Omission {
  readonly path: string;
  readonly reason: string;
  /** Id of the rule behind the reason. */
  readonly rule: string;
  readonly added: number;
  readonly removed: number;
  /** Only some of the file's changed lines are left out. */
  readonly partial?: boolean;
}

/** Git finds out that a file is binary only while comparing it, so this one is made late. */
export function binaryOmission(path: string): Omission {
  return { path, reason: 'binary', rule: 'binary', added: 0, removed: 0 };
}

/** An earlier review has read it, and it did not change since. */
export function isReadBefore({ rule }: Omission): boolean {
  return rule === 'reviewed-before';
}

export function inPathOrder(omissions: readonly Omission[]): Omission[] {
  return [...omissions].sort((a, b) => byCodePoint(a.path, b.path) || byCodePoint(a.rule, b.rule));
}

/** Data that a page shows in part: so many changed lines of it are counted there and not shown. */
export function abridgedOmission(path: string, lines: Pick<Omission, 'added' | 'removed'>): Omission {
  return { path, reason: 'data, shown in part', rule: 'abridged', ...lines, partial: true };
}

export function isAbridged({ rule }: Omission): boolean {
  return rule === 'abridged';
}

const unseen = ['unreadable', 'in-conflict'];

/** There was no content to look at, so nobody knows how many lines are missing. */
export function isUnseen({ rule }: Omission): boolean {
  return unseen.includes(rule);
}

/** Left out though nobody wanted it: a review without such a file is not complete. */
export function isInvoluntary(omission: Omission): boolean {
  return isUnseen(omission) || omission.rule === 'page-too-small';
}
