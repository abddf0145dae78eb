// Entities as cards of Rules: those always known, those named around the cursor, those asked for. Facts hold at the current
// chapter, secrets stay hidden until theirs. Cards that nothing in the text points at stay or go together.

import { LRUCache } from 'lru-cache';
import type { Warning } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { type RecentMemory, recentMemory } from '../../meters/recent-memory.js';
import type { Entity } from '../../store/tables/entities.js';
import { detachedText } from '../documents/indexed-text.js';
import { datedEntity, factsAt, relationsWithin } from '../entities/entity.js';
import { createEntityMatcher, type EntityMatcher } from '../entities/entity-matcher.js';
import { numberingOf, type StoryNumbering } from '../entities/story-numbering.js';
import { type LayerBody, layerFragment, soundRows, textOf } from '../layers/layer-fragment.js';
import type { LayerInputs, ReadLayer } from '../layers/layer-source.js';
import type { Scene } from '../layers/scene.js';

/** Those who are named around the cursor rank from here. */
export const detectedRank = 10_000;
const relatedRank = 1_000;
/** Shared by cards that are not relevant to the text at hand. */
export const backgroundBond = 'entities:background';

export const readEntities: ReadLayer = async (inputs) => {
  const { store, scene, wanted, note } = inputs;
  const stored = await store.entities.list(scene.project);
  const { entities, linked, detector, notes } = castOf(stored, numberingOf(scene.entries ?? []));
  notes.forEach(note);
  const relevance = detectEntities(detector, scene);
  const near = new Set(relationsWithin(linked, [...relevance.keys()], 1).map(({ entityId }) => entityId));
  const asked = new Set(inputs.entities);
  const fragments: Fragment<LayerBody>[] = [];
  entities.forEach((entity, position) => {
    if (wanted.people === 'none' || !isIncluded(entity, relevance, asked)) return;
    if (wanted.people === 'scene' && !relevance.has(entity.id)) return;
    fragments.push(
      cardFragment(entity, {
        inputs,
        position,
        relevance: relevance.get(entity.id),
        near: near.has(entity.id),
      }),
    );
  });
  if (wanted.relations) fragments.push(...relationFragments(linked, relevance, scene.project));
  return fragments;
};

/** Everybody there is, as the cards tell of them. */
interface Cast {
  readonly entities: readonly Entity[];
  /** With the ids of those they are related to. */
  readonly linked: readonly Entity[];
  readonly detector: Detector;
  readonly notes: readonly Warning[];
}

const casts = new WeakMap<readonly Entity[], { readonly numbering: StoryNumbering; readonly cast: Cast }>();

/** The same list comes with every key, until somebody writes a card or adds a chapter. */
function castOf(stored: readonly Entity[], numbering: StoryNumbering): Cast {
  const known = casts.get(stored);
  if (known?.numbering === numbering) return known.cast;
  const notes: Warning[] = [];
  const entities = soundRows(stored, 'entities', {
    note: (warning) => notes.push(warning),
    read: (row) => {
      const { entity, warnings } = datedEntity(checked(row), numbering);
      notes.push(...warnings);
      return entity;
    },
  });
  const cast = {
    entities,
    linked: withResolvedRelations(entities),
    detector: detectorFor(entities),
    notes,
  };
  casts.set(stored, { numbering, cast });
  return cast;
}

function checked(entity: Entity): Entity {
  textOf(entity.id);
  textOf(entity.name);
  textOf(entity.kind);
  textOf(entity.description);
  for (const alias of entity.aliases) textOf(alias);
  for (const fact of [...entity.facts, ...entity.secrets]) textOf(fact.text);
  for (const { to, label } of entity.relations) textOf(to) && textOf(label);
  if (entity.damaged !== undefined) textOf(undefined);
  return entity;
}

function isIncluded(
  entity: Entity,
  relevance: ReadonlyMap<string, number>,
  asked: ReadonlySet<string>,
): boolean {
  if (entity.inclusion === 'never') return false;
  if (asked.has(entity.id) || asked.has(entity.name)) return true;
  return entity.inclusion === 'always' || (entity.inclusion === 'detected' && relevance.has(entity.id));
}

interface Standing {
  readonly inputs: LayerInputs;
  readonly position: number;
  readonly relevance: number | undefined;
  readonly near: boolean;
}

