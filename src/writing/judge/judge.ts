// Which constraints does this text break, and where? The same text and checks always give the same findings; none is a valid answer.

import { GalleyError } from '../../core/model/error.js';
import type { StoryEntity } from '../entities/entity.js';
import {
  type Check,
  type DeclaredCheck,
  declaredCheckSchema,
  type Hit,
  type JudgeFinding,
  type Language,
} from './check.js';
import { findEarlyFacts, readEarlyFact } from './early-facts.js';
import { findLength, readLength } from './length.js';
import { findNameVariants, readNames } from './name-variants.js';
import { findNarrativePerson, readPerson } from './narrative-person.js';
import { findPunctuation, readPunctuation } from './punctuation.js';
import { findForbiddenWords, readWords } from './words.js';

export interface JudgeContext {
  readonly chapter?: number | undefined;
  readonly entities?: readonly StoryEntity[] | undefined;
  /** Id or name; else the entity with the role `protagonist`. */
  readonly protagonist?: string | undefined;
}

export function judge(
  text: string,
  checks: readonly Check[],
  context: JudgeContext = {},
): readonly JudgeFinding[] {
  const toCodePoints = codePointOffsets(text);
  return checks.flatMap((check) =>
    [...hitsOf(text, check, context)]
      .sort((left, right) => left.start - right.start || right.end - left.end)
      .filter((hit, index, hits) => index === 0 || hit.start >= hits[index - 1]!.end)
      .map((hit) => ({
        constraintId: check.constraintId,
        check: check.rule.kind,
        start: toCodePoints(hit.start),
        end: toCodePoints(hit.end),
        evidence: text.slice(hit.start, hit.end),
        message: hit.message[check.language],
      })),
  );
}

function hitsOf(text: string, check: Check, context: JudgeContext): readonly Hit[] {
  const { rule } = check;
  const entities = context.entities ?? [];
  switch (rule.kind) {
    case 'forbidden-punctuation':
      return findPunctuation(text, rule);
    case 'forbidden-words':
      return findForbiddenWords(text, rule);
    case 'narrative-person':
      return findNarrativePerson(text, rule, { protagonist: context.protagonist, entities });
    case 'name-variants':
      return findNameVariants(text, rule, entities);
    case 'early-fact':
      return findEarlyFacts(text, rule, { ...context, entities });
    case 'length':
      return findLength(text, rule);
  }
}

function codePointOffsets(text: string): (offset: number) => number {
  const pairs: number[] = [];
  for (const { index } of text.matchAll(/[\u{10000}-\u{10ffff}]/gu)) pairs.push(index);
  if (pairs.length === 0) return (offset) => offset;
  return (offset) => {
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  };
}

// Which checks follow from a constraint? What it declares, else what its wording says clearly, else none: then only a model or a
// person can judge it.
const maxWording = 2000;

interface JudgedConstraint {
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
