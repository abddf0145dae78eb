// The same four layers in chapters: who the model is, constraints, preferences, project material, what was, what is at hand, the
// task. What lasts from run to run is the system text; the rest is the user text.
import type { Recipe, Section } from '../../core/model/recipe.js';
import type { BudgetProfile } from '../context/budget-profile.js';
import { writingLayers } from '../layers/layered-recipe.js';

export type ChapterId =
  | 'identity'
  | 'constraints'
  | 'preferences'
  | 'style-guide'
  | 'outline'
  | 'characters'
  | 'evidence'
  | 'summaries'
  | 'retrieved'
  | 'surroundings'
  | 'task';

const lasting = (id: ChapterId): Section => ({ id, channel: 'system', stable: true, breakpoint: true });
const passing = (id: ChapterId): Section => ({ id, channel: 'prompt' });

export const chapters: readonly Section[] = [
  lasting('identity'),
  lasting('constraints'),
  lasting('preferences'),
  lasting('style-guide'),
  lasting('outline'),
  lasting('characters'),
  passing('evidence'),
  passing('summaries'),
  passing('retrieved'),
  passing('surroundings'),
  passing('task'),
];

/** A skill's budget is small: identity, constraints and characters may take up to half of it before they keep to a line. */
const rulesShare = 0.5;

export interface ChapteredOptions {
  /** Tokens for system and user text together. */
  readonly total: number;
  /** With no line of their own, Rules stay whole. */
  readonly rulesKeepLine: boolean;
}

/** Floors shrink with the budget: they are meant for a whole window. */
export function chapteredRecipe(profile: BudgetProfile, { total, rulesKeepLine }: ChapteredOptions): Recipe {
  const part = Math.min(1, total / Math.max(1, profile.window - profile.outputReserve));
  const { rules, settings, retrieved, immediate } = profile.layers;
  const scaled = ({ share, floor }: { share: number; floor: number }) => ({
    share,
    floor: Math.floor(floor * part),
  });
  const share = rulesKeepLine ? Math.max(rules.share, rulesShare) : 1;
  const layers = {
    rules: { ...scaled(rules), share },
    settings: scaled(settings),
    retrieved: scaled(retrieved),
    immediate: scaled(immediate),
  };
  return {
    id: 'chaptered',
    version: 1,
    overflow: 'concede',
    layers: writingLayers({ layers }, { total, refill: true }),
    sections: chapters,
  };
}
