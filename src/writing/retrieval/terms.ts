// What goes into an index, and what is asked of it. A question asks by pairs; a lone character is asked for by itself,
// which finds it because the index holds the single characters too.
import { questionDamping } from './question-words.js';
import { tokensOf } from './tokens.js';

/** In order of appearance, with repetitions. */
export function termsOf(text: string): string[] {
  return tokensOf(text).map((token) => token.term);
}

/** Distinct, in order of appearance; words that only make it a question are left out where anything else remains. */
export function queryTermsOf(query: string): string[] {
  const tokens = tokensOf(query).filter((token) => token.kind !== 'single' || token.alone === true);
  const terms = [...new Set(tokens.map((token) => token.term))];
  const telling = terms.filter((term) => questionDamping(term) === 1);
  return telling.length > 0 ? telling : terms;
}
