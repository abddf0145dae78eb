// How a page reads: a title with its place in the set, then one heading for each kind of content.
import type { Dialect } from '../../core/model/recipe.js';
import type { ContextBody } from '../bundles/choose-context.js';
import type { SecretWatch } from '../secret-watch.js';
import { contextWords } from './context-words.js';

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
          return contextWords(body.piece);
      }
    },
    finish: (words, { id, section, ref }) => ({
      text: secrets.see(id, words, section === 'context' ? ref?.path : undefined),
      hits: secrets.hitsOf(id),
    }),
  };
}
