// Recall by budget: one table for each task, macro first, then every repository; and the means as data.

import { seededRandom } from '../peers/random.js';

export const budgets = [1000, 2000, 4000, 8000, 16_000, 32_000] as const;

export interface Cell {
  readonly repository: string;
  /** Which question, so that methods are compared on the same one. */
  readonly instance: string;
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
      const means = budgets.map((_, index) => average(row.map((one) => one[index]!)));
      const pooled = budgets.map((budget) => mean(ours, { method, budget }));
      console.log(`| ${[method, ...[means, ...row, pooled].map(show)].join(' | ')} |`);
    }
  }
}

const draws = 1000;

/** How far one method lies above the strongest other one, by the mean over repositories; 95 % by drawing repositories and their questions again. */
export function printLeads(cells: readonly Cell[], method: string): void {
  console.log(
    `\n## ${method} above the strongest other method\n\n| task | budget | strongest | lead | 95 % |`,
  );
  console.log('|---|---|---|---|---|');
  for (const task of new Set(cells.map((cell) => cell.task)))
    for (const budget of budgets) {
      const here = cells.filter((cell) => cell.task === task && cell.budget === budget);
      const others = [...new Set(here.map((cell) => cell.method))].filter((one) => one !== method);
      const macroOf = (one: string) => macro(byRepository(here, one));
      const strongest = others.reduce((best, one) => (macroOf(one) > macroOf(best) ? one : best));
      const ours = new Map(
        here.filter((cell) => cell.method === method).map((cell) => [cell.instance, cell.score]),
      );
      const paired = byRepository(here, strongest, (cell) => ours.get(cell.instance)! - cell.score);
      const [low, high] = interval(paired);
      const lead = signed(macro(paired));
      console.log(`| ${task} | ${budget} | ${strongest} | ${lead} | ${signed(low)} to ${signed(high)} |`);
    }
}

function byRepository(cells: readonly Cell[], method: string, take = (cell: Cell) => cell.score): number[][] {
  const groups = new Map<string, number[]>();
  for (const cell of cells)
    if (cell.method === method)
      groups.set(cell.repository, [...(groups.get(cell.repository) ?? []), take(cell)]);
  return [...groups.values()];
}

function macro(groups: readonly (readonly number[])[]): number {
  return average(groups.map(average));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function interval(groups: readonly (readonly number[])[]): [number, number] {
  const random = seededRandom(20_261_116);
  const again = <Value>(values: readonly Value[]): Value[] =>
    values.map(() => values[Math.floor(random() * values.length)]!);
  const means = Array.from({ length: draws }, () => macro(again(groups).map(again))).toSorted(
    (a, b) => a - b,
  );
  return [means[Math.floor(draws * 0.025)]!, means[Math.floor(draws * 0.975)]!];
}

function signed(value: number): string {
  return `${value < 0 ? '\u2212' : '+'}${Math.abs(value).toFixed(3).replace(/^0/u, '')}`;
}

function mean(cells: readonly Cell[], wanted: Partial<Cell>): number {
  const scores = cells
    .filter((cell) => Object.entries(wanted).every(([key, value]) => cell[key as keyof Cell] === value))
    .map((cell) => cell.score);
  return average(scores);
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
    return {
      task,
      repository,
      method,
      budget: Number(budget),
      instances: scores.length,
      recall: Number(average(scores).toFixed(4)),
    };
  });
}
