// Four layers in their order of giving way, and the sections in which they are read, in two formats: one text of layers, or
// chapters of which the lasting ones are the system text. Order, shares, floors and the policy of Rules are fixed; only the
// numbers of shares and floors follow a project's budget.
import type { Channel, Recipe, Section } from '../../core/model/recipe.js';
import type { BudgetProfile } from '../context/budget-profile.js';

export type PromptFormat = 'layers' | 'chapters';

export type SectionId =
  | 'identity'
  | 'skill'
  | 'constraints'
  | 'cards-open'
  | 'entities'
  | 'cards-close'
  | 'preferences'
  | 'style-guide'
  | 'outline'
  | 'project-settings'
  | 'book-open'
  | 'story'
  | 'relevant-entities'
  | 'summaries'
  | 'cases'
  | 'retrieved'
  | 'previous'
  | 'working-memory'
  | 'text'
  | 'book-close'
  | 'instruction'
  | 'task';

/** What stands between two marks, so that nothing in it can be taken for ours. */
export const fences = [
  { open: 'cards-open', close: 'cards-close', layer: 'rules', around: ['entities'] },
  {
    open: 'book-open',
    close: 'book-close',
    layer: 'immediate',
    around: [
      'story',
      'relevant-entities',
      'summaries',
      'cases',
      'retrieved',
      'previous',
      'working-memory',
      'text',
    ],
  },
] as const satisfies readonly {
  open: SectionId;
  close: SectionId;
  layer: string;
  around: readonly SectionId[];
}[];

const mark = (id: SectionId, channel: Channel, stable = false): Section =>
  stable ? { id, channel, stable } : { id, channel };
const lasting = (id: SectionId, channel: Channel): Section => ({
  id,
  channel,
  stable: true,
  breakpoint: true,
});
const passing = (id: SectionId): Section => ({ id, channel: 'prompt' });

/** What changes least stands first; entities chosen by relevance stand behind the cache boundary. */
const bookSections: readonly Section[] = [
  mark('book-open', 'prompt'),
  { ...passing('story'), breakpoint: true },
  passing('relevant-entities'),
  passing('summaries'),
  passing('cases'),
  { ...passing('retrieved'), breakpoint: true },
  passing('previous'),
  passing('working-memory'),
  passing('text'),
  mark('book-close', 'prompt'),
];

const cardSections = (channel: Channel): readonly Section[] => [
  mark('cards-open', channel, true),
  { ...lasting('entities', channel), breakpoint: false },
  { ...mark('cards-close', channel, true), breakpoint: true },
];

export const formatSections: Readonly<Record<PromptFormat, readonly Section[]>> = {
  layers: [
    lasting('constraints', 'prompt'),
    ...cardSections('prompt'),
    lasting('preferences', 'prompt'),
    lasting('style-guide', 'prompt'),
    lasting('outline', 'prompt'),
    lasting('project-settings', 'prompt'),
    ...bookSections,
    passing('instruction'),
  ],
  chapters: [
    lasting('identity', 'system'),
    lasting('constraints', 'system'),
    lasting('preferences', 'system'),
    lasting('style-guide', 'system'),
    lasting('outline', 'system'),
    lasting('project-settings', 'system'),
    ...cardSections('system'),
    // The same for every call of a skill; what is asked for this time stands last.
    lasting('skill', 'system'),
    ...bookSections,
    passing('task'),
  ],
};

export const mostRetrieved = 200;

export interface LayerOptions {
  /** Tokens for all layers together. */
  readonly total: number;
  /** Whether a passage that does not fit may be shown in part; else it is shown whole or not at all. */
  readonly refill: boolean;
  readonly format?: PromptFormat;
  /** Whether people who are not in the scene give way on their own, first of all. */
  readonly people?: boolean;
  /** Tokens of which the share of Rules is taken; the total unless told. */
  readonly lineOf?: number;
}

export function layeredRecipe({ layers }: Pick<BudgetProfile, 'layers'>, options: LayerOptions): Recipe {
  const { total, refill, format = 'layers', people = false, lineOf = total } = options;
  const { rules, settings, retrieved, immediate } = layers;
  // The floor of Rules is a stop line too: their own line never lies below it.
  const line = Math.max(rules.share * lineOf, Math.min(rules.floor, lineOf));
  return {
    id: format === 'layers' ? 'layered' : 'chaptered',
    version: 2,
    overflow: 'concede',
    layers: [
      { id: 'rules', keep: 'highest-rank', share: Math.min(1, line / Math.max(1, total)), selfCapped: true },
      ...(people ? [{ id: 'people', keep: 'highest-rank', yieldOrder: 0 } as const] : []),
      { id: 'settings', keep: 'highest-rank', share: settings.share, floor: settings.floor, yieldOrder: 2 },
      {
        id: 'retrieved',
        // Cut to its telling part, the best that does not fit is worth more than lesser ones that would.
        keep: refill ? 'rank-then-level' : 'highest-rank',
        share: retrieved.share,
        floor: retrieved.floor,
        yieldOrder: 1,
        most: mostRetrieved,
      },
      { id: 'immediate', keep: 'nearest', share: immediate.share, floor: immediate.floor, yieldOrder: 3 },
    ],
    sections: formatSections[format],
  };
}

/** The same shares with floors that shrink with a budget below the window they are meant for. */
export function scaledLayers(profile: BudgetProfile, total: number): Pick<BudgetProfile, 'layers'> {
  const part = Math.min(1, total / Math.max(1, profile.window - profile.outputReserve));
  const scaled = ({ share, floor }: { share: number; floor: number }) => ({
    share,
    floor: Math.floor(floor * part),
  });
  const { rules, settings, retrieved, immediate } = profile.layers;
  return {
    layers: {
      rules: scaled(rules),
      settings: scaled(settings),
      retrieved: scaled(retrieved),
      immediate: scaled(immediate),
    },
  };
}
