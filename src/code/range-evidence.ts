// What does a changed range touch, and what encloses it? Counts by line kind and role, and the symbols around it, from the outline
// of the side it stands on.
import { type CodeSymbol, type EvidenceRole, lineKind, type Outline } from './syntax/outline-model.js';

export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

export interface RangeEvidence {
  readonly blank: number;
  readonly comment: number;
  readonly code: number;
  /** Lines with text on them that a role touches. */
  readonly roles: Readonly<Partial<Record<EvidenceRole, number>>>;
  /** Roles that make up every line with text on it: ['logging'] means that logging alone changed. */
  readonly only: readonly EvidenceRole[];
}

/** The outline must have been made with `roles: true`. */
export function rangeEvidence(outline: Outline, ranges: readonly LineRange[]): RangeEvidence {
  const wanted = new Set<number>();
  for (const { startLine, endLine } of ranges) {
    for (let line = Math.max(1, startLine); line <= Math.min(endLine, outline.lineCount); line += 1)
      wanted.add(line);
  }
  const counts = { blank: 0, comment: 0, code: 0 };
  const inked = new Set<number>();
  for (const line of wanted) {
    const kind = outline.lineKinds[line - 1];
    if (kind === lineKind.blank) counts.blank += 1;
    else inked.add(line);
    if (kind === lineKind.comment) counts.comment += 1;
    if (kind === lineKind.code) counts.code += 1;
  }
  const touched = new Map<EvidenceRole, Set<number>>();
  const filled = new Map<EvidenceRole, Set<number>>();
  for (const { role, startLine, endLine, alone } of outline.roles) {
    for (let line = startLine; line <= endLine; line += 1) {
      if (!inked.has(line)) continue;
      linesOf(touched, role).add(line);
      const whole =
        role === 'comment' || role === 'doc-comment'
          ? outline.lineKinds[line - 1] === lineKind.comment
          : alone;
      if (whole) linesOf(filled, role).add(line);
    }
  }
  const roles: Partial<Record<EvidenceRole, number>> = {};
  for (const [role, lines] of touched) roles[role] = lines.size;
  const only = [...filled]
    .filter(([, lines]) => inked.size > 0 && lines.size === inked.size)
    .map(([role]) => role);
  return { ...counts, roles, only: only.sort() };
}

function linesOf(map: Map<EvidenceRole, Set<number>>, role: EvidenceRole): Set<number> {
  let lines = map.get(role);
  if (lines === undefined) {
    lines = new Set();
    map.set(role, lines);
  }
  return lines;
}

export function enclosingSymbol(
  outline: Pick<Outline, 'symbols'>,
  startLine: number,
  endLine: number,
): CodeSymbol | undefined {
  let found: CodeSymbol | undefined;
  for (const symbol of outline.symbols) {
    if (symbol.startLine > startLine || symbol.endLine < endLine) continue;
    // A one-line field says nothing beyond the line itself, so its owner answers.
    if (symbol.kind === 'field' && symbol.startLine === symbol.endLine && symbol.parent !== undefined)
      continue;
    // Later symbols of equal extent are nested deeper or share the line; the last one is innermost.
    if (found === undefined || symbol.endLine - symbol.startLine <= found.endLine - found.startLine)
      found = symbol;
  }
  return found;
}

/** Whether the line is part of what brings names in. */
export function isImported({ imports }: Pick<Outline, 'imports'>, line: number): boolean {
  return overlaps(imports, line, line);
}

/** Whether any of the ranges holds one of these lines. */
export function overlaps(ranges: readonly LineRange[], first: number, last: number): boolean {
  return ranges.some(({ startLine, endLine }) => startLine <= last && endLine >= first);
}

/** Outermost first. */
export function enclosingChain(outline: Pick<Outline, 'symbols'>, line: number): CodeSymbol[] {
  let innermost: CodeSymbol | undefined;
  for (const symbol of outline.symbols) {
    if (symbol.startLine > line || symbol.endLine < line) continue;
    if (
      innermost === undefined ||
      symbol.endLine - symbol.startLine <= innermost.endLine - innermost.startLine
    )
      innermost = symbol;
  }
  const chain: CodeSymbol[] = [];
  for (
    let at = innermost;
    at !== undefined;
    at = at.parent === undefined ? undefined : outline.symbols[at.parent]
  )
    chain.unshift(at);
  return chain;
}
