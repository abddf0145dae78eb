// Left out though nobody wanted it: a review without such a file is not complete, while pruned ones are left out on purpose.
import type { Omission } from './omission.js';

const unseen = ['unreadable', 'in-conflict'];

/** There was no content to look at, so nobody knows how many lines are missing. */
export function isUnseen({ rule }: Omission): boolean {
  return unseen.includes(rule);
}

export function isInvoluntary(omission: Omission): boolean {
  return isUnseen(omission) || omission.rule === 'page-too-small';
}
