// The change that the page will ask for first, read while the browser is being started: once asked for it is read anew, and only where it is
// the same is anything of this used.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reviewRequest } from '../../../review/change/review-request.js';
import { lookAtChanges } from '../../../review/look/look-at-changes.js';
import type { ReviewLooks } from '../../../review/look/review-looks.js';

interface Ahead {
  readonly folder: string;
  /** The part of the page that is landed on, with its query. */
  readonly view: string;
  readonly looks: ReviewLooks;
  readonly signal: AbortSignal;
}

/** In the order of the page: the first that holds anything is the one that is shown. */
const usual = ['mode=pr', 'mode=working', 'mode=commit&commit=HEAD'];

export async function readChangeAhead({ folder, view, looks, signal }: Ahead): Promise<void> {
  const [path = '', query = ''] = view.split('?', 2);
  const isBook = existsSync(join(folder, '.galley', 'project.json'));
  if (path !== 'review' && path !== 'sent' && (path !== '' || isBook)) return;
  for (const each of query === '' ? usual : [query]) {
    const asked = reviewRequest.safeParse(fieldsOf(new URLSearchParams(each)));
    if (!asked.success || signal.aborted) return;
    // What is refused, the page is told when it asks.
    const found = await lookAtChanges(asked.data, { folder, looks, signal }).catch(() => undefined);
    if (found !== undefined && found.entries.length > 0) return;
  }
}

function fieldsOf(query: URLSearchParams): object {
  const paths = query.getAll('path');
  query.delete('path');
  return { ...Object.fromEntries(query), ...(paths.length === 0 ? {} : { paths }) };
}
