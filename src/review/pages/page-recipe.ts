// The order of giving way for a chunk: context and findings of linters use what room is left, nothing else ever yields; the diff
// goes on to another page.
import type { Recipe } from '../../core/model/recipe.js';
import { contextLayers } from '../bundles/choose-context.js';

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
