// A project's budget: read it, or change what was read. A stale version is refused and changes nothing.
import * as z from 'zod';
import {
  type BudgetProfile,
  budgetFields,
  defaultBudgetProfile,
  profileOf,
  sharesFit,
} from '../writing/layers/layered-recipe.js';
import { versionedBudget } from './answers/budget.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';
import { nameField, projectRequest } from './writing-fields.js';

const answerOf = (version: number, { window, outputReserve, layers }: BudgetProfile) => ({
  version,
  window,
  outputReserve,
  layers,
});

export const contextBudgetGet = defineOperation({
  id: 'context:budget:get',
  summary: 'Gives the budget of a project with its version.',
  input: projectRequest,
  output: versionedBudget,
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => {
    const stored = await (await context.store()).budgets.get(projectId);
    return answerOf(stored.version, profileOf(stored) ?? defaultBudgetProfile);
  },
});

export const contextBudgetUpdate = defineOperation({
  id: 'context:budget:update',
  summary: 'Replaces the budget of a project; the version must be the one that was read.',
  input: z
    .strictObject({ projectId: nameField, version: z.int().nonnegative(), ...budgetFields })
    .refine(({ window, outputReserve }) => window > outputReserve, {
      error: 'must be smaller than the window',
      path: ['outputReserve'],
    })
    .refine(sharesFit, { error: 'must have shares that sum to at most 1', path: ['layers'] }),
  output: versionedBudget,
  grant: 'write',
  errors: [...storeErrors, 'CONTEXT_BUDGET_CONFLICT'],
  run: async ({ projectId, version, ...profile }, context) => {
    const stored = await (await context.store()).budgets.update(projectId, version, profile);
    return answerOf(stored.version, profile);
  },
});
