// What stands on every page around the diff.
import type { Fragment } from '../../core/model/fragment.js';
import type { PageBody } from './page-dialect.js';
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
export function labelled({ path, folder, text }: ProjectRule): string {
  if (!path.includes('/')) return text.trim();
  return `${path}${folder === '' ? '' : ` (for ${folder})`}:\n${text.trim()}`;
}
