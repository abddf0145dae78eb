// What stands on every page around the diff, and what it leaves for the diff.
import { GalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { amountOf, type Meter, weightOf } from '../../core/model/meter.js';
import { type PageBody, pageDialect } from './page-dialect.js';
import { pageRecipe } from './page-recipe.js';
import type { ProjectRule } from './project-rules.js';

export interface Wrapping {
  readonly rules: readonly ProjectRule[];
  readonly instructions?: string;
  readonly coverage?: string;
  readonly dependencies?: readonly string[];
}

export const pageScope = { project: 'review' };

export function wrappingFragments(wrapping: Wrapping): Fragment<PageBody>[] {
  const fragments: Fragment<PageBody>[] = [];
  const add = (layer: string, section: string, fact: { id: string; body: PageBody; path?: string }) => {
    fragments.push({
      id: fact.id,
      source: section,
      scope: pageScope,
      layer,
      section,
      rank: 0,
      position: fragments.length,
      levels: [{ name: 'whole', body: fact.body }],
      ...(fact.path === undefined ? {} : { ref: { path: fact.path } }),
    });
  };
  const text = (words: string): PageBody => ({ kind: 'text', text: words });
  add('title', 'title', { id: 'title', body: { kind: 'nothing' } });
  for (const rule of wrapping.rules)
    add('rules', 'rules', { id: `rules:${rule.path}`, body: text(labelled(rule)), path: rule.path });
  if (wrapping.instructions)
    add('instructions', 'instructions', { id: 'instructions', body: text(wrapping.instructions.trim()) });
  if (wrapping.coverage) add('notes', 'coverage', { id: 'coverage', body: text(wrapping.coverage) });
  for (const [at, line] of (wrapping.dependencies ?? []).entries())
    add('notes', 'dependencies', { id: `dependencies:${at}`, body: text(line) });
  return fragments;
}

/** The root's own files stand as they are; others say who they are and where they hold. */
function labelled({ path, folder, text }: ProjectRule): string {
  if (!path.includes('/')) return text.trim();
  return `${path}${folder === '' ? '' : ` (for ${folder})`}:\n${text.trim()}`;
}

/** Weight of the wrapping with room for the widest page numbers and for joins. */
export function wrappingWeight(fragments: readonly Fragment<PageBody>[], meter: Meter): number {
  const dialect = pageDialect(() => '');
  const widest = { index: 9_999_999, total: 9_999_999 };
  const apart = meter.weigh(dialect.apart);
  let weight = 16 * meter.scale;
  for (const { id } of pageRecipe.sections) {
    const own = fragments.filter(({ section }) => section === id);
    if (own.length === 0 && id !== 'code') continue;
    const { heading, between } = dialect.section(id, widest);
    weight += meter.weigh(heading) + apart;
    for (const fragment of own)
      weight += meter.weigh(dialect.word(fragment.levels[0]!.body, fragment, 1) + between);
  }
  return weight;
}

const leastTokens = 16;

export interface RoomWish {
  readonly maxChunkTokens: number;
  readonly maxPromptTokens?: number | undefined;
}

/** Weight left for the diff of one page. */
export function roomForDiff(wrapping: number, wish: RoomWish, meter: Meter): number {
  const chunk = weightOf(meter, wish.maxChunkTokens);
  if (wish.maxPromptTokens === undefined) return chunk;
  const left = weightOf(meter, wish.maxPromptTokens) - wrapping;
  if (left >= Math.min(chunk, weightOf(meter, leastTokens))) return Math.min(chunk, left);
  const needed = amountOf(meter, wrapping).n;
  throw new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `Project rules, instructions and headings need ${needed} ${meter.unit}, and maxPromptTokens allows ${wish.maxPromptTokens}; raise it or shorten them.`,
    { details: { needed: needed + leastTokens, limit: wish.maxPromptTokens, unit: meter.unit } },
  );
}
