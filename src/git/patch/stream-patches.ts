// The patches of the wanted entries, one at a time, in the order asked for; every entry gives a patch, even one without hunks.
import { isUtf8 } from 'node:buffer';
import type { ChangeEntry } from '../changes/change-entry.js';
import { askGit, streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { type ParsedHunk, type ParsedPatch, parsePatches } from './parse-patches.js';
import { type FilePatch, hunkLines, type LineEndingFlip, type PatchHeader } from './patch.js';

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

interface PairTrees {
  readonly oldTree: string;
  readonly newTree: string;
}

/** Pages and plan ask for the same pairs, one after the other. */
const lastWritten = new WeakMap<Repository, { readonly input: string; readonly trees: PairTrees }>();

/**
 * Two small trees that hold the wanted pairs under numbered names: git compares exactly the contents we paired, in our order,
 * whatever their paths are made of and however many there are.
 */
export async function writePairTrees(
  repository: Repository,
  entries: readonly ChangeEntry[],
  signal: AbortSignal | undefined,
): Promise<PairTrees> {
  // An empty record ends a tree, even one that holds nothing.
  const input = (['old', 'new'] as const).map((side) => `${recordsOf(entries, side).join('')}\0`).join('');
  const last = lastWritten.get(repository);
  if (last?.input === input) return last.trees;
  const made = await askGit(repository.cleanRoom, ['mktree', '--batch', '--missing', '-z'], {
    input: [input],
    signal,
  });
  const [oldTree = '', newTree = ''] = (made ?? '').split('\n');
  const trees = { oldTree, newTree };
  lastWritten.set(repository, { input, trees });
  return trees;
}

function recordsOf(entries: readonly ChangeEntry[], side: 'old' | 'new'): string[] {
  return entries.flatMap((entry, index) => {
    const mode = side === 'old' ? entry.oldMode : entry.newMode;
    const blob = side === 'old' ? entry.oldBlob : entry.newBlob;
    if (mode === undefined || blob === undefined) return [];
    return [`${mode} ${mode === '160000' ? 'commit' : 'blob'} ${blob}\t${pairName(index)}\0`];
  });
}

function pairName(index: number): string {
  return String(index).padStart(9, '0');
}

/** Same content and a patch that cannot be made leave nothing for git to compare. */
export function isComparable(entry: ChangeEntry): boolean {
  if (entry.missing || (entry.oldBlob === undefined && entry.newBlob === undefined)) return false;
  if (entry.status === 'unmerged' && entry.newBlob === undefined) return false;
  return entry.oldBlob !== entry.newBlob || entry.status === 'type-changed';
}

/** Did a file only change its line ends? Tells the flip and what is left of the change without it. */
function detectFlip(hunks: readonly ParsedHunk[]): LineEndingFlip | undefined {
  let [added, removed, addedReturns, removedReturns] = [0, 0, 0, 0];
  for (const hunk of hunks) {
    added += hunk.added;
    removed += hunk.removed;
    addedReturns += hunk.addedReturns;
    removedReturns += hunk.removedReturns;
  }
  if (addedReturns === removedReturns || added === 0 || removed === 0) return undefined;
  const flipped = hunks.reduce((total, hunk) => total + flippedLines(hunk), 0);
  // A few converted lines are an edit; most of the change must be conversion.
  if (flipped * 2 < Math.max(added, removed)) return undefined;
  const toCrlf = addedReturns > removedReturns;
  return {
    from: toCrlf ? 'lf' : 'crlf',
    to: toCrlf ? 'crlf' : 'lf',
    flipped,
    added: added - flipped,
    removed: removed - flipped,
  };
}

function flippedLines(hunk: ParsedHunk): number {
  const waiting = new Map<string, number>();
  let flipped = 0;
  for (const line of hunkLines(hunk)) {
    if (line.kind === 'context') continue;
    const text = line.bytes.toString('latin1');
    const bare = text.endsWith('\r') ? text.slice(0, -1) : text;
    const ending = text.length - bare.length;
    if (line.kind === 'removed') {
      const key = `${ending}${bare}`;
      waiting.set(key, (waiting.get(key) ?? 0) + 1);
    } else {
      const key = `${1 - ending}${bare}`;
      const open = waiting.get(key) ?? 0;
      if (open === 0) continue;
      waiting.set(key, open - 1);
      flipped += 1;
    }
  }
  return flipped;
}
