// The budget of a project; one that cannot be read is replaced by the default, and the answer says so.
import type { Warning } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { type BudgetProfile, defaultBudgetProfile, profileOf } from './budget-profile.js';
import { budgetFallback } from './context-warnings.js';

export interface ReadBudget {
  readonly profile: BudgetProfile;
  readonly version: number;
  readonly warning?: Warning;
}

export async function readBudget(store: Store, project: string): Promise<ReadBudget> {
  const stored = await store.budgets.get(project).catch(() => undefined);
  const profile = stored === undefined ? undefined : profileOf(stored);
  if (stored === undefined || profile === undefined)
    return { profile: defaultBudgetProfile, version: stored?.version ?? 0, warning: budgetFallback };
  return { profile, version: stored.version };
}
