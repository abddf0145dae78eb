// What a writer model is told when its draft broke constraints: which, and the words that broke them.

import type { PromptLanguage } from '../../skills/skill.js';
import type { Constraint } from '../../store/tables/constraints.js';
import type { Finding } from '../judge/check.js';
import { layeredWords } from '../layers/layered-words.js';

const mostShown = 10;
const mostQuoted = 60;

export function correctionOf(
  findings: readonly Finding[],
  constraints: readonly Constraint[],
  language: PromptLanguage,
): string {
  const words = layeredWords[language];
  const rules = new Map(constraints.map(({ id, text }) => [id, text]));
  const lines = findings.slice(0, mostShown).map(({ constraintId, evidence, message }) => {
    const rule = rules.get(constraintId);
    const quote = [...evidence.replace(/\s+/g, ' ')].slice(0, mostQuoted).join('');
    return `- ${words.quote(quote)} ${message}${rule === undefined ? '' : ` (${rule})`}`;
  });
  // Rules that are all in another script tell the language of the book, whatever that of the headings.
  const { broken } = /\p{sc=Han}/u.test(lines.join('')) ? words : layeredWords.en;
  return `${broken}\n${lines.join('\n')}`;
}
