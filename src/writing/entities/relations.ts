// Who stands close to the ones we talk about? Relations are followed both ways, a fixed number of steps, once each.
import type { Entity } from './entity.js';

export interface RelatedEntity {
  readonly entityId: string;
  /** Steps from the nearest seed. */
  readonly distance: number;
}

/** In order of distance, then of the given list; seeds themselves and unknown ids are left out. */
export function relationsWithin(
  entities: readonly Pick<Entity, 'id' | 'relations'>[],
  seedIds: readonly string[],
  depth = 1,
): readonly RelatedEntity[] {
  const neighbours = new Map<string, Set<string>>(entities.map((entity) => [entity.id, new Set()]));
  for (const { id, relations } of entities) {
    for (const { to } of relations ?? []) {
      if (!neighbours.has(to)) continue;
      neighbours.get(id)!.add(to);
      neighbours.get(to)!.add(id);
    }
  }
  const seen = new Set(seedIds);
  let edge = new Set(seedIds.filter((id) => neighbours.has(id)));
  const related: RelatedEntity[] = [];
  for (let distance = 1; distance <= depth && edge.size > 0; distance += 1) {
    const reached = new Set<string>();
    for (const id of edge) {
      for (const neighbour of neighbours.get(id)!) if (!seen.has(neighbour)) reached.add(neighbour);
    }
    for (const id of reached) seen.add(id);
    for (const { id } of entities) if (reached.has(id)) related.push({ entityId: id, distance });
    edge = reached;
  }
  return related;
}
