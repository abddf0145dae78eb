// What exists beyond the page: every file of the change with its risk, the riskiest first, the rest counted. The same on every page.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Meter } from '../../core/model/meter.js';
import { type PlannedUnit, riskRank } from '../bundles/planned-unit.js';
import type { Piece } from '../pages/piece.js';
import { printablePath } from '../pages/printable-path.js';
import type { Omission } from '../prune/omission.js';
import { risks } from '../rules/rule.js';
import type { UnitsByPath } from './unit-blocks.js';

export interface MapFacts {
  readonly pieces: readonly Piece[];
  readonly units: UnitsByPath;
  readonly statusOf: (path: string) => string;
  readonly omitted: readonly Omission[];
}

export function changeMap(
  { pieces, units, statusOf, omitted }: MapFacts,
  limit: number,
  meter: Meter,
): string {
  const files = [...new Set(pieces.map(({ path }) => path))]
    .map((path) => ({ path, risk: riskOf(units.get(path) ?? []) }))
    .sort((a, b) => b.risk - a.risk || byCodePoint(a.path, b.path));
  const lines = files.map(({ path, risk }) => {
    const status = statusOf(path)[0]?.toUpperCase() ?? 'M';
    return `${status} ${printablePath(path)}${risk < 0 ? '' : ` ${risks[risk]}`}`;
  });
  const left = leftOut(omitted);
  // Half as many, until it is short enough to stand on every page.
  for (let count = lines.length; ; count = Math.floor(count / 2)) {
    const more = lines.length - count;
    const text = [...lines.slice(0, count), ...(more > 0 ? [`and ${more} more`] : []), ...left].join('\n');
    if (count === 0 || meter.weigh(text) <= limit) return text;
  }
}

export function riskOf(units: readonly PlannedUnit[]): number {
  return units.reduce((most, unit) => Math.max(most, riskRank(unit)), -1);
}

const mostRules = 6;

function leftOut(omitted: readonly Omission[]): string[] {
  if (omitted.length === 0) return [];
  const kinds = [...new Set(omitted.map(({ rule }) => rule))];
  const more = kinds.length > mostRules ? ', \u2026' : '';
  return [`${omitted.length} left out (${kinds.slice(0, mostRules).join(', ')}${more})`];
}
