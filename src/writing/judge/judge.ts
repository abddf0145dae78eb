// Which constraints does this text break, and where? The same text and checks always give the same findings; none is a valid answer.
import type { StoryEntity } from '../entities/entity.js';
import type { Check, Hit, JudgeFinding } from './check.js';
import { findEarlyFacts } from './early-facts.js';
import { findLength } from './length.js';
import { findNameVariants } from './name-variants.js';
import { findNarrativePerson } from './narrative-person.js';
import { findPunctuation } from './punctuation.js';
import { findForbiddenWords } from './words.js';

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
