// When pages are few, which hunks stay? Those with the most changed lines for their price, each line counted by what is at stake;
// room left at the end takes the beginning of one more hunk.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Meter } from '../../core/model/meter.js';
import { type FilePatch, type Hunk, hunkBody, hunkLines } from '../../git/patch/patch.js';
import { selectLines } from '../../git/patch/select-lines.js';
import { hunkHeader } from '../../git/patch/write-patch.js';
import type { Omission } from '../change/omission.js';
import type { LineImportance } from './line-importance.js';
import type { Renumber } from './piece.js';
import { patchBytes } from './piece.js';

interface HunkFact {
  readonly path: string;
  /** A type change has two patches. */
  readonly patch: number;
  readonly hunk: number;
  readonly weight: number;
  readonly lines: number;
  readonly added: number;
  readonly removed: number;
  readonly importance: number;
}

export interface FileFact {
  readonly path: string;
  /** Weight of the lines above the hunks. */
  readonly head: number;
  readonly hunks: readonly HunkFact[];
}

export interface Chosen {
  /** How many lines of each hunk stay; absent for none. */
  readonly kept: ReadonlyMap<string, number>;
  readonly files: ReadonlySet<string>;
}

/** That a place changed at all is worth something, and a line that is gone tells less than one that is new. */
const place = 2;
const removedLine = 0.5;

export function fileFact(
  patches: readonly FilePatch[],
  meter: Meter,
  importanceOf: LineImportance,
): FileFact {
  const { path } = patches[0]!.entry;
  const hunks = patches.flatMap((each, patch) =>
    each.hunks.map((hunk, at): HunkFact => {
      const text = `${hunkHeader(hunk)}${hunk.heading.toString('utf8')}\n${hunk.body.toString('utf8')}`;
      const { added, removed } = hunk;
      const lines = hunkLines(hunk).length;
      const importance = importanceOf(path, hunk);
      return { path, patch, hunk: at, weight: meter.weigh(text), lines, added, removed, importance };
    }),
  );
  const bare = patches.map((patch) => patchBytes({ ...patch, hunks: [] }).toString('utf8')).join('');
  return { path, head: meter.weigh(`${bare}--- a/${path}\n+++ b/${path}\n`), hunks };
}

/** Lines differ in length, so the beginning of a hunk is taken a little short. */
const sureShare = 0.9;

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
    .map((offer) => ({ ...offer, worth: worthOf(offer) }))
    .sort((a, b) => b.worth - a.worth || byCodePoint(a.file.path, b.file.path));
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
    const usable = (left - (chosen.has(file.path) ? 0 : file.head)) * sureShare;
    const lines = Math.floor((usable / hunk.weight) * hunk.lines);
    if (lines < 4) continue;
    chosen.add(file.path);
    kept.set(keyOf(hunk), lines);
    break;
  }
  return { kept, files: chosen };
}

/** For its price, head included; a file without hunks, a rename for example, is nothing but its head. */
function worthOf({ file, hunk }: Offer): number {
  if (hunk === undefined) return place / file.head;
  const { importance, added, removed, weight } = hunk;
  return (importance * (place + added + removed * removedLine)) / (weight + file.head);
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

/** Where hunks that were chosen stand in the whole change: what was left out before them moved their lines, too. */
export function numberedAs(whole: readonly FilePatch[], chosen: readonly FilePatch[]): Renumber | undefined {
  // The two patches of a type change delete and create: nothing before their hunks was left out.
  if (whole.length !== 1 || chosen.length !== 1 || whole[0] === chosen[0]) return undefined;
  const moved = (hunks: readonly Hunk[], line: number) =>
    hunks.reduce((sum, hunk) => {
      const first = firstOf(hunk);
      const isBefore = first < line && first + hunk.oldCount <= line;
      return isBefore ? sum + hunk.newCount - hunk.oldCount : sum;
    }, 0);
  const [all, some] = [whole[0]?.hunks ?? [], chosen[0]?.hunks ?? []];
  const changes = (hunks: readonly Hunk[]) => hunks.reduce((sum, each) => sum + each.added + each.removed, 0);
  const cut = all.filter((hunk) => changes(some.filter((part) => isWithin(part, hunk))) < changes([hunk]));
  return (hunks) =>
    hunks.map((hunk) => {
      const line = firstOf(hunk);
      const moves = { ...hunk, newStart: hunk.newStart + moved(all, line) - moved(some, line) };
      // Behind the cut stands the old text, which the new side need not have.
      return cut.some((whole) => isWithin(hunk, whole)) ? withoutTail(moves) : moves;
    });
}

function isWithin(part: Hunk, hunk: Hunk): boolean {
  const [first, line] = [firstOf(hunk), firstOf(part)];
  return line >= first && line <= first + Math.max(0, hunk.oldCount - 1);
}

/** Without the unchanged lines at its end. */
function withoutTail(hunk: Hunk): Hunk {
  const lines = hunkLines(hunk);
  const end = lines.findLastIndex(({ kind }) => kind !== 'context') + 1;
  const tail = lines.length - end;
  return {
    ...hunk,
    ...{ oldCount: hunk.oldCount - tail, newCount: hunk.newCount - tail },
    body: hunkBody(lines.slice(0, end)),
  };
}

function firstOf({ oldStart, oldCount }: Hunk): number {
  return oldCount === 0 ? oldStart + 1 : oldStart;
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
