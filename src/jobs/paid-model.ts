// A model inside a job, within the pace of its provider, the budget of whoever started the job, and the ceiling of the job over all
// its attempts. All three are kept in the store, so they hold over all processes together.
import type { Model } from '../models/contract/model.js';
import type { JobOwner } from '../operations/jobs.js';
import { withSpending } from '../operations/spending-model.js';
import type { Store } from '../store/store.js';
import type { JobSummary } from '../store/tables/job-rows.js';
import { type PaceOptions, pacedModel } from './paced-model.js';
import { waitForStore } from './wait-for-store.js';

interface PayOptions extends PaceOptions {
  readonly store: Pick<Store, 'paces' | 'spending'>;
}

export function paidModel(
  model: Model,
  job: Pick<JobSummary, 'project' | 'id' | 'owner' | 'ceiling'>,
  { store: shared, ...pace }: PayOptions,
): Model {
  const { catalog } = pace;
  const { budget } = job.owner as JobOwner;
  const { spending } = shared;
  const store = async () => ({
    spending: {
      ...spending,
      // What was paid for is not lost to a store that is away for a moment.
      add: (...amounts: Parameters<typeof spending.add>) => waitForStore(() => spending.add(...amounts)),
    },
  });
  let paid = pacedModel(model, shared, pace);
  if (budget !== undefined) paid = withSpending(paid, { store, period: 'month', catalog, ...budget });
  if (job.ceiling === undefined) return paid;
  const owner = `job:${job.project}/${job.id}`;
  return withSpending(paid, { store, owner, period: 'all', catalog, limits: { dollars: job.ceiling / 1e6 } });
}
