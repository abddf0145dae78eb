// What a story knows about someone or something: names, facts that hold for a while, secrets, and ties to others.
import type { Warning } from '../../core/model/error.js';
import type { Entity } from '../../store/tables/entities.js';
import { readFactLines } from './fact-lines.js';
import { noNumbering, type StoryNumbering } from './story-numbering.js';

export interface StoryFact {
  readonly text: string;
  /** First chapter in which it holds; from the start when absent. */
  readonly from?: number;
  /** Last chapter in which it holds; to the end when absent. */
  readonly until?: number;
  /** First chapter in which it may be told; never a secret when absent. */
  readonly secretUntil?: number;
  /** Words that give the secret away. */
  readonly keywords?: readonly string[];
}

interface StoryRelation {
  /** Id of the other entity. */
  readonly to: string;
  readonly kind?: string;
}

export interface NamedEntity {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
}

export interface StoryEntity extends NamedEntity {
  readonly role?: string;
  readonly facts?: readonly StoryFact[];
  readonly relations?: readonly StoryRelation[];
  /** Spellings of the name that are wrong and must not appear. */
  readonly forbiddenVariants?: readonly string[];
}

// An entity as its description means it: lines that say when something holds become facts and secrets, whoever stored them.
interface DatedEntity {
  readonly entity: Entity;
  readonly warnings: readonly Warning[];
}

const dated = new WeakMap<StoryNumbering, WeakMap<Entity, DatedEntity>>();

/** Cards are read with every assembly, and seldom written. */
export function datedEntity(entity: Entity, numbering = noNumbering): DatedEntity {
  const known = dated.get(numbering) ?? new WeakMap<Entity, DatedEntity>();
  dated.set(numbering, known);
  const found = known.get(entity) ?? dateEntity(entity, numbering);
  known.set(entity, found);
  return found;
}

function dateEntity(entity: Entity, numbering: StoryNumbering): DatedEntity {
  const { description, facts, secrets, unclear } = readFactLines(entity.description, numbering);
  if (facts.length + secrets.length + unclear.length === 0) return { entity, warnings: [] };
  return {
    entity: {
      ...entity,
      description,
      facts: [...entity.facts, ...facts],
      secrets: [...entity.secrets, ...secrets],
    },
    warnings: unclear.map((line) => factNotUnderstood(entity.id, line)),
  };
}

/** Never the words themselves: they may be the secret. */
export function factNotUnderstood(entity: string, line: number): Warning {
  return {
    code: 'FACT_NOT_UNDERSTOOD',
    message: `FACT_NOT_UNDERSTOOD: line ${line} of ${entity} seems to say when something holds or may be told, and was left out; see the forms in the writing guide.`,
    details: { entity, line },
  };
}

// What may be said about an entity in this chapter? Facts that hold there and are no longer secret.
/** Without a chapter only what always holds and never was secret is certain. */
export function factsAt(entity: Pick<StoryEntity, 'facts'>, chapter?: number): readonly StoryFact[] {
  return (entity.facts ?? []).filter((fact) => {
    const { from, until, secretUntil } = fact;
    if (chapter === undefined) return from === undefined && until === undefined && secretUntil === undefined;
    return (
      (from ?? chapter) <= chapter && chapter <= (until ?? chapter) && (secretUntil ?? chapter) <= chapter
    );
  });
}

export function secretsAt(entity: Pick<StoryEntity, 'facts'>, chapter: number): readonly StoryFact[] {
  return (entity.facts ?? []).filter((fact) => fact.secretUntil !== undefined && chapter < fact.secretUntil);
}

// Who stands close to the ones we talk about? Relations are followed both ways, a fixed number of steps, once each.
interface RelatedEntity {
  readonly entityId: string;
  /** Steps from the nearest seed. */
  readonly distance: number;
}

/** In order of distance, then of the given list; seeds themselves and unknown ids are left out. */
export function relationsWithin(
  entities: readonly Pick<StoryEntity, 'id' | 'relations'>[],
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
