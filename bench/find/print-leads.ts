// What methods reach on the same tasks as a table, and the lead of one of them over each other with its 95 % interval, in points.

/** Of one task: what each method reaches, column by column. */
export type Scores = Record<string, readonly number[]>;

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

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

interface Table {
  readonly title: string;
  /** Of the first column, and of the others. */
  readonly heading: string;
  readonly columns: readonly number[];
  /** Whose lead is told. */
  readonly ours: string;
}

export function printLeads(
  { title, heading, columns, ours }: Table,
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
