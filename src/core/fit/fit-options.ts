// What fitting works with.
import type { Meter } from '../model/meter.js';
import type { Recipe } from '../model/recipe.js';

export interface FitOptions {
  readonly recipe: Recipe;
  readonly meter: Meter;
  /** Weight allowed for each page. */
  readonly limit: number;
  /** Weight allowed on each page for what is spread. */
  readonly spread?: number;
  readonly maxPages?: number;
}
