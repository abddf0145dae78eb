// Pieces of the diff as fragments: what must be applied in order keeps its order, what belongs together says so.
import { byCodePoint } from '../../core/model/code-points.js';
import { type FinishHits, type Fragment, isProjectRelative } from '../../core/model/fragment.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { applyGroups } from './apply-order.js';
import type { PageBody } from './page-dialect.js';
import { riskByPath } from './path-class.js';
import type { Piece } from './piece.js';
import { pageScope } from './wrapping.js';

export interface DiffOptions {
  readonly entries: readonly ChangeEntry[];
  readonly capacity: number;
  readonly affinities: ReadonlyMap<string, string>;
  /** What finishing did to the words of a piece. */
  hitsOf(id: string): FinishHits;
}

export function diffFragments(pieces: readonly Piece[], options: DiffOptions): Fragment<PageBody>[] {
  const byPath = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const list = byPath.get(piece.path);
    if (list === undefined) byPath.set(piece.path, [piece]);
    else list.push(piece);
  }
  const sets = setsOf([...byPath.keys()].sort(byCodePoint), options.entries);
  const fragments: Fragment<PageBody>[] = [];
  for (const set of sets) {
    const own = set.flatMap((path) => byPath.get(path) ?? []);
    const weight = own.reduce((sum, piece) => sum + piece.weight, 0);
    const together = set.length > 1 && weight <= options.capacity;
    own.forEach((piece, at) => {
      const affinity = options.affinities.get(piece.path);
      const before = together ? undefined : own[at - 1]?.id;
      fragments.push({
        id: piece.id,
        source: 'diff',
        scope: pageScope,
        layer: 'diff',
        section: 'code',
        rank: riskByPath(piece.path),
        position: fragments.length,
        levels: [
          {
            ...{ name: 'whole', body: { kind: 'diff', id: piece.id }, finished: options.hitsOf(piece.id) },
            weight: piece.blocks.reduce((sum, block) => sum + block.weight, 0),
          },
        ],
        spread: piece.weight,
        ...(isProjectRelative(piece.path) ? { ref: { path: piece.path } } : {}),
        ...(together ? { bond: own[0]!.id } : {}),
        ...(before === undefined ? {} : { after: before }),
        ...(affinity === undefined ? {} : { affinity }),
      });
    });
  }
  return fragments;
}

/** Paths in reading order; those that depend on each other stand together, in the order in which they apply. */
function setsOf(paths: readonly string[], entries: readonly ChangeEntry[]): string[][] {
  const known = new Set(paths);
  const groupOf = new Map<string, string[]>();
  for (const group of applyGroups(entries.filter(({ path }) => known.has(path))))
    for (const path of group) groupOf.set(path, group);
  const done = new Set<string>();
  return paths.flatMap((path) => {
    if (done.has(path)) return [];
    const set = groupOf.get(path) ?? [path];
    for (const member of set) done.add(member);
    return [set];
  });
}
