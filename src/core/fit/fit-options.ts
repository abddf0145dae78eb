// What fitting works with, all of it in weights.
import type { Bounds } from '../model/budget.js';
import type { Meter } from '../model/meter.js';
import type { Recipe } from '../model/recipe.js';

export interface FitOptions extends Bounds {
  readonly recipe: Recipe;
  readonly meter: Meter;
  /** Allowed for each page. */
  readonly limit: number;
}
