// The patches of the wanted entries, one at a time, in the order asked for; every entry gives a patch, even one without hunks.
import { isUtf8 } from 'node:buffer';
import type { ChangeEntry } from '../changes/change-entry.js';
import { streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { detectFlip } from './line-ending-flip.js';
import { isComparable, pairName, writePairTrees } from './pair-trees.js';
import { type ParsedPatch, parsePatches } from './parse-patches.js';
import type { FilePatch, PatchHeader } from './patch.js';

export const patchFlags = [
  '-U3',
  '--inter-hunk-context=0',
  '--diff-algorithm=histogram',
  '--indent-heuristic',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--ignore-submodules=none',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

export async function* streamPatches(
  repository: Repository,
  entries: readonly ChangeEntry[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<FilePatch> {
  const { signal } = options;
  const comparable = entries.filter(isComparable);
  let next = 0;
  let last: ChangeEntry | undefined;
  if (comparable.length > 0) {
    const { oldTree, newTree } = await writePairTrees(repository, comparable, signal);
    const args = ['diff-tree', '-p', '--full-index', ...patchFlags, oldTree, newTree, '--'];
    for await (const parsed of parsePatches(streamGit(repository.cleanRoom, args, { signal }))) {
      const entry = comparable[pairIndex(parsed)];
      if (entry === undefined) continue;
      // The second half of a type change finds its entry already passed.
      if (entry !== last) {
        for (; entries[next] !== entry; next += 1) yield bare(entries[next]!);
        next += 1;
      }
      last = entry;
      yield filePatch(entry, parsed);
    }
  }
  for (const entry of entries.slice(next)) yield bare(entry);
}

function pairIndex(parsed: ParsedPatch): number {
  const from = 'diff --git a/'.length;
  return Number(parsed.header[0]?.slice(from, from + pairName(0).length));
}

function filePatch(entry: ChangeEntry, parsed: ParsedPatch): FilePatch {
  const { header: lines, hunks } = parsed;
  const sum = (pick: (hunk: (typeof hunks)[number]) => number) =>
    hunks.reduce((total, hunk) => total + pick(hunk), 0);
  const flip = detectFlip(hunks);
  return {
    entry,
    header: patchHeader(entry, halfOf(lines)),
    hunks,
    binary: lines.some((line) => line.startsWith('Binary files ')),
    added: sum((hunk) => hunk.added),
    removed: sum((hunk) => hunk.removed),
    lossy: hunks.some((hunk) => !isUtf8(hunk.body)),
    ...(flip === undefined ? {} : { eolFlip: flip }),
  };
}

function bare(entry: ChangeEntry): FilePatch {
  return { entry, header: patchHeader(entry), hunks: [], binary: false, added: 0, removed: 0, lossy: false };
}

type Half = 'create' | 'delete' | undefined;

function halfOf(lines: readonly string[]): Half {
  if (lines.some((line) => line.startsWith('new file mode '))) return 'create';
  return lines.some((line) => line.startsWith('deleted file mode ')) ? 'delete' : undefined;
}

function patchHeader(entry: ChangeEntry, half?: Half): PatchHeader {
  const newPath = entry.rawPath ?? Buffer.from(entry.path);
  const oldPath = entry.oldPath === undefined ? newPath : (entry.rawOldPath ?? Buffer.from(entry.oldPath));
  const change = half ?? changeOf(entry);
  const nothing = '0'.repeat((entry.newBlob ?? entry.oldBlob ?? '').length);
  const old = change === 'create' ? nothing : entry.oldBlob;
  const current = change === 'delete' ? nothing : entry.newBlob;
  return {
    change,
    oldPath,
    newPath,
    ...(change === 'create' || entry.oldMode === undefined ? {} : { oldMode: entry.oldMode }),
    ...(change === 'delete' || entry.newMode === undefined ? {} : { newMode: entry.newMode }),
    ...(entry.similarity === undefined ? {} : { similarity: entry.similarity }),
    ...(old === undefined || current === undefined ? {} : { ids: { old, new: current } }),
  };
}

function changeOf(entry: ChangeEntry): PatchHeader['change'] {
  if (entry.status === 'renamed') return 'rename';
  if (entry.status === 'copied') return 'copy';
  if (entry.oldMode === undefined) return 'create';
  return entry.newMode === undefined && entry.status !== 'unmerged' ? 'delete' : 'modify';
}
