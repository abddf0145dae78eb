// One line that says what a reader of the pages sees and what not.
import type { Omission } from '../prune/omission.js';

export interface Covered {
  readonly files: number;
  readonly pages?: number;
  readonly added: number;
  readonly removed: number;
}

const mostReasons = 6;

export function coverageLine(covered: Covered, omitted: readonly Omission[]): string {
  const pages = covered.pages === undefined ? '' : ` on ${counted(covered.pages, 'page')}`;
  const seen = `${counted(covered.files, 'file')} (+${covered.added} -${covered.removed})${pages}`;
  if (omitted.length === 0) return `Complete: ${seen}; nothing left out.`;
  const groups = new Map<string, { files: number; added: number; removed: number }>();
  for (const { reason, added, removed } of omitted) {
    const group = groups.get(reason) ?? { files: 0, added: 0, removed: 0 };
    groups.set(reason, {
      files: group.files + 1,
      added: group.added + added,
      removed: group.removed + removed,
    });
  }
  const shown = [...groups].slice(0, mostReasons).map(([reason, { files, added, removed }]) => {
    return `${files} ${reason} (+${added} -${removed})`;
  });
  const more = groups.size > mostReasons ? [`${groups.size - mostReasons} more reasons`] : [];
  const paths = new Set(omitted.map(({ path }) => path)).size;
  return `Partial: ${seen}; left out ${counted(paths, 'file')}: ${[...shown, ...more].join(', ')}.`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
