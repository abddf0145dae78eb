// Writes a patch the way git does, byte for byte.
import { type FilePatch, gapLine, type Hunk, type PatchHeader } from './patch.js';

const nowhere = Buffer.from('/dev/null');

export function writePatch(patch: FilePatch): Buffer {
  const { header, hunks } = patch;
  if (patch.entry.status === 'unmerged' && header.ids === undefined)
    return Buffer.concat([Buffer.from('* Unmerged path '), quotePath('', header.newPath), Buffer.of(10)]);
  const parts: (Buffer | string)[] = [...headerLines(header)];
  if (patch.binary) {
    const [before, after] = labels(header);
    parts.push('Binary files ', before, ' and ', after, ' differ\n');
  } else if (hunks.length > 0) {
    const [before, after] = labels(header);
    parts.push('--- ', before, tab(before), '\n+++ ', after, tab(after), '\n');
    for (const hunk of hunks) parts.push(hunkHeader(hunk), hunk.heading, '\n', hunk.body, gapLine(hunk));
  }
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

export function hunkHeader(hunk: Hunk): string {
  return `@@ -${range(hunk.oldStart, hunk.oldCount)} +${range(hunk.newStart, hunk.newCount)} @@`;
}

function headerLines(header: PatchHeader): (Buffer | string)[] {
  const { change, oldMode, newMode, ids } = header;
  const lines: (Buffer | string)[] = [
    'diff --git ',
    quotePath('a/', header.oldPath),
    ' ',
    quotePath('b/', header.newPath),
    '\n',
  ];
  const modeChanged = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
  if (change === 'create') lines.push(`new file mode ${newMode ?? '100644'}\n`);
  else if (change === 'delete') lines.push(`deleted file mode ${oldMode ?? '100644'}\n`);
  else if (modeChanged) lines.push(`old mode ${oldMode}\nnew mode ${newMode}\n`);
  if (change === 'rename' || change === 'copy') {
    lines.push(`similarity index ${header.similarity ?? 100}%\n`);
    lines.push(`${change} from `, quotePath('', header.oldPath), '\n');
    lines.push(`${change} to `, quotePath('', header.newPath), '\n');
  }
  if (ids !== undefined && ids.old !== ids.new) {
    const mode = change === 'create' || change === 'delete' || modeChanged ? '' : ` ${newMode}`;
    lines.push(`index ${ids.old}..${ids.new}${mode}\n`);
  }
  return lines;
}

function labels(header: PatchHeader): [Buffer, Buffer] {
  return [
    header.change === 'create' ? nowhere : quotePath('a/', header.oldPath),
    header.change === 'delete' ? nowhere : quotePath('b/', header.newPath),
  ];
}

/** Other tools end a name at a space; git marks its end with a tab. */
function tab(label: Buffer): string {
  return label.includes(32) ? '\t' : '';
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}

const named: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** Git's own spelling of a path in a patch header: C-quoted when a byte could be misread. */
function quotePath(prefix: string, path: Buffer): Buffer {
  const plain = path.every((byte) => byte >= 32 && byte < 127 && byte !== 34 && byte !== 92);
  if (plain) return Buffer.concat([Buffer.from(prefix), path]);
  let quoted = `"${prefix}`;
  for (const byte of path) {
    const octal = `\\${byte.toString(8).padStart(3, '0')}`;
    quoted += named[byte] ?? (byte < 32 || byte >= 127 ? octal : String.fromCharCode(byte));
  }
  return Buffer.from(`${quoted}"`);
}
