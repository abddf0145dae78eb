// The diff of one unit with its place: other units of the file are shown as they are now, so that line numbers are true.
import { hunkLines, lineText } from '../../git/patch/patch.js';
import { projectHunks } from '../../git/patch/select-lines.js';
import type { ChangedLine } from '../units/changed-line.js';
import { compactLines, rangesOf } from '../units/line-ranges.js';
import type { ReviewUnit } from '../units/unit.js';

export interface UnitDiff {
  readonly text: string;
  /** Changed lines that a length limit left out. */
  readonly leftOut: { readonly added: number; readonly removed: number };
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

export function unitLocation(unit: ReviewUnit): string {
  return placeOf(unit, unit.lines);
}

export function unitDiff(unit: ReviewUnit, mostCharacters = Number.POSITIVE_INFINITY): UnitDiff {
  if (unit.lines.length === 0) return { text: `@@ ${unit.path} @@\n${fileFact(unit)}\n`, leftOut: none };
  const own = new Set(unit.lines.map(({ hunk, place }) => `${hunk}:${place}`));
  const hunks = projectHunks(unit.file.patch, (hunk, line) =>
    own.has(`${hunk}:${line}`) ? 'now' : 'before',
  );
  const waiting = [...unit.lines];
  let text = '';
  const leftOut = { added: 0, removed: 0 };
  for (const hunk of hunks) {
    const lines = hunkLines(hunk);
    const held: ChangedLine[] = [];
    for (const line of lines) {
      // A line end alone may stand in the hunk as a change of its own.
      if (line.kind !== 'context' && waiting[0]?.kind === line.kind && waiting[0].text === lineText(line))
        held.push(waiting.shift()!);
    }
    text += `@@ ${placeOf(unit, held)} @@\n`;
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

/** Numbers of the new side; for what is gone, of the old. */
function placeOf(unit: ReviewUnit, lines: readonly ChangedLine[]): string {
  const numbers = (kind: ChangedLine['kind']) =>
    compactLines(rangesOf(lines.filter((line) => line.kind === kind).map(({ number }) => number)));
  const current = numbers('added');
  if (current !== null) return `${unit.path}:${current}`;
  const old = numbers('removed');
  return old === null ? unit.path : `${unit.file.patch.entry.oldPath ?? unit.path}:${old} (old)`;
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
