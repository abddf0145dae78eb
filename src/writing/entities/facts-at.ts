// What may be said about an entity in this chapter? Facts that hold there and are no longer secret.
import type { Entity, Fact } from './entity.js';

/** Without a chapter only what always holds and never was secret is certain. */
export function factsAt(entity: Pick<Entity, 'facts'>, chapter?: number): readonly Fact[] {
  return (entity.facts ?? []).filter((fact) => {
    const { from, until, secretUntil } = fact;
    if (chapter === undefined) return from === undefined && until === undefined && secretUntil === undefined;
    return (
      (from ?? chapter) <= chapter && chapter <= (until ?? chapter) && (secretUntil ?? chapter) <= chapter
    );
  });
}

export function secretsAt(entity: Pick<Entity, 'facts'>, chapter: number): readonly Fact[] {
  return (entity.facts ?? []).filter((fact) => fact.secretUntil !== undefined && chapter < fact.secretUntil);
}
