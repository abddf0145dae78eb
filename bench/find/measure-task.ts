// The signals of every file for one task, as the product measures them.
import { openRepository, type Repository } from '../../src/git/repository/open-repository.js';
import { resolveCommit } from '../../src/git/repository/resolve-commit.js';
import { readFindTree } from '../../src/review/find/find-tree.js';
import { measureSignals, type Signals } from '../../src/review/find/task-signals.js';
import { taskWords } from '../../src/review/find/task-words.js';
import { readToldCommits } from '../../src/review/find/told-commits.js';
import { gitDirectory } from '../quality/repositories.js';
import { type Task, tasksOf } from './tasks.js';

export interface MeasuredTask {
  readonly task: Task;
  readonly paths: readonly string[];
  readonly signals: Signals;
}

export async function visitTasks(
  repository: string,
  visit: (measured: MeasuredTask, opened: Repository) => void | Promise<void>,
): Promise<void> {
  const directory = gitDirectory(repository);
  if (directory === undefined) return;
  const opened = await openRepository(directory);
  for (const task of tasksOf(repository)) {
    const { id, tree } = await resolveCommit(opened, task.base);
    const read = await readFindTree(opened, tree, { speaks: () => false, signal: undefined });
    const past = await readToldCommits(opened, id, undefined);
    const { signals } = measureSignals({ task: taskWords(task.query), tree: read, past });
    await visit({ task, paths: read.paths, signals }, opened);
  }
  await opened.close();
}
