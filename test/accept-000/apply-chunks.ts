// Applies the pieces of chunks one after another with real git, and tells which tree they give.
import type { ScratchRepository } from '../../src/git/testing/scratch-repository.js';
import type { ReviewChunks } from '../../src/review/pages/page-set.js';

export interface Applied {
  readonly tree: string;
  /** Lines counted in the texts themselves. */
  readonly added: number;
  readonly removed: number;
  /** Files with a piece that does not apply; none of their pieces is tried. */
  readonly unapplied: readonly string[];
}

export function applyChunks(repository: ScratchRepository, from: string, answer: ReviewChunks): Applied {
  const unapplied = new Set<string>();
  for (const { pieces } of answer.chunks)
    for (const { path, applicable } of pieces) if (!applicable) unapplied.add(path);
  let [added, removed] = [0, 0];
  repository.git('read-tree', from);
  answer.chunks.forEach(({ text, pieces }, page) => {
    const bytes = Buffer.from(text);
    const spans = (answer.receipt.pages[page]?.parts[0]?.spans ?? []).filter(({ fragment }) =>
      /^(diff|part )/.test(fragment),
    );
    spans.forEach(({ start, end }, at) => {
      const patch = bytes.subarray(start, end);
      const lines = changedIn(patch.toString('utf8'));
      added += lines.added;
      removed += lines.removed;
      if (unapplied.has(pieces[at]?.path ?? '')) return;
      repository.raw(['apply', '--cached', '--whitespace=nowarn', '-'], { input: patch });
    });
  });
  const tree = repository.git('write-tree');
  return { tree, added, removed, unapplied: [...unapplied] };
}

function changedIn(patch: string): { added: number; removed: number } {
  let [added, removed, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of patch.split('\n')) {
    if (oldLeft > 0 || newLeft > 0) {
      if (line.startsWith('+')) [added, newLeft] = [added + 1, newLeft - 1];
      else if (line.startsWith('-')) [removed, oldLeft] = [removed + 1, oldLeft - 1];
      else if (!line.startsWith('\\')) [oldLeft, newLeft] = [oldLeft - 1, newLeft - 1];
      continue;
    }
    const match = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (match !== null) [oldLeft, newLeft] = [Number(match[1] ?? 1), Number(match[2] ?? 1)];
  }
  return { added, removed };
}
