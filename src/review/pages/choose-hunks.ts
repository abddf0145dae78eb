// When pages are few, which hunks stay? What matters most first, and of equals the small ones, so that as many places as
// possible are seen; room left at the end takes the beginning of one more hunk.
import { byCodePoint } from '../../core/model/code-point-order.js';
import type { Meter } from '../../core/model/meter.js';
import { type FilePatch, hunkLines } from '../../git/patch/patch.js';
import { selectLines } from '../../git/patch/select-lines.js';
import { hunkHeader } from '../../git/patch/write-patch.js';
import type { Omission } from '../prune/omission.js';
import { patchBytes } from './patch-bytes.js';

export interface HunkFact {
  readonly path: string;
  /** A type change has two patches. */
  readonly patch: number;
  readonly hunk: number;
  readonly weight: number;
  readonly lines: number;
  readonly added: number;
  readonly removed: number;
}

export interface FileFact {
  readonly path: string;
  /** Weight of the lines above the hunks. */
  readonly head: number;
  readonly risk: number;
  readonly hunks: readonly HunkFact[];
}

export interface Chosen {
  /** How many lines of each hunk stay; absent for none. */
  readonly kept: ReadonlyMap<string, number>;
  readonly files: ReadonlySet<string>;
}

export function fileFact(patches: readonly FilePatch[], meter: Meter, risk: number): FileFact {
  const { path } = patches[0]!.entry;
  const hunks = patches.flatMap((each, patch) =>
    each.hunks.map((hunk, at): HunkFact => {
      const text = `${hunkHeader(hunk)}${hunk.heading.toString('utf8')}\n${hunk.body.toString('utf8')}`;
      const { added, removed } = hunk;
      const lines = hunkLines(hunk).length;
      return { path, patch, hunk: at, weight: meter.weigh(text), lines, added, removed };
    }),
  );
  const bare = patches.map((patch) => patchBytes({ ...patch, hunks: [] }).toString('utf8')).join('');
  return { path, head: meter.weigh(`${bare}--- a/${path}\n+++ b/${path}\n`), risk, hunks };
}

interface Offer {
  readonly file: FileFact;
  readonly hunk?: HunkFact;
}

export function chooseHunks(files: readonly FileFact[], room: number): Chosen {
  const kept = new Map<string, number>();
  const chosen = new Set<string>();
  let left = room;
  const offers = files
    .flatMap((file): Offer[] =>
      file.hunks.length === 0 ? [{ file }] : file.hunks.map((hunk) => ({ file, hunk })),
    )
    .sort(
      (a, b) =>
        b.file.risk - a.file.risk ||
        (a.hunk?.weight ?? 0) - (b.hunk?.weight ?? 0) ||
        byCodePoint(a.file.path, b.file.path),
    );
  const costOf = ({ file, hunk }: Offer) => (chosen.has(file.path) ? 0 : file.head) + (hunk?.weight ?? 0);
  const waiting: Offer[] = [];
  for (const offer of offers) {
    const cost = costOf(offer);
    if (cost > left) {
      waiting.push(offer);
      continue;
    }
    left -= cost;
    chosen.add(offer.file.path);
    if (offer.hunk !== undefined) kept.set(keyOf(offer.hunk), offer.hunk.lines);
  }
  for (const { file, hunk } of waiting) {
    if (hunk === undefined) continue;
    const usable = (left - (chosen.has(file.path) ? 0 : file.head)) * 0.8;
    const lines = Math.floor((usable / hunk.weight) * hunk.lines);
    if (lines < 4) continue;
    chosen.add(file.path);
    kept.set(keyOf(hunk), lines);
    break;
  }
  return { kept, files: chosen };
}

/** The chosen part of a file as patches that apply to its old side. */
export function chosenPatches(patches: readonly FilePatch[], chosen: Chosen): FilePatch[] {
  const { path } = patches[0]!.entry;
  if (!chosen.files.has(path)) return [];
  const parts = patches.map((patch, at) =>
    selectLines(patch, (hunk, line) => line < (chosen.kept.get(`${path}\n${at} ${hunk}`) ?? 0)),
  );
  return parts.filter((part, at) => part.hunks.length > 0 || patches[at]?.hunks.length === 0);
}

/** What stays behind of each file, once it is known how many lines were sent. */
export function beyondPages(
  files: readonly FileFact[],
  sent: ReadonlyMap<string, { added: number; removed: number }>,
  maxPages: number,
): Omission[] {
  return files.flatMap(({ path, hunks }): Omission[] => {
    const seen = sent.get(path);
    const added = hunks.reduce((sum, hunk) => sum + hunk.added, 0) - (seen?.added ?? 0);
    const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0) - (seen?.removed ?? 0);
    if (seen !== undefined && added === 0 && removed === 0) return [];
    const reason = `beyond ${maxPages} page${maxPages === 1 ? '' : 's'}`;
    return [
      { path, reason, rule: 'pages', added, removed, ...(seen === undefined ? {} : { partial: true }) },
    ];
  });
}

function keyOf({ path, patch, hunk }: HunkFact): string {
  return `${path}\n${patch} ${hunk}`;
}
