// One line that says what a reader of the pages sees and what not.

import { type CoverageWords, reportWords } from '../report/report-words.js';
import type { Omission } from './omission.js';

export interface Covered {
  readonly files: number;
  readonly pages?: number;
  /** Something is missing that no omission names. */
  readonly cut?: boolean;
  readonly added: number;
  readonly removed: number;
}

const maxReasons = 6;

/** English unless told; answers and receipts are always English. */
export function coverageLine(
  covered: Covered,
  omitted: readonly Omission[],
  words: CoverageWords = reportWords().coverage,
): string {
  const { files, added, removed, pages, cut = false } = covered;
  const seen = words.seen({ files, added, removed, pages });
  if (omitted.length === 0) return cut ? words.partial(seen) : words.complete(seen);
  const groups = new Map<string, { files: number; added: number; removed: number }>();
  for (const omission of omitted) {
    const reason = words.reason(omission);
    const group = groups.get(reason) ?? { files: 0, added: 0, removed: 0 };
    groups.set(reason, {
      files: group.files + 1,
      added: group.added + omission.added,
      removed: group.removed + omission.removed,
    });
  }
  const shown = [...groups].slice(0, maxReasons).map(([reason, facts]) => words.group(reason, facts));
  const more = groups.size > maxReasons ? [words.moreReasons(groups.size - maxReasons)] : [];
  const paths = new Set(omitted.map(({ path }) => path)).size;
  return words.partial(seen, { files: paths, reasons: [...shown, ...more] });
}
