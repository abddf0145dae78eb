// What can stay? Either the shortest prefix of the concession list that fits, or another page. Pure and synchronous.
import type { Selection } from '../model/selection.js';
import type { Phrased } from '../model/wording.js';
import { concede } from './concede.js';
import type { FitOptions } from './fit-options.js';
import { paginate } from './paginate.js';

export function fit(phrased: Phrased, options: FitOptions): Selection {
  return options.recipe.overflow === 'paginate' ? paginate(phrased, options) : concede(phrased, options);
}
