// For people: why a file of the change matters, and what its reviewer gets beside the diff.
import type { FragmentChoice } from '../../core/model/priced-set.js';
import type { ContextBody } from '../bundles/choose-context.js';
import { riskRank } from '../bundles/planned-unit.js';
import { pathClass } from '../pages/path-class.js';
import type { ContextLevel } from '../plan/context-level.js';
import { type Risk, risks } from '../rules/rule.js';
import { type UnitsByPath, whyOf } from './unit-blocks.js';

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
  const shown = new Map<string, FileShown>();
  for (const [path, own] of units) {
    const [first] = [...own].sort((a, b) => riskRank(b) - riskRank(a) || a.position - b.position);
    if (first === undefined) continue;
    const why = whyOf(first);
    shown.set(path, {
      risk: risks[riskRank(first)] ?? 'low',
      level: first.row.final_context_level,
      ...(why === undefined ? {} : { why }),
      ...{ callers: 0, tests: 0, places: 0 },
    });
  }
  for (const { level, wording } of choices) {
    const body = wording.fragment.levels[level ?? 0]?.body as ContextBody | undefined;
    if (level === undefined || body?.kind !== 'context' || body.piece.kind === 'level') continue;
    const { home, snippet } = body.piece;
    const file = shown.get(home.unit.path);
    if (file === undefined) continue;
    const kind = pathClass(snippet.path) === 'test' ? 'tests' : isCaller(snippet.why) ? 'callers' : 'places';
    shown.set(home.unit.path, { ...file, [kind]: file[kind] + 1 });
  }
  return shown;
}

function isCaller(why: string): boolean {
  return /^(?:possibly )?(?:calls|uses) /.test(why);
}
