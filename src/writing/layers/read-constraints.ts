// Constraints as fragments of Rules. Over their line the ones nobody wrote by hand go first, then low priorities; pins stay.
import type { Constraint, ConstraintOrigin } from '../../store/constraints.js';
import { finite, layerFragment, soundRows, words } from './layer-fragment.js';
import type { ReadLayer } from './layer-source.js';

const origins: readonly ConstraintOrigin[] = ['knowledge', 'memory', 'project', 'user'];

/** Above every entity. */
export const constraintRank = 1_000_000;

export const readConstraints: ReadLayer = async ({ store, scene, note }) => {
  const rows = await store.constraints.list(scene.project);
  const ranks = ranksOf(rows);
  return soundRows(rows, 'constraints', {
    note,
    read: (row, index) => {
      const text = words(row.text);
      if (text === '') return undefined;
      return layerFragment(scene.project, {
        id: `constraint:${words(row.id)}`,
        source: `constraints/${words(row.origin)}`,
        layer: 'rules',
        section: 'constraints',
        rank: constraintRank + (ranks.get(row) ?? 0),
        position: index,
        body: { kind: 'constraint', text },
        ...(row.pinned === true ? { pinned: true } : {}),
      });
    },
  });
};

/** The list is in canonical order, so among equals the later one goes first. */
function ranksOf(rows: readonly Constraint[]): ReadonlyMap<Constraint, number> {
  const order = rows.map((row, index) => ({ row, index }));
  const originOf = (row: Constraint) => origins.indexOf(row.origin);
  order.sort(
    (a, b) =>
      originOf(a.row) - originOf(b.row) ||
      finiteOr(a.row.priority) - finiteOr(b.row.priority) ||
      b.index - a.index,
  );
  return new Map(order.map(({ row }, rank) => [row, rank]));
}

function finiteOr(value: unknown): number {
  try {
    return finite(value);
  } catch {
    return 0;
  }
}
