// Every file of the change with its risk: for the pages a map of what exists beyond them, the riskiest first and the same on each,
// and for people what the reviewer of a file gets beside its diff.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Meter } from '../../core/model/meter.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import type { Omission } from '../change/omission.js';
import { printablePath } from '../change/safe-text.js';
import type { ContextBody } from '../context/choose-context.js';
import { pathClass } from '../pieces/line-importance.js';
import type { Piece } from '../pieces/piece.js';
import type { ContextLevel } from '../plan/context-need.js';
import { type PlannedUnit, riskRank, type UnitsByPath } from '../plan/plan-review.js';
import { type Risk, risks } from '../plan/rule.js';
import { whyOf } from './unit-blocks.js';

interface MapFacts {
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

const maxRules = 6;

function leftOut(omitted: readonly Omission[]): string[] {
  if (omitted.length === 0) return [];
  const kinds = [...new Set(omitted.map(({ rule }) => rule))];
  const more = kinds.length > maxRules ? ', \u2026' : '';
  return [`${omitted.length} left out (${kinds.slice(0, maxRules).join(', ')}${more})`];
}

export interface FileShown {
  /** Of its riskiest unit. */
  readonly risk: Risk;
  /** The reason of a rule, in English. */
  readonly why?: string;
  /** The fullest level its units are planned with. */
  readonly level: ContextLevel;
  readonly callers: number;
  readonly tests: number;
  /** Anything else from beside the diff. */
  readonly places: number;
}

export function filesShown(choices: readonly FragmentChoice[], units: UnitsByPath): Map<string, FileShown> {
  const shown = new Map(
    [...plannedFiles(units)].map(([path, file]): [string, Counted] => [path, { ...file }]),
  );
  for (const { level, wording } of choices) {
    const body = wording.fragment.levels[level ?? 0]?.body as ContextBody | undefined;
    if (level === undefined || body?.kind !== 'context' || body.piece.kind === 'level') continue;
    const { home, snippet } = body.piece;
    const file = shown.get(home.unit.path);
    if (file === undefined) continue;
    file[pathClass(snippet.path) === 'test' ? 'tests' : isCaller(snippet.why) ? 'callers' : 'places'] += 1;
  }
  return shown;
}

const planned = new WeakMap<UnitsByPath, ReadonlyMap<string, FileShown>>();

/** Each file with nothing beside it yet; the same for every budget. */
function plannedFiles(units: UnitsByPath): ReadonlyMap<string, FileShown> {
  const known = planned.get(units);
  if (known !== undefined) return known;
  const files = new Map<string, FileShown>();
  for (const [path, own] of units) {
    const [first] = [...own].sort((a, b) => riskRank(b) - riskRank(a) || a.position - b.position);
    if (first === undefined) continue;
    const why = whyOf(first);
    files.set(path, {
      risk: risks[riskRank(first)] ?? 'low',
      level: first.row.final_context_level,
      ...(why === undefined ? {} : { why }),
      ...{ callers: 0, tests: 0, places: 0 },
    });
  }
  planned.set(units, files);
  return files;
}

type Counted = { -readonly [Fact in keyof FileShown]: FileShown[Fact] };

function isCaller(why: string): boolean {
  return /^(?:possibly )?(?:calls|uses) /.test(why);
}
