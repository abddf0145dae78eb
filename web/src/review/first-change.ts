// Which change is looked at where the address names none: what `galley review` would take.
import { CallRefused } from '../shell/call.js';
import { usualChanges } from './change.js';
import type { ReviewedChange } from './desk.js';
import { serverDesk } from './server-desk.js';

/** The first that holds anything; where none does, the last but one: the working tree. */
export async function firstChange(asked: ReviewedChange | undefined) {
  const candidates = asked === undefined ? usualChanges : [asked];
  let last: Awaited<ReturnType<typeof one>> | undefined;
  let refusal: unknown;
  for (const change of candidates) {
    try {
      const found = await one(change);
      if (found.changes.entries.length > 0) return found;
      last ??= found;
    } catch (error) {
      // A folder without a base branch or without commits has another change to look at.
      if (!(error instanceof CallRefused) || candidates.length === 1 || error.refusal.code === 'OFFLINE')
        throw error;
      refusal = error;
    }
  }
  if (last === undefined) throw refusal;
  return last;
}

const one = async (change: ReviewedChange) => ({ change, changes: await serverDesk.changes(change) });
