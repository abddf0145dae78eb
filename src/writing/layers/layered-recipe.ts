// Four layers in their order of giving way, and the sections in which they are read, in two formats: one text of layers, or
// chapters of which the lasting ones are the system text. Order, shares, floors and the policy of Rules are fixed; only the
// numbers of shares and floors follow a project's budget.
import * as z from 'zod';
import type { Channel, Recipe, Section } from '../../core/model/recipe.js';

import type { StoredBudget } from '../../store/tables/budgets.js';

// How much room the layers have: the model's window, what is reserved for its answer, and each layer's share and floor.
const layerRoom = z.strictObject({
  /** Part of the total budget. */
  share: z.number().min(0).max(1),
  /** Tokens the layer keeps at least, if it has that many. */
  floor: z.int().nonnegative(),
});

const mostTokens = 100_000_000;

export const budgetFields = {
  window: z.int().positive().max(mostTokens),
  outputReserve: z.int().nonnegative().max(mostTokens),
  layers: z.strictObject({
    rules: layerRoom,
    settings: layerRoom,
    retrieved: layerRoom,
    immediate: layerRoom,
  }),
};

/** Shares are parts of one whole; what was stored before this was asked for is still read. */
export function sharesFit({ layers }: Pick<BudgetProfile, 'layers'>): boolean {
  return Object.values(layers).reduce((sum, { share }) => sum + share, 0) <= 1 + 1e-9;
}

const budgetProfile = z.strictObject(budgetFields);

export type BudgetProfile = Readonly<z.infer<typeof budgetProfile>>;

export type LayerId = keyof BudgetProfile['layers'];

export const defaultBudgetProfile: BudgetProfile = {
  window: 128_000,
  outputReserve: 2_000,
  layers: {
    rules: { share: 0.15, floor: 500 },
    settings: { share: 0.1, floor: 200 },
    retrieved: { share: 0.25, floor: 0 },
    immediate: { share: 0.5, floor: 2_000 },
  },
};

/** Version 0 is the default; a stored value that no longer reads as a profile is undefined. */
export function profileOf(stored: StoredBudget): BudgetProfile | undefined {
  if (stored.version === 0) return defaultBudgetProfile;
  const parsed = budgetProfile.safeParse(stored.value);
  return parsed.success ? parsed.data : undefined;
}

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
  | 'promises'
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
      'promises',
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
  passing('promises'),
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

const formatSections: Readonly<Record<PromptFormat, readonly Section[]>> = {
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

interface LayerOptions {
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
