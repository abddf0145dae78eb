// An entity as its description means it: lines that say when something holds become facts and secrets, whoever stored them.
import type { Warning } from '../../core/model/error.js';
import type { Entity } from '../../store/tables/entities.js';
import { readFactLines } from './fact-lines.js';
import { noNumbering } from './story-numbering.js';

export interface DatedEntity {
  readonly entity: Entity;
  readonly warnings: readonly Warning[];
}

export function datedEntity(entity: Entity, numbering = noNumbering): DatedEntity {
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
