// Which checks follow from a constraint? What it declares, else what its wording says clearly, else none: then only a model or a
// person can judge it.
import { GalleyError } from '../../core/model/error.js';
import type { StoryEntity } from '../entities/entity.js';
import { type Check, type DeclaredCheck, declaredCheckSchema, type Language } from './check.js';
import { readEarlyFact } from './early-facts.js';
import { readLength } from './length.js';
import { readNames } from './name-variants.js';
import { readPerson } from './narrative-person.js';
import { readPunctuation } from './punctuation.js';
import { readWords } from './words.js';

const maxWording = 2000;

export interface JudgedConstraint {
  readonly id: string;
  readonly text: string;
  readonly kind?: string;
  readonly check?: unknown;
}

export function compileConstraint(constraint: JudgedConstraint): readonly Check[] {
  const language: Language = /\p{sc=Han}/u.test(constraint.text) ? 'zh' : 'en';
  const declared = constraint.check === undefined ? readWording(constraint.text) : [constraint.check];
  return declared.map((rule) => ({ constraintId: constraint.id, language, rule: parsed(rule) }));
}

/** Checks that follow from the entities themselves: their secrets and the wrong spellings of their names. */
export function compileEntityChecks(entities: readonly StoryEntity[], language: Language): readonly Check[] {
  return entities.flatMap((entity) => {
    const constraintId = `entity:${entity.id}`;
    const variants = entity.forbiddenVariants ?? [];
    const names: DeclaredCheck[] =
      variants.length === 0 ? [] : [{ kind: 'name-variants', entityId: entity.id }];
    const hasSecrets = (entity.facts ?? []).some((fact) => fact.secretUntil !== undefined);
    const secrets: DeclaredCheck[] = hasSecrets
      ? [{ kind: 'early-fact', secrets: true, entityId: entity.id }]
      : [];
    return [...names, ...secrets].map((rule) => ({ constraintId, language, rule: parsed(rule) }));
  });
}

function readWording(text: string): readonly DeclaredCheck[] {
  const wording = text.slice(0, maxWording);
  const early = readEarlyFact(wording);
  // A chapter bound or a spelling rule names words that are fine elsewhere.
  const narrow = early ?? readNames(wording);
  const rules = [
    narrow,
    readPerson(wording),
    readPunctuation(wording),
    narrow === undefined ? readWords(wording) : undefined,
    readLength(wording),
  ];
  return rules.filter((rule) => rule !== undefined);
}

function parsed(rule: unknown): Check['rule'] {
  const answer = declaredCheckSchema.safeParse(rule);
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  const field = ['check', ...(issue?.path ?? []).map(String)].join('.');
  throw new GalleyError(
    'INVALID_ARGUMENT',
    `${field}: is not a check Galley knows; see the kinds of checks.`,
    {
      details: { field },
    },
  );
}
