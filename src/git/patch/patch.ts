// A patch of one file as bytes: nothing is decoded until somebody reads its lines.
import type { ChangeEntry } from '../changes/change-entry.js';

export interface PatchLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** Without the leading sign and the line end; a carriage return stays. */
  readonly bytes: Buffer;
  /** The last line of a file that does not end with a line end. */
  readonly noNewline: boolean;
}

export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  /** What git prints after the second @@, with its leading space. */
  readonly heading: Buffer;
  /** The lines with their signs and line ends, exactly as git wrote them. */
  readonly body: Buffer;
  readonly added: number;
  readonly removed: number;
  /** Changed lines behind its last one that a reader only gets counted; with one, a patch reads right and does not apply. */
  readonly gap?: { readonly added: number; readonly removed: number };
}

/** A file-level fact that exactly one piece of a split patch may carry. */
export interface PatchHeader {
  readonly change: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
  readonly oldPath: Buffer;
  readonly newPath: Buffer;
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly similarity?: number;
  /** Absent on pieces, whose intermediate contents have no id. */
  readonly ids?: { readonly old: string; readonly new: string };
}

export interface LineEndingFlip {
  readonly from: 'lf' | 'crlf';
  readonly to: 'lf' | 'crlf';
  /** Lines that changed in nothing but their line end. */
  readonly flipped: number;
  /** What remains when line ends are not counted. */
  readonly added: number;
  readonly removed: number;
}

/** A type change (file to symlink, for example) has two patches with the same entry: a deletion, then a creation. */
export interface FilePatch {
  readonly entry: ChangeEntry;
  readonly header: PatchHeader;
  readonly hunks: readonly Hunk[];
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  /** Content that is not UTF-8: its text cannot be written back from decoded lines. */
  readonly lossy: boolean;
  readonly eolFlip?: LineEndingFlip;
}

const signs = { context: 32, added: 43, removed: 45 } as const;
const marker = '\\ No newline at end of file\n';

export function hunkLines(hunk: Hunk): PatchLine[] {
  const lines: PatchLine[] = [];
  const { body } = hunk;
  let from = 0;
  while (from < body.length) {
    const end = body.indexOf(10, from);
    const sign = body[from];
    const stop = body[end + 1] === 92 ? body.indexOf(10, end + 1) : end;
    const kind = sign === 43 ? 'added' : sign === 45 ? 'removed' : 'context';
    lines.push({ kind, bytes: body.subarray(Math.min(from + 1, end), end), noNewline: stop !== end });
    from = stop + 1;
  }
  return lines;
}

export function hunkBody(lines: readonly PatchLine[]): Buffer {
  const parts: Buffer[] = [];
  for (const line of lines) {
    parts.push(Buffer.of(signs[line.kind]), line.bytes, Buffer.of(10));
    if (line.noNewline) parts.push(Buffer.from(marker));
  }
  return Buffer.concat(parts);
}

/** What stands for the lines of a gap; it begins like git's own remark on a line. */
export function gapLine({ gap }: Pick<Hunk, 'gap'>): string {
  if (gap === undefined) return '';
  const counts = [gap.added > 0 ? `${gap.added} added` : '', gap.removed > 0 ? `${gap.removed} removed` : ''];
  return `\\ ${counts.filter((count) => count !== '').join(' and ')} lines of data not shown\n`;
}

/** By how many lines the new side grows over the hunk and its gap. */
export function lineShift({ newCount, oldCount, gap }: Hunk): number {
  return newCount - oldCount + (gap === undefined ? 0 : gap.added - gap.removed);
}

/** The line as text; bytes that are not UTF-8 become U+FFFD. */
export function lineText(line: PatchLine): string {
  return line.bytes.toString('utf8');
}
