// The one order of findings: worst, surest, then where they stand. Total, so that arrival order never shows.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Finding } from './finding.js';
import { severityRank } from './severity.js';

export function compareFindings(left: Finding, right: Finding): number {
  return (
    severityRank(left.severity) - severityRank(right.severity) ||
    right.confidence - left.confidence ||
    byCodePoint(left.path, right.path) ||
    left.startLine - right.startLine ||
    left.endLine - right.endLine ||
    byCodePoint(left.side, right.side) ||
    byCodePoint(left.category, right.category) ||
    byCodePoint(left.title, right.title) ||
    byCodePoint(left.message, right.message) ||
    byCodePoint(left.evidence, right.evidence) ||
    byCodePoint(left.suggestion?.replacement ?? '', right.suggestion?.replacement ?? '') ||
    byCodePoint(left.id, right.id)
  );
}
