// The diff of one unit with its place: other units of the file are shown as they are now, so that line numbers are true.
import { hunkLines, lineText } from '../../git/patch/patch.js';
import { projectHunks } from '../../git/patch/project-hunks.js';
import { compactLines, rangesOf } from '../units/line-ranges.js';
import type { ReviewUnit } from '../units/unit.js';

export interface UnitDiff {
  readonly text: string;
  /** Changed lines that a length limit left out. */
  readonly leftOut: { readonly added: number; readonly removed: number };
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

export function unitLocation(unit: ReviewUnit): string {
  const current = compactLines(unit.added);
  if (current !== null) return `${unit.path}:${current}`;
  const old = compactLines(unit.removed);
  return old === null ? unit.path : `${unit.file.patch.entry.oldPath ?? unit.path}:${old} (old)`;
}

export function unitDiff(unit: ReviewUnit, mostCharacters = Number.POSITIVE_INFINITY): UnitDiff {
  if (unit.lines.length === 0) return { text: `@@ ${unit.path} @@\n${fileFact(unit)}\n`, leftOut: none };
  const own = new Set(unit.lines.map(({ hunk, place }) => `${hunk}:${place}`));
  const hunks = projectHunks(unit.file.patch, (hunk, line) =>
    own.has(`${hunk}:${line}`) ? 'now' : 'before',
  );
  let text = '';
  const leftOut = { added: 0, removed: 0 };
  for (const hunk of hunks) {
    let newLine = hunk.newCount === 0 ? hunk.newStart + 1 : hunk.newStart;
    const lines = hunkLines(hunk);
    const numbers: number[] = [];
    for (const { kind } of lines) {
      if (kind === 'added') numbers.push(newLine);
      if (kind !== 'removed') newLine += 1;
    }
    text += `@@ ${place(unit, numbers, newLine)} @@\n`;
    for (const line of lines) {
      const written = `${signs[line.kind]}${lineText(line)}\n`;
      if (text.length + written.length > mostCharacters) {
        if (line.kind !== 'context') leftOut[line.kind] += 1;
      } else text += written;
    }
  }
  const rest = leftOut.added + leftOut.removed;
  return { text: rest === 0 ? text : `${text}[${rest} more changed lines left out]\n`, leftOut };
}

const none = { added: 0, removed: 0 };

function place(unit: ReviewUnit, added: readonly number[], end: number): string {
  const lines = compactLines(rangesOf(added));
  return lines === null ? `${unit.path}:L${Math.max(1, end - 1)} (removal)` : `${unit.path}:${lines}`;
}

function fileFact({ file }: ReviewUnit): string {
  const { entry, header } = file.patch;
  if (header.change === 'rename') return `renamed from ${entry.oldPath ?? ''}`;
  if (header.change === 'copy') return `copied from ${entry.oldPath ?? ''}`;
  if (entry.oldMode !== entry.newMode && entry.oldMode !== undefined && entry.newMode !== undefined)
    return `mode ${entry.oldMode} became ${entry.newMode}`;
  if (header.change === 'create') return 'new file without lines';
  return header.change === 'delete' ? 'deleted file without lines' : `${entry.status} without changed lines`;
}
