// Which change is meant: the address of the view, and the change it names.
import type { ReviewedChange } from '../../../src/surfaces/page/saved-review.js';

const modes = ['working', 'staged', 'commit', 'pr'] as const;

/** Undefined where the address names none. */
export function changeOf(query: URLSearchParams): ReviewedChange | undefined {
  const mode = modes.find((known) => known === query.get('mode'));
  if (mode === undefined) return undefined;
  const paths = query.getAll('path');
  const named = (field: 'base' | 'head' | 'commit') => {
    const value = query.get(field);
    return value === null || value === '' ? {} : { [field]: value };
  };
  return {
    mode,
    ...(mode === 'pr' ? { ...named('base'), ...named('head') } : {}),
    ...(mode === 'commit' ? named('commit') : {}),
    ...(paths.length === 0 ? {} : { paths }),
  };
}

/** What `galley review` would take, in its order: what the branch adds, what is not committed, the last commit. */
export const usualChanges: readonly ReviewedChange[] = [
  { mode: 'pr' },
  { mode: 'working' },
  { mode: 'commit', commit: 'HEAD' },
];
