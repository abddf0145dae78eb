// Who is named in the text that is read, and how close to the cursor? A line that was searched once is not searched again.
import { LRUCache } from 'lru-cache';
import type { Entity } from '../../store/tables/entities.js';
import { detachedText } from '../documents/detached-text.js';
import { createEntityMatcher, type EntityMatcher } from '../entities/entity-matcher.js';
import type { Scene } from './scene.js';

interface Detector {
  readonly matcher: EntityMatcher;
  readonly lines: LRUCache<string, readonly Sighting[]>;
}

interface Sighting {
  readonly id: string;
  /** Code units from the start of the line; an approximation where the line holds pairs. */
  readonly at: number;
}

const detectors = new LRUCache<string, Detector>({ max: 32 });
const halfLife = 400;

/** Relevance by entity id: every mention counts, the nearer to the cursor the more. */
export function detectEntities(
  entities: readonly Pick<Entity, 'id' | 'name' | 'aliases'>[],
  { indexed, window, instruction }: Pick<Scene, 'indexed' | 'window' | 'instruction'>,
): ReadonlyMap<string, number> {
  const relevance = new Map<string, number>();
  if (entities.length === 0) return relevance;
  const detector = detectorFor(entities);
  const count = (id: string, distance: number) =>
    relevance.set(id, (relevance.get(id) ?? 0) + halfLife / (halfLife + distance));
  for (let from = window.from; from < window.to; ) {
    const found = indexed.text.indexOf('\n', from);
    const to = found < 0 || found >= window.to ? window.to : found + 1;
    for (const { id, at } of sightings(detector, indexed.text.slice(from, to))) {
      count(id, Math.abs(window.start - (from + at)));
    }
    from = to;
  }
  for (const { id } of sightings(detector, instruction)) count(id, 0);
  return relevance;
}

function detectorFor(entities: readonly Pick<Entity, 'id' | 'name' | 'aliases'>[]): Detector {
  const key = JSON.stringify(entities.map(({ id, name, aliases }) => [id, name, aliases]));
  const known = detectors.get(key);
  if (known !== undefined) return known;
  const detector = {
    matcher: createEntityMatcher(entities),
    lines: new LRUCache<string, readonly Sighting[]>({ max: 4_000 }),
  };
  detectors.set(key, detector);
  return detector;
}

function sightings({ matcher, lines }: Detector, line: string): readonly Sighting[] {
  const known = lines.get(line);
  if (known !== undefined) return known;
  const found = matcher.find(line).map(({ entityId, start }) => ({ id: entityId, at: start }));
  lines.set(detachedText(line), found);
  return found;
}
