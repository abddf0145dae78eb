// Recall by budget: one table for each task, macro first, then every repository; and the means as data.

export const budgets = [1000, 2000, 4000, 8000] as const;

export interface Cell {
  readonly repository: string;
  readonly task: string;
  readonly method: string;
  readonly budget: number;
  readonly score: number;
}

export function printTables(cells: readonly Cell[]): void {
  for (const task of new Set(cells.map((cell) => cell.task))) {
    const ours = cells.filter((cell) => cell.task === task);
    const repositories = [...new Set(ours.map((cell) => cell.repository))];
    const methods = [...new Set(ours.map((cell) => cell.method))];
    console.log(`\n## ${task}\n`);
    console.log(`| method | ${['macro', ...repositories].join(' | ')} | pooled |`);
    console.log(`|---${'|---'.repeat(repositories.length + 2)}|`);
    for (const method of methods) {
      const row = repositories.map((repository) =>
        budgets.map((budget) => mean(ours, { repository, method, budget })),
      );
      const macro = budgets.map((_, index) => row.reduce((sum, one) => sum + one[index]!, 0) / row.length);
      const pooled = budgets.map((budget) => mean(ours, { method, budget }));
      console.log(`| ${[method, ...[macro, ...row, pooled].map(show)].join(' | ')} |`);
    }
  }
}

function mean(cells: readonly Cell[], wanted: Partial<Cell>): number {
  const scores = cells
    .filter((cell) => Object.entries(wanted).every(([key, value]) => cell[key as keyof Cell] === value))
    .map((cell) => cell.score);
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
}

function show(values: readonly number[]): string {
  return values.map((value) => value.toFixed(3).replace(/^0/u, '')).join(' / ');
}

/** One mean for each task, repository, method and budget. */
export function summarise(all: readonly Cell[]): object[] {
  const groups = new Map<string, number[]>();
  for (const cell of all) {
    const key = [cell.task, cell.repository, cell.method, cell.budget].join('\t');
    groups.set(key, [...(groups.get(key) ?? []), cell.score]);
  }
  return [...groups].map(([key, scores]) => {
    const [task, repository, method, budget] = key.split('\t');
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return {
      task,
      repository,
      method,
      budget: Number(budget),
      instances: scores.length,
      recall: Number(mean.toFixed(4)),
    };
  });
}
