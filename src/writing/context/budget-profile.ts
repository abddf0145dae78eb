// How much room the layers have: the model's window, what is reserved for its answer, and each layer's share and floor.
import * as z from 'zod';
import type { StoredBudget } from '../../store/tables/budgets.js';

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
