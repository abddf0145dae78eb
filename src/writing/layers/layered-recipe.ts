// Four layers in their order of giving way, and the sections in which they are read. Order, shares, floors and the policy of
// Rules are fixed; only the numbers of shares and floors follow a project's budget.
import type { Layer } from '../../core/model/layer.js';
import type { Recipe, Section } from '../../core/model/recipe.js';
import type { BudgetProfile } from '../context/budget-profile.js';

export type SectionId =
  | 'constraints'
  | 'entities'
  | 'preferences'
  | 'style-guide'
  | 'outline'
  | 'project-settings'
  | 'relevant-entities'
  | 'summaries'
  | 'cases'
  | 'retrieved'
  | 'working-memory'
  | 'text'
  | 'instruction';

const stable = (id: SectionId): Section => ({ id, channel: 'prompt', stable: true, breakpoint: true });
const volatile = (id: SectionId): Section => ({ id, channel: 'prompt' });

/** In the order Rules, Settings, Retrieved, Immediate; entities chosen by relevance stand behind the cache boundary. */
export const layeredSections: readonly Section[] = [
  stable('constraints'),
  stable('entities'),
  stable('preferences'),
  stable('style-guide'),
  stable('outline'),
  stable('project-settings'),
  volatile('relevant-entities'),
  volatile('summaries'),
  volatile('cases'),
  { ...volatile('retrieved'), breakpoint: true },
  volatile('working-memory'),
  volatile('text'),
  volatile('instruction'),
];

export const mostRetrieved = 200;

export interface LayerOptions {
  /** Tokens for all layers together. */
  readonly total: number;
  /** Whether a passage that does not fit may be shown in part; else it is shown whole or not at all. */
  readonly refill: boolean;
}

export function writingLayers(
  { layers }: Pick<BudgetProfile, 'layers'>,
  options: LayerOptions,
): readonly Layer[] {
  const { rules, settings, retrieved, immediate } = layers;
  // The floor of Rules is a stop line too: their own line never lies below it.
  const ownShare = Math.min(1, Math.max(rules.share, rules.floor / Math.max(1, options.total)));
  return [
    { id: 'rules', manner: 'highest-rank', share: ownShare, ownLine: true },
    { id: 'settings', manner: 'highest-rank', share: settings.share, floor: settings.floor, turn: 2 },
    {
      id: 'retrieved',
      // Cut to its telling part, the best that does not fit is worth more than lesser ones that would.
      manner: options.refill ? 'rank-then-level' : 'highest-rank',
      share: retrieved.share,
      floor: retrieved.floor,
      turn: 1,
      most: mostRetrieved,
    },
    { id: 'immediate', manner: 'nearest', share: immediate.share, floor: immediate.floor, turn: 3 },
  ];
}

export function layeredRecipe(profile: Pick<BudgetProfile, 'layers'>, options: LayerOptions): Recipe {
  return {
    id: 'layered',
    version: 1,
    overflow: 'concede',
    layers: writingLayers(profile, options),
    sections: layeredSections,
  };
}
