import * as z from 'zod';
import { type BudgetProfile, budgetFields } from '../../writing/layers/layered-recipe.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';

export interface VersionedBudget extends BudgetProfile {
  readonly version: number;
}

export const versionedBudgetObject = noun(
  'Budget',
  z.strictObject({
    version: count.describe('0 while nobody changed it'),
    ...budgetFields,
  }),
);

export const versionedBudget = answer<VersionedBudget>()(versionedBudgetObject);
