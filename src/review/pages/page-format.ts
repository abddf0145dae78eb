// How a chunk reads and what gives way in it: context and findings of linters use what room is left, nothing else ever yields; the
// diff goes on to another page.
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import type { SecretWatch } from '../change/safe-text.js';
import { contextWords } from '../context/arrange-pieces.js';
import type { ContextBody } from '../context/choose-context.js';
import { contextLayers } from '../context/choose-context.js';
import { shortenData } from '../pieces/abridge-data.js';

export const pageRecipe: Recipe = {
  id: 'review-pages',
  version: 1,
  overflow: 'paginate',
  layers: [
    { id: 'title', keep: 'all', everyPage: true },
    { id: 'rules', keep: 'all', everyPage: true },
    { id: 'instructions', keep: 'all', everyPage: true },
    { id: 'notes', keep: 'all', everyPage: true },
    ...contextLayers,
    { id: 'linter', keep: 'highest-rank', yieldOrder: 2, refill: true },
    { id: 'diff', keep: 'all' },
  ],
  sections: [
    { id: 'title', channel: 'prompt' },
    { id: 'rules', channel: 'prompt', stable: true },
    { id: 'instructions', channel: 'prompt', stable: true },
    { id: 'coverage', channel: 'prompt' },
    { id: 'dependencies', channel: 'prompt' },
    { id: 'linter', channel: 'prompt' },
    { id: 'code', channel: 'prompt' },
    { id: 'context', channel: 'prompt' },
  ],
};

export type PageBody =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  /** Its words are put aside and looked up when its page is set. */
  | { readonly kind: 'diff'; readonly id: string }
  | ContextBody;

const headings: Readonly<Record<string, string>> = {
  rules: '## Project Rules\n',
  instructions: '## Instructions\n',
  coverage: '## Coverage\n',
  dependencies: '## Dependency Changes\n',
  linter: '## Linter Output\n',
  code: '## Code Changes\n',
  context: '## Context\n',
};
const between: Readonly<Record<string, string>> = { rules: '\n\n', dependencies: '\n', linter: '\n' };

/** A title with its place in the set, then one heading for each kind of content. */
export function pageDialect(textOf: (id: string) => string, secrets: SecretWatch): Dialect<PageBody> {
  return {
    id: 'review-page',
    version: 1,
    apart: '\n\n',
    section: (id, { index, total }) => ({
      heading: id === 'title' ? `# Context Chunk ${index}/${total}` : (headings[id] ?? ''),
      between: between[id] ?? '',
    }),
    word(body) {
      switch (body.kind) {
        case 'nothing':
          return '';
        case 'text':
          return body.text;
        case 'diff':
          return textOf(body.id);
        case 'context':
          return shortenData(contextWords(body.piece));
      }
    },
    finish: (words, { id, section, ref }) => ({
      text: secrets.see(id, words, section === 'context' ? ref?.path : undefined),
      hits: secrets.hitsOf(id),
    }),
  };
}
