// What a writer model is told when its draft broke constraints: which, and the words that broke them.
import type { Constraint } from '../../store/constraints.js';
import type { Finding } from '../judge/check.js';

const mostShown = 10;
const mostQuoted = 60;

export function correctionOf(findings: readonly Finding[], constraints: readonly Constraint[]): string {
  const rules = new Map(constraints.map(({ id, text }) => [id, text]));
  const lines = findings.slice(0, mostShown).map(({ constraintId, evidence, message }) => {
    const rule = rules.get(constraintId);
    const quote = [...evidence.replace(/\s+/g, ' ')].slice(0, mostQuoted).join('');
    return `- 「${quote}」 ${message}${rule === undefined ? '' : ` (${rule})`}`;
  });
  const chinese = /\p{sc=Han}/u.test(lines.join(''));
  const opening = chinese
    ? '上一稿违反了下列约束，请重写全文，不再违反：'
    : 'The draft before broke these constraints; write the whole text again without breaking them:';
  return `${opening}\n${lines.join('\n')}`;
}
