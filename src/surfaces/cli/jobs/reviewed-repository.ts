// Which repository a review that runs later is of: a worker runs elsewhere, so the request says it.
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { repositoryPlace } from '../../../git/repository/repository-place.js';

const reviews: ReadonlySet<string> = new Set(['review:run', 'review:ask']);

/** The repository of this folder, unless the request names another; a worker that may not read it leaves the job to others. */
export async function withRepository(operation: string, request: unknown, folder: string): Promise<unknown> {
  const { repo } = Object(request) as { readonly repo?: unknown };
  if (!reviews.has(operation) || repo !== undefined) return request;
  await repositoryPlace(folder).catch((error: unknown) => {
    if (!isGalleyError(error) || error.code !== 'NOT_A_REPOSITORY') throw error;
    throw new GalleyError(
      'NOT_A_REPOSITORY',
      'This folder is in no repository; the request must name the one to review, as repo.',
      { details: { field: 'repo' }, cause: error },
    );
  });
  return { ...Object(request), repo: folder };
}
