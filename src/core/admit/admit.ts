// What may come in? Foreign fragments refuse the whole request, malformed ones cost only themselves, and after this line
// the order of arrival is gone.
import { byCodePoint } from '../model/code-points.js';
import { GalleyError, type Warning } from '../model/error.js';
import { type Fragment, isProjectRelative, type Scope } from '../model/fragment.js';
import type { Rejection } from '../model/receipt.js';
import type { Layer, Recipe } from '../model/recipe.js';

export interface Admitted {
  readonly fragments: readonly Fragment[];
  readonly rejections: readonly Rejection[];
  readonly warnings: readonly Warning[];
}

export function admit(candidates: readonly Fragment[], recipe: Recipe, scope: Scope): Admitted {
  refuseForeign(candidates, scope);
  const rejections: Rejection[] = [];
  const warnings: Warning[] = [];
  const layers = new Map(recipe.layers.map((layer) => [layer.id, layer]));
  const sections = new Map(recipe.sections.map((section, index) => [section.id, index]));

  const sound: Fragment[] = [];
  for (const candidate of candidates) {
    const fault = faultOf(candidate, layers, sections);
    if (fault === undefined) {
      sound.push(candidate);
      continue;
    }
    rejections.push({ ...named(candidate), verdict: 'invalid', reason: fault });
    warnings.push({
      code: 'CONTEXT_LAYER_INVALID',
      message: `A fragment of source "${candidate.source}" was left out: ${fault}.`,
      details: { fragment: candidate.id, source: candidate.source },
    });
  }

  const unique = withoutDuplicates(sound, rejections);
  const limited = withinCounts(unique, recipe.layers, { rejections, warnings });
  const place = (fragment: Fragment) => sections.get(fragment.section) ?? 0;
  limited.sort((a, b) => place(a) - place(b) || a.position - b.position || byCodePoint(a.id, b.id));
  rejections.sort((a, b) => byCodePoint(a.id, b.id) || byCodePoint(a.verdict, b.verdict));
  return { fragments: limited, rejections, warnings };
}

function named(fragment: Fragment): Pick<Rejection, 'id' | 'source' | 'layer'> {
  return { id: fragment.id, source: fragment.source, layer: fragment.layer };
}

function refuseForeign(candidates: readonly Fragment[], scope: Scope): void {
  const foreign = candidates.filter((candidate) => candidate.scope.project !== scope.project);
  if (foreign.length === 0) return;
  const sources = [...new Set(foreign.map((fragment) => fragment.source))].sort(byCodePoint);
  throw new GalleyError(
    'CONTEXT_SCOPE_VIOLATION',
    'Text of another project was offered; nothing was assembled. Check the sources named in the details.',
    { details: { sources, fragments: foreign.length } },
  );
}

function faultOf(
  fragment: Fragment,
  layers: ReadonlyMap<string, Layer>,
  sections: ReadonlyMap<string, number>,
): string | undefined {
  if (typeof fragment.id !== 'string' || fragment.id === '') return 'it has no id';
  if (!layers.has(fragment.layer)) return `its layer "${fragment.layer}" is not in the recipe`;
  if (!sections.has(fragment.section)) return `its section "${fragment.section}" is not in the recipe`;
  if (!Number.isFinite(fragment.rank)) return 'its rank is not a finite number';
  if (!Number.isFinite(fragment.position)) return 'its position is not a finite number';
  if (fragment.levels.length === 0) return 'it has no level';
  if (fragment.ref !== undefined && !isProjectRelative(fragment.ref.path))
    return 'its ref leaves the project';
  return undefined;
}

function withoutDuplicates(fragments: readonly Fragment[], rejections: Rejection[]): Fragment[] {
  const seen = new Map<string, Fragment>();
  for (const fragment of fragments) {
    const first = seen.get(fragment.id);
    if (first === undefined) {
      seen.set(fragment.id, fragment);
      continue;
    }
    if (JSON.stringify(first) !== JSON.stringify(fragment)) {
      throw new GalleyError('INVALID_ARGUMENT', `Two different fragments share the id "${fragment.id}".`, {
        details: { field: 'id', source: fragment.source },
      });
    }
    rejections.push({ ...named(fragment), verdict: 'duplicate', reason: 'the same fragment arrived twice' });
  }
  return [...seen.values()];
}

function withinCounts(
  fragments: readonly Fragment[],
  layers: readonly Layer[],
  { rejections, warnings }: { rejections: Rejection[]; warnings: Warning[] },
): Fragment[] {
  const surplus = new Set<Fragment>();
  for (const { id, most } of layers) {
    if (most === undefined) continue;
    const members = fragments.filter((fragment) => fragment.layer === id);
    if (members.length <= most) continue;
    members.sort((a, b) => b.rank - a.rank || a.position - b.position || byCodePoint(a.id, b.id));
    for (const fragment of members.slice(most)) {
      surplus.add(fragment);
      rejections.push({
        ...named(fragment),
        verdict: 'over-limit',
        reason: `layer "${id}" takes ${most} fragments`,
      });
    }
    warnings.push({
      code: 'CONTEXT_LIMIT_EXCEEDED',
      message: `Layer "${id}" takes ${most} fragments; ${members.length - most} of the lowest rank were left out.`,
      details: { layer: id, most, left: members.length - most },
    });
  }
  return fragments.filter((fragment) => !surplus.has(fragment));
}
