// How many cases a sweep runs: a part of them in every run, all of them in `npm run test:nightly`. Only this file reads which of the
// two it is; seeds are fixed, so that the cases of either are the same everywhere.
import { appendFileSync } from 'node:fs';

/** The file in which a nightly run notes its figures. */
const figures = process.env.GALLEY_NIGHTLY;

export const isNightly = figures !== undefined;

export function sweepSize(
  name: string,
  size: { readonly everyRun: number; readonly nightly: number },
): number {
  return noted(name, isNightly ? size.nightly : size.everyRun);
}

/** All of them, or so many spread evenly from the first to the last. */
export function sweepOver<T>(name: string, cases: readonly T[], everyRun: number): readonly T[] {
  const step = (cases.length - 1) / Math.max(1, everyRun - 1);
  const some =
    isNightly || cases.length <= everyRun
      ? cases
      : Array.from({ length: everyRun }, (_, nth) => cases[Math.round(nth * step)] as T);
  noted(name, some.length);
  return some;
}

function noted(name: string, count: number): number {
  if (figures !== undefined) appendFileSync(figures, `${JSON.stringify({ name, count })}\n`);
  return count;
}
