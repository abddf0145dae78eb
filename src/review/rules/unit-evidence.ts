// Everything rules can know about a unit, from the syntax trees of both sides, the path and the entry.
import { type ChangeDepth, changeDepth } from '../../code/change-depth.js';
import type { EvidenceRole } from '../../code/evidence-role.js';
import type { LineRange } from '../../code/range-evidence.js';
import { type RangeEvidence, rangeEvidence } from '../../code/range-evidence.js';
import type { FileSide } from '../units/changed-file.js';
import { isCallable } from '../units/line-owner.js';
import { rangesOf } from '../units/line-ranges.js';
import type { ReviewUnit } from '../units/unit.js';
import type { EvidenceName } from './evidence.js';
import { pathEvidence } from './path-evidence.js';
import { speaksOfSecurity } from './security-words.js';
import { spokenNames } from './spoken-names.js';
import { type SymbolFacts, symbolFacts } from './symbol-evidence.js';

export interface UnitEvidence {
  readonly names: ReadonlySet<EvidenceName>;
  readonly symbols: SymbolFacts;
}

const largeUnit = 100;
const depths: readonly ChangeDepth[] = ['none', 'whitespace', 'comment', 'string', 'code'];
const touching: readonly (readonly [EvidenceRole, EvidenceName])[] = [
  ['import', 'touches-imports'],
  ['logging', 'touches-logging'],
  ['error-handling', 'touches-error-handling'],
  ['concurrency', 'touches-concurrency'],
  ['data-access', 'touches-data-access'],
  ['routing', 'touches-routing'],
];

export function unitEvidence(unit: ReviewUnit): UnitEvidence {
  const names = new Set<EvidenceName>([...pathEvidence(unit.path), ...entryEvidence(unit)]);
  const symbols = symbolFacts(unit);
  for (const name of symbols.evidence) names.add(name);
  if (unit.lines.length === 0) return { names, symbols };
  for (const name of placeEvidence(unit)) names.add(name);
  const depth = depthOf(unit);
  if (depth === 'none' || depth === 'whitespace') names.add('whitespace-only');
  else if (depth === 'comment') names.add('comment-only');
  else names.add('code-changed');
  if (depth === 'string') names.add('string-only');
  if (unit.lines.length > largeUnit) names.add('large');
  if (depth === 'string' || depth === 'code') for (const name of roleEvidence(unit)) names.add(name);
  if (names.has('code-changed') && namesSecurity(unit)) names.add('security-words');
  return { names, symbols };
}

function entryEvidence({ file, lines }: ReviewUnit): EvidenceName[] {
  const { entry, header, binary } = file.patch;
  const found: EvidenceName[] = [];
  if (header.change === 'create') found.push('new-file');
  if (header.change === 'delete') found.push('deleted-file');
  if (header.change === 'rename') found.push('renamed-file');
  if (binary) found.push('binary');
  if (entry.status === 'mode-changed') found.push('mode-changed');
  if (lines.length === 0) found.push('no-lines');
  if (header.change === 'rename' && lines.length === 0 && !binary) found.push('moved-only');
  return found;
}

function placeEvidence(unit: ReviewUnit): EvidenceName[] {
  const found: EvidenceName[] = [];
  const owner = unit.symbol ?? unit.oldSymbol;
  const side = unit.symbol === undefined ? unit.file.before : unit.file.after;
  if (side?.outline.parsed !== true) found.push('unparsed');
  if (owner === undefined) return [...found, 'top-level'];
  if (owner.kind === 'test') found.push('in-test');
  else if (isCallable(owner)) found.push('in-function');
  else if (owner.kind === 'interface' || owner.kind === 'type' || owner.kind === 'enum')
    found.push('in-type');
  else if (owner.kind === 'class') found.push('in-class');
  else found.push('top-level');
  const isRoute = side?.outline.roles.some(
    ({ role, startLine }) =>
      role === 'routing' && startLine >= owner.startLine && startLine <= owner.signatureEndLine,
  );
  if (isRoute && isCallable(owner) && owner.kind !== 'test') found.push('in-endpoint');
  return found;
}

/** The deepest change among the runs of the unit. */
function depthOf(unit: ReviewUnit): ChangeDepth {
  const { before, after } = unit.file;
  if (unit.removed.length > 0 && before === undefined) return 'code';
  if (unit.added.length > 0 && after === undefined) return 'code';
  const runs = new Map<number, { removed: number[]; added: number[] }>();
  for (const { run, kind, number } of unit.lines) {
    const lines = runs.get(run) ?? { removed: [], added: [] };
    lines[kind].push(number);
    runs.set(run, lines);
  }
  let deepest = 0;
  for (const { removed, added } of runs.values()) {
    const depth = changeDepth(side(before, rangesOf(removed)), side(after, rangesOf(added)));
    deepest = Math.max(deepest, depths.indexOf(depth));
  }
  return depths[deepest]!;
}

const absent = { language: 'text', comments: [], strings: [] };

function side(file: FileSide | undefined, ranges: readonly LineRange[]) {
  const startLine = ranges[0]?.startLine ?? 1;
  const endLine = ranges.at(-1)?.endLine ?? 0;
  return { text: file?.text ?? '', outline: file?.outline ?? absent, startLine, endLine };
}

function roleEvidence({ file, removed, added }: ReviewUnit): EvidenceName[] {
  const sides = [
    file.before === undefined ? undefined : rangeEvidence(file.before.outline, removed),
    file.after === undefined ? undefined : rangeEvidence(file.after.outline, added),
  ].filter((found): found is RangeEvidence => found !== undefined && found.code + found.comment > 0);
  const only = (role: EvidenceRole) => sides.length > 0 && sides.every((found) => found.only.includes(role));
  const names = touching.flatMap(([role, name]) => (sides.some(({ roles }) => roles[role]) ? [name] : []));
  if (only('import')) names.push('imports-only');
  if (only('logging')) names.push('logging-only');
  return names;
}

function namesSecurity({ file, removed, added, chain }: ReviewUnit): boolean {
  if (chain.some(speaksOfSecurity)) return true;
  const speaks = (side: FileSide | undefined, ranges: readonly LineRange[]): boolean =>
    side !== undefined && ranges.some((range) => spokenNames(side, range).some(speaksOfSecurity));
  return speaks(file.before, removed) || speaks(file.after, added);
}
