// A finding with everything in it, to change what a test is about.
import type { ReviewFinding } from '../finding.js';
import { findingId } from '../finding-identity.js';

export function someFinding(changes: Partial<ReviewFinding> = {}): ReviewFinding {
  const draft = {
    path: 'src/a.ts',
    side: 'new' as const,
    startLine: 1,
    endLine: 1,
    severity: 'medium' as const,
    category: 'correctness',
    confidence: 0.7,
    title: 'Division by zero',
    message: 'The divisor may be zero when the list is empty.',
    evidence: '',
    ...changes,
  };
  return { ...draft, id: changes.id ?? findingId(draft) };
}
