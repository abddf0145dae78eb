// Constraints as fragments of Rules. What the writer wrote or pinned always stays; over the line of Rules what was taken from the
// knowledge graph goes first, then memory, then the project, low priorities before high ones.

import type { Warning } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Constraint, ConstraintOrigin } from '../../store/tables/constraints.js';
import { isMaterialId } from '../folder/material.js';
import {
  finite,
  type LayerBody,
  layerFragment,
  readOnce,
  soundRows,
  textOf,
} from '../layers/layer-fragment.js';
import type { ReadLayer } from '../layers/layer-source.js';

const origins: readonly ConstraintOrigin[] = ['knowledge', 'memory', 'project', 'user'];

/** Above every entity. */
export const constraintRank = 1_000_000;

export const readConstraints: ReadLayer = async ({ store, scene, note }) => {
  const stored = await store.constraints.list(scene.project);
  return readOnce(stored, `constraints ${scene.project}`, {
    note,
    read: (toNote) => constraintFragments(withoutTwins(stored), scene.project, toNote),
  });
};

function constraintFragments(
  rows: readonly Constraint[],
  project: string,
  note: (warning: Warning) => void,
): Fragment<LayerBody>[] {
  const ranks = ranksOf(rows);
  return soundRows(rows, 'constraints', {
    note,
    read: (row, index) => {
      const text = textOf(row.text);
      if (text === '') return undefined;
      return layerFragment(project, {
        id: `constraint:${textOf(row.id)}`,
        source: `constraints/${textOf(row.origin)}`,
        layer: 'rules',
        section: 'constraints',
        rank: constraintRank + (ranks.get(row) ?? 0),
        position: index,
        body: { kind: 'constraint', text },
        ...(isKept(row) ? { pinned: true } : {}),
      });
    },
  });
}

/** A list in the writer's own folder is the writer's hand, too. */
function isKept({ id, origin, pinned }: Constraint): boolean {
  return pinned === true || origin === 'user' || isMaterialId(id);
}

/** The same words twice are one rule: the one that is kept, else the first. */
function withoutTwins(rows: readonly Constraint[]): readonly Constraint[] {
  const first = new Map<unknown, Constraint>();
  for (const row of rows) {
    const text = typeof row.text === 'string' ? row.text.trim() : row;
    const known = first.get(text);
    if (known === undefined || (isKept(row) && !isKept(known))) first.set(text, row);
  }
  const stays = new Set(first.values());
  return rows.filter((row) => stays.has(row));
}

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
