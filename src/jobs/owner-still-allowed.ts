// A job waits with the grants of the token that started it. When that token is revoked or has expired meanwhile, it is not begun.
import { GalleyError, isGalleyError } from '../core/model/error.js';
import type { JobOwner } from '../operations/jobs.js';
import type { Store } from '../store/store.js';
import type { JobSummary } from '../store/tables/job-rows.js';

export async function checkOwner({ owner }: Pick<JobSummary, 'owner'>, { tokens }: Pick<Store, 'tokens'>) {
  const { mark } = owner as JobOwner;
  // Jobs of a shell, a webhook, or a token that stands in a file of the server have none in the store.
  const token = await tokens.get(mark).catch((error: unknown) => {
    if (isGalleyError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (token === undefined || token.state === 'valid') return;
  const words = token.state === 'expired' ? 'has expired' : 'was revoked';
  throw new GalleyError(
    'UNAUTHENTICATED',
    `The token that started this job ${words}; start the job again with another one.`,
    { details: { state: token.state } },
  );
}
