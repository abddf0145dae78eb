// The review as it was written into the file that was opened.
import type { SavedReview } from '../../../src/surfaces/page/saved-review.js';
import type { ReviewDesk } from './desk.js';

export function savedDesk({ changes, sheet, plan, diffs, run, reports = {} }: SavedReview): ReviewDesk {
  const byPath = new Map(diffs.map((diff) => [diff.path, diff]));
  return {
    changes: async () => changes,
    sheet: async () => sheet,
    plan: async () => plan,
    diff: async (_, { files }) =>
      files.map((path) => byPath.get(path) ?? { path, binary: false, hunks: [], left: 0 }),
    report: async (_, format) => reports[format] ?? '',
    ...(run === undefined ? {} : { run }),
  };
}
