// Two sets of edits of one text: those a draft brings and those made meanwhile. Edits elsewhere stay side by side; edits in the same
// place are nobody's to choose here and come back as conflicts.
import { type Edit, withEdits } from './sentence-diff.js';

export interface MergedEdits {
  /** In code units of the text as it is now. */
  readonly edits: readonly Edit[];
  /** Those of `mine` that meet an edit made meanwhile. */
  readonly conflicts: readonly Edit[];
}

/** Both lists ascend and are free of overlaps. */
export function mergeEdits(base: string, mine: readonly Edit[], theirs: readonly Edit[]): MergedEdits {
  const edits: Edit[] = [];
  const conflicts: Edit[] = [];
  for (const edit of mine) {
    const met = theirs.filter((other) => meets(edit, other));
    if (met.length > 0) {
      if (!isThere(base, edit, met)) conflicts.push(edit);
      continue;
    }
    const shift = theirs.reduce((sum, other) => (isBefore(other, edit) ? sum + growth(other) : sum), 0);
    edits.push({ start: edit.start + shift, end: edit.end + shift, text: edit.text });
  }
  return { edits, conflicts };
}

const growth = ({ start, end, text }: Edit) => text.length - (end - start);
const isInsertion = ({ start, end }: Edit) => start === end;

function meets(mine: Edit, other: Edit): boolean {
  if (isInsertion(mine) && isInsertion(other)) return mine.start === other.start;
  if (isInsertion(mine)) return other.start < mine.start && mine.start < other.end;
  if (isInsertion(other)) return mine.start < other.start && other.start < mine.end;
  return mine.start < other.end && other.start < mine.end;
}

function isBefore(other: Edit, mine: Edit): boolean {
  return isInsertion(other) ? other.start <= mine.start : other.end <= mine.start;
}

/** Somebody wrote the same words already. */
function isThere(base: string, mine: Edit, met: readonly Edit[]): boolean {
  if (met.some(({ start, end }) => start < mine.start || end > mine.end)) return false;
  const own = met.map(({ start, end, text }) => ({ start: start - mine.start, end: end - mine.start, text }));
  return withEdits(base.slice(mine.start, mine.end), own) === mine.text;
}
