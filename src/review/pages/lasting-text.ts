// What a project says to every page of a review: its rules, the instructions of a skill, and what moved inside lockfiles.
import type { Warning } from '../../core/model/error.js';
import type { ReviewRoom } from '../changes/review-room.js';
import { type DependencyChange, summariseLockfiles } from '../prune/lockfile-summary.js';
import { type ProjectRule, readProjectRules } from './project-rules.js';
import type { SkillInstructions } from './skill-instructions.js';

export interface LastingText {
  readonly rules: readonly ProjectRule[];
  readonly instructions?: string;
  readonly dependencies: readonly DependencyChange[];
  readonly warnings: readonly Warning[];
}

/** `rulesFrom` is the tree the rules of the project are read from. */
export async function readLastingText(
  room: ReviewRoom,
  { folder, rulesFrom }: { readonly folder: string; readonly rulesFrom: string },
): Promise<LastingText> {
  const { request, kept, repository, change } = room;
  const paths = kept.map(({ path }) => path);
  const folders = [folder, ...(repository.topLevel === undefined ? [] : [repository.topLevel])];
  const dependencies = request.lockfileSummary
    ? await summariseLockfiles(repository, change.entries, room.omitted)
    : [];
  return {
    rules: await readProjectRules(repository, rulesFrom, paths),
    ...(await instructionsOf(room, folders)),
    dependencies,
  };
}

async function instructionsOf(room: ReviewRoom, folders: readonly string[]): Promise<SkillInstructions> {
  if (room.request.skill === undefined && room.config.skill === undefined) return { warnings: [] };
  const { instructionsFor } = await import('./skill-instructions.js');
  return instructionsFor(room, folders);
}
