// The pieces of the files that code:find opens for a task, as the product measures them, and the places its fix touched.
import { openRepository, type Repository } from '../../src/git/repository/open-repository.js';
import { resolveCommit } from '../../src/git/repository/resolve-commit.js';
import { openedFiles } from '../../src/review/find/find-code.js';
import { readFindTree } from '../../src/review/find/find-tree.js';
import { rankTaskFiles, type TaskFile } from '../../src/review/find/rank-task-files.js';
import { taskWords, termsIn } from '../../src/review/find/task-words.js';
import type { PieceQuestion } from '../../src/review/find/telling-pieces.js';
import { readToldCommits } from '../../src/review/find/told-commits.js';
import { openFiles } from '../../src/review/units/changed-file.js';
import { gitDirectory } from '../quality/repositories.js';
import { type GoldHunk, goldHunks } from './gold-lines.js';
import { type Task, tasksOf } from './tasks.js';

export interface PieceTask {
  readonly task: Task;
  readonly hunks: readonly GoldHunk[];
  readonly files: readonly TaskFile[];
  readonly question: PieceQuestion;
}

const listed = 20;

/** Fixes only: an issue names no commit whose lines could be looked for. */
export async function visitPieces(
  repository: string,
  visit: (found: PieceTask, opened: Repository) => Promise<void>,
): Promise<void> {
  const directory = gitDirectory(repository);
  if (directory === undefined) return;
  const opened = await openRepository(directory);
  for (const task of tasksOf(repository)) {
    const hunks = goldHunks(task);
    if (hunks.length === 0) continue;
    const words = taskWords(task.query);
    const { id, tree: treeId } = await resolveCommit(opened, task.base);
    const speaks = (path: string) => termsIn(path).some((term) => words.weights.has(term));
    const tree = await readFindTree(opened, treeId, { speaks, signal: undefined });
    const past = await readToldCommits(opened, id, undefined);
    const ranked = rankTaskFiles({ task: words, tree, past }, { from: 1, limit: listed });
    const files = ranked.files.map((file) => ({ ...file, why: ranked.why(file.path, new Set()) }));
    const read = files.slice(0, openedFiles).map(({ path }) => ({ path, blob: tree.blobs.get(path)! }));
    const question = {
      task: words,
      rarity: ranked.rarity,
      opened: await openFiles(opened, read, undefined),
      isTest: (path: string) => tree.isTest[tree.places.get(path)!]!,
    };
    await visit({ task, hunks, files, question }, opened);
  }
  await opened.close();
}
