// Bundles under a budget, by the press: units step down a level at a time, the least risky first, and never below their diff.
// What was searched for gives way before any level does.
import { typeset } from '../../core/assemble.js';
import type { Dialect } from '../../core/model/dialect.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Assembly } from '../../core/model/press.js';
import type { Recipe } from '../../core/model/recipe.js';
import { formatRef } from '../../core/model/ref.js';
import { hashText } from '../../meters/content-hash.js';
import type { Snippet } from './snippet.js';

export interface SnippetFragment {
  readonly id: string;
  readonly layer: 'levels' | 'requests' | 'related';
  readonly rank: number;
  readonly position: number;
  /** Fullest first. */
  readonly levels: readonly { readonly name: string; readonly snippets: readonly Snippet[] }[];
}

const recipe: Recipe = {
  id: 'review-bundles',
  version: 1,
  overflow: 'concede',
  layers: [
    { id: 'related', manner: 'highest-rank', turn: 1, refill: true },
    { id: 'requests', manner: 'highest-rank', turn: 2, refill: true },
    { id: 'levels', manner: 'level', turn: 3 },
  ],
  sections: [{ id: 'snippets', channel: 'prompt' }],
};

const dialect: Dialect<readonly Snippet[]> = {
  id: 'review-snippets',
  version: 1,
  apart: '',
  section: () => ({ heading: '', between: '' }),
  word: (snippets) => snippets.map(snippetText).join(''),
};

export function snippetText({ path, startLine, endLine, text }: Snippet): string {
  return `${formatRef({ path, lines: { start: startLine, end: endLine } })}\n${text}\n`;
}

export function pressBundles(
  fragments: readonly SnippetFragment[],
  budget: { readonly meter: Meter; readonly limit: number },
): Assembly {
  const scope = { project: 'review' };
  const { meter, limit } = budget;
  return typeset(
    { recipe, dialect, meter, hash: hashText },
    { scope, budget: { limit: { unit: meter.unit, n: limit } } },
    fragments.map(
      ({ id, layer, rank, position, levels }): Fragment<readonly Snippet[]> => ({
        id,
        source: layer,
        scope,
        layer,
        section: 'snippets',
        rank,
        position,
        levels: levels.map(({ name, snippets }) => ({ name, body: snippets })),
      }),
    ),
  );
}

/** The level each fragment ended at; absent for what was left out. */
export function levelsKept(assembly: Assembly): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { fragment, level, verdict } of assembly.receipt.ledger)
    if (level !== undefined && (verdict === 'kept' || verdict === 'stepped-down' || verdict === 'refilled'))
      kept.set(fragment, level);
  return kept;
}
