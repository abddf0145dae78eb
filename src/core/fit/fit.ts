// What can stay? Either the shortest prefix of the concession list that fits, or another page. Pure and synchronous.
import type { FitResult, PricedSet } from '../model/priced-set.js';
import { concede } from './concede.js';
import type { FitOptions } from './fit-state.js';
import { paginate } from './paginate.js';

export function fit(priced: PricedSet, options: FitOptions): FitResult {
  return options.recipe.overflow === 'paginate' ? paginate(priced, options) : concede(priced, options);
}
