// Findings as fragments beside the piece they are about. Those on changed lines only, unless the caller wants all of the file.
import type { Fragment } from '../../core/model/fragment.js';
import type { PageBody } from '../pages/page-dialect.js';
import type { Piece } from '../pages/piece.js';
import { printablePath } from '../pages/printable-path.js';
import { pageScope } from '../pages/wrapping.js';
import type { Finding, Severity } from './finding.js';

const ranks: Readonly<Record<Severity, number>> = { error: 3, warning: 2, info: 1 };
const mostCharacters = 500;

export function findingFragments(
  findings: readonly Finding[],
  pieces: readonly Piece[],
  scope: 'changed-lines' | 'changed-files',
): Fragment<PageBody>[] {
  const byPath = new Map<string, Piece[]>();
  for (const piece of pieces) byPath.set(piece.path, [...(byPath.get(piece.path) ?? []), piece]);
  const fragments: Fragment<PageBody>[] = [];
  const seen = new Set<string>();
  for (const finding of findings) {
    const own = byPath.get(finding.path) ?? [];
    const piece =
      own.find((each) => touches(each, finding)) ?? (scope === 'changed-files' ? own[0] : undefined);
    const text = wordsOf(finding);
    // Several linters may say the same of the same line.
    if (piece === undefined || seen.has(text)) continue;
    seen.add(text);
    fragments.push({
      id: `finding:${fragments.length}`,
      source: 'linter',
      scope: pageScope,
      layer: 'linter',
      section: 'linter',
      rank: ranks[finding.severity],
      position: fragments.length,
      levels: [{ name: 'whole', body: { kind: 'text', text } }],
      beside: piece.id,
    });
  }
  return fragments;
}

function touches({ changed }: Piece, { line, endLine }: Finding): boolean {
  if (line === undefined) return false;
  return changed.some(({ start, end }) => start <= (endLine ?? line) && end >= line);
}

function wordsOf({ path, line, severity, rule, message }: Finding): string {
  const place = line === undefined ? printablePath(path) : `${printablePath(path)}:${line}`;
  const said = message.replaceAll(/\s+/g, ' ').trim().slice(0, mostCharacters).toWellFormed();
  return `- ${place}: ${severity}: ${said}${rule === undefined ? '' : ` (${printablePath(rule)})`}`;
}
