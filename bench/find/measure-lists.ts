// Methods on the same tasks, repository by repository: those that teach with weights learned without the one at hand, then those that
// were never learned from. As a table, with the lead of one method over each other and its 95 % interval, in points.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { heldOut, teaching } from './tasks.js';

/** Of one task: what each method reaches, column by column. */
export type Scores = Record<string, readonly number[]>;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Repositories are drawn, not tasks: what holds on one repository says little about the next. */
function drawnInterval(differences: readonly (readonly number[])[]): string {
  let state = 12_345;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const draws = Array.from({ length: 2_000 }, () =>
    mean(differences.map(() => mean(differences[Math.floor(next() * differences.length)] ?? [0]))),
  ).sort((a, b) => a - b);
  const points = (value: number | undefined) => (100 * (value ?? 0)).toFixed(1);
  return `${points(mean(differences.map(mean)))} [${points(draws[50])}, ${points(draws[1950])}]`;
}

interface Comparison<Weights> {
  /** The bench, for whoever has no copies of the repositories. */
  readonly name: string;
  /** Of the first column, and of the others. */
  readonly heading: string;
  readonly columns: readonly number[];
  /** Whose lead is told, and what is said of each repository as it ends. */
  readonly ours: string;
  readonly told: readonly string[];
  /** In bench/results: learned once without each repository that may teach. */
  readonly learned: string;
  /** For repositories that taught nothing. */
  readonly weights: Weights;
  measure(repository: string, weights: Weights): Promise<readonly Scores[]>;
}

const lists = { 'each without itself': teaching, 'never learned from': heldOut } as const;

/** `only`: how the list begins that alone is wanted. */
export async function measureLists<Weights>(
  comparison: Comparison<Weights>,
  only: string | undefined,
): Promise<void> {
  const { name, columns, told, weights, measure } = comparison;
  const file = join('bench', 'results', comparison.learned);
  const learned = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Weights>;
  for (const [title, repositories] of Object.entries(lists)) {
    if (only !== undefined && !title.startsWith(only)) continue;
    const measured: (readonly Scores[])[] = [];
    for (const repository of repositories) {
      const own = repositories === teaching ? (learned[repository] ?? weights) : weights;
      const rows = await measure(repository, own);
      if (rows.length === 0) continue;
      measured.push(rows);
      const cells = told.map((method) => {
        const means = columns.map((_, k) => mean(rows.map((row) => row[method]![k]!)).toFixed(2));
        return `${method} ${means.join('/')}`;
      });
      console.error(`${repository}: ${rows.length} tasks, ${cells.join(', ')}`);
    }
    if (measured.length === 0)
      console.log(
        `${name}: no copies of repositories found (${title}); name their folder in GALLEY_MIRRORS.`,
      );
    else printLeads(title, comparison, measured);
  }
}

function printLeads(
  title: string,
  { heading, columns, ours }: Pick<Comparison<never>, 'heading' | 'columns' | 'ours'>,
  measured: readonly (readonly Scores[])[],
): void {
  console.log(`\n${title}: ${measured.length} repositories, ${measured.flat().length} tasks\n`);
  console.log(`| ${heading} | ${columns.join(' | ')} |\n|---${'|---'.repeat(columns.length)}|`);
  const names = Object.keys(measured[0]?.[0] ?? {});
  for (const name of names) {
    const cells = columns.map((_, k) =>
      mean(measured.map((rows) => mean(rows.map((row) => row[name]![k]!)))).toFixed(3),
    );
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  for (const peer of names.filter((name) => name !== ours)) {
    const cells = columns.map((_, k) =>
      drawnInterval(measured.map((rows) => rows.map((row) => row[ours]![k]! - row[peer]![k]!))),
    );
    console.log(`| points over ${peer} | ${cells.join(' | ')} |`);
  }
}