function cardFragment(entity: Entity, { inputs, position, relevance, near }: Standing): Fragment<LayerBody> {
  const { project, chapter } = inputs.scene;
  const isBackground = relevance === undefined && !near && !entity.neverTrimmed;
  return layerFragment(project, {
    id: `entity:${entity.id}`,
    source: 'entities',
    layer: 'rules',
    section:
      entity.inclusion === 'always' && inputs.wanted.people === 'project' ? 'entities' : 'relevant-entities',
    rank: relevance !== undefined ? detectedRank + relevance : near ? relatedRank : 0,
    position,
    body: cardAt(entity, chapter),
    ...(entity.neverTrimmed ? { pinned: true } : {}),
    ...(isBackground ? { bond: backgroundBond } : {}),
  });
}

const cards = new WeakMap<Entity, { readonly chapter: number | undefined; readonly card: LayerBody }>();

function cardAt(entity: Entity, chapter: number | undefined): LayerBody {
  const known = cards.get(entity);
  if (known !== undefined && known.chapter === chapter) return known.card;
  const facts = factsAt(
    {
      facts: [
        ...entity.facts,
        ...entity.secrets.map(({ text, hiddenUntil }) => ({ text, secretUntil: hiddenUntil })),
      ],
    },
    chapter,
  );
  const card: LayerBody = {
    kind: 'entity',
    name: entity.name,
    category: textOf(entity.kind),
    aliases: entity.aliases,
    description: textOf(entity.description),
    facts: facts.map(({ text }) => textOf(text)),
  };
  cards.set(entity, { chapter, card });
  return card;
}

/** Relations may name the other one by id or by name. */
function withResolvedRelations(entities: readonly Entity[]): readonly Entity[] {
  const ids = new Set(entities.map(({ id }) => id));
  const byName = new Map(
    entities.flatMap(({ id, name, aliases }) => [name, ...aliases].map((word) => [word, id] as const)),
  );
  return entities.map((entity) => ({
    ...entity,
    relations: entity.relations.map(({ to, label }) => ({
      to: ids.has(to) ? to : (byName.get(to) ?? to),
      label,
    })),
  }));
}

function relationFragments(
  entities: readonly Entity[],
  relevance: ReadonlyMap<string, number>,
  project: string,
): Fragment<LayerBody>[] {
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  return entities.flatMap((entity, position) =>
    entity.relations.flatMap(({ to, label }, index) => {
      const other = byId.get(to);
      if (other === undefined || (!relevance.has(entity.id) && !relevance.has(to))) return [];
      if (entity.inclusion === 'never' || other.inclusion === 'never') return [];
      return layerFragment(project, {
        id: `relation:${entity.id}:${index}`,
        source: 'entities/relations',
        layer: 'rules',
        section: 'relevant-entities',
        rank: relatedRank + (relevance.get(entity.id) ?? 0) + (relevance.get(to) ?? 0),
        position: entities.length + position + index / 1_000,
        body: { kind: 'relation', from: entity.name, label: textOf(label), to: other.name, about: '' },
      });
    }),
  );
}

// Who is named in the text that is read, and how close to the cursor? A line that was searched once is not searched again.
interface Detector {
  /** Undefined where there is nobody to find. */
  readonly matcher: EntityMatcher | undefined;
  readonly lines: RecentMemory<string, readonly Sighting[]>;
}

interface Sighting {
  readonly id: string;
  /** Code units from the start of the line; an approximation where the line holds pairs. */
  readonly at: number;
}

const detectors = new LRUCache<string, Detector>({ max: 32 });
const halfLife = 400;

/** Relevance by entity id: every mention counts, the nearer to the cursor the more. */
function detectEntities(
  detector: Detector,
  { indexed, window, instruction }: Pick<Scene, 'indexed' | 'window' | 'instruction'>,
): ReadonlyMap<string, number> {
  const relevance = new Map<string, number>();
  if (detector.matcher === undefined) return relevance;
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
    matcher: entities.length === 0 ? undefined : createEntityMatcher(entities),
    lines: recentMemory<string, readonly Sighting[]>(2_000),
  };
  detectors.set(key, detector);
  return detector;
}

function sightings({ matcher, lines }: Detector, line: string): readonly Sighting[] {
  const known = lines.get(line);
  if (known !== undefined) return known;
  const found = matcher?.find(line).map(({ entityId, start }) => ({ id: entityId, at: start })) ?? [];
  lines.set(detachedText(line), found);
  return found;
}
