// Room that is left when the whole change stands on its pages: data that would be shown in part is shown whole there, then files
// that nobody writes by hand. Neither opens a page.
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { groupBy } from '../change/group-by.js';
import { isAbridged } from '../change/omission.js';
import { riskByPath } from './line-importance.js';
import type { Measured, MeasureOptions } from './measure-pieces.js';
import type { Piece } from './piece.js';

interface FillOptions {
  readonly kept: readonly ChangeEntry[];
  /** Left out so far. */
  readonly spare: readonly ChangeEntry[];
  /** Puts texts beside those of the pages. */
  measure(entries: readonly ChangeEntry[], extra: Pick<MeasureOptions, 'wholeData'>): Promise<Measured>;
  /** On the pages there are. */
  fits(pieces: readonly Piece[]): boolean;
}

interface Filled extends Omit<Measured, 'flips'> {
  readonly shownAnyway: ReadonlySet<string>;
}

/** Each is read once more; a change with more of them than this has no room for them all. */
const maxSpare = 100;

export async function fillRoom(all: Measured, { kept, spare, measure, fits }: FillOptions): Promise<Filled> {
  const short = new Set(all.omitted.filter(isAbridged).map(({ path }) => path));
  const unfilled = { pieces: all.pieces, omitted: all.omitted, shownAnyway: new Set<string>() };
  if (all.pieces.length === 0 || short.size + spare.length === 0 || !fits(all.pieces)) return unfilled;
  const whole = await measure(kept.filter(({ path }) => short.has(path)).slice(0, maxSpare), {
    wholeData: true,
  });
  const others = await measure([...spare].sort(bySize).slice(0, maxSpare), {});
  let pieces = all.pieces;
  const take = (own: readonly Piece[]) => {
    const path = own[0]?.path;
    const first = pieces.findIndex((piece) => piece.path === path);
    const rest = pieces.filter((piece) => piece.path !== path);
    const next = rest.toSpliced(first < 0 ? rest.length : first, 0, ...own);
    if (!fits(next)) return false;
    pieces = next;
    return true;
  };
  const inOrder = (list: readonly Piece[]) =>
    [...groupBy(list, ({ path }) => path)].sort(
      ([a, own], [b, other]) => riskByPath(b) - riskByPath(a) || weightOf(own) - weightOf(other),
    );
  const made = new Set(inOrder(whole.pieces).flatMap(([path, own]) => (take(own) ? [path] : [])));
  const shownAnyway = new Set(inOrder(others.pieces).flatMap(([path, own]) => (take(own) ? [path] : [])));
  return {
    pieces,
    shownAnyway,
    omitted: [
      ...all.omitted.filter((one) => !isAbridged(one) || !made.has(one.path)),
      ...others.omitted.filter((one) => isAbridged(one) && shownAnyway.has(one.path)),
    ],
  };
}

function weightOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { weight }) => sum + weight, 0);
}

function bySize(a: ChangeEntry, b: ChangeEntry): number {
  return (a.newSize ?? a.oldSize ?? 0) - (b.newSize ?? b.oldSize ?? 0);
}
