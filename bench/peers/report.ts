// One shape for every benchmark: a table on stdout, the same rows as JSON in bench/results.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

export interface Row {
  readonly promise: string;
  readonly bar: string;
  readonly measured: string;
  readonly reached: boolean;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export function report(name: string, rows: readonly Row[], extra: Record<string, unknown> = {}): void {
  const machine = {
    cores: cpus().length,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    node: process.versions.node,
  };
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(
    `bench/results/${name}.json`,
    `${JSON.stringify({ name, machine, rows, ...extra }, null, 2)}\n`,
  );
  console.log(`\n### ${name} (load ${machine.load} on ${machine.cores} cores, Node ${machine.node})\n`);
  console.log('| promise | bar | measured | reached |\n|---|---|---|---|');
  for (const { promise, bar, measured, reached } of rows) {
    console.log(`| ${promise} | ${bar} | ${measured} | ${reached ? 'yes' : 'no'} |`);
  }
}

/** Milliseconds of one call; the garbage of whoever ran before is not charged to it. */
export async function timed(work: () => unknown): Promise<number> {
  globalThis.gc?.();
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}
