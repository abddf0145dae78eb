// When pages are few, which hunks stay? The press decides, as everywhere: a file is a section whose head is paid once, a hunk is cut
// into short parts that follow one another, and what matters least gives way first.
import { layOut } from '../../core/lay-out.js';
import type { Fragment } from '../../core/model/fragment.js';
import { type Meter, weightOf } from '../../core/model/meter.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { type FilePatch, type Hunk, hunkLines } from '../../git/patch/patch.js';
import { contextLines, selectLines } from '../../git/patch/select-lines.js';
import { hunkHeader } from '../../git/patch/write-patch.js';
import { hashText } from '../../meters/content-hash.js';
import type { Omission } from '../change/omission.js';
import type { Importance, LineImportance } from './line-importance.js';
import { patchBytes } from './piece.js';

interface Part {
  /** Place of its hunk in the patch. */
  readonly hunk: number;
  /** The line of the hunk behind its last one. */
  readonly to: number;
  /** With the narrow margin. */
  readonly weight: number;
}

interface HunkParts {
  readonly parts: readonly Part[];
  /** What the rest of its unchanged lines weighs. */
  readonly margin: number;
}

/** A hunk, or several with nothing but a gap between them. */
interface HunkFact {
  /** A type change has two patches. */
  readonly patch: number;
  /** In order. */
  readonly parts: readonly Part[];
  readonly margin: number;
  readonly weight: number;
  readonly added: number;
  readonly removed: number;
  readonly importance: Importance;
}

export interface FileFact {
  readonly path: string;
  /** The lines above the hunks. */
  readonly head: string;
  readonly importance: Importance;
  readonly hunks: readonly HunkFact[];
}

export interface Chosen {
  /** How many lines of each hunk stay; absent for none. */
  readonly kept: ReadonlyMap<string, number>;
  /** Hunks with all their unchanged lines. */
  readonly wide: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

/** Tokens of a part, and of one that is cut even between lines and what takes their place. */
const partTokens = 100;
const longestPart = 600;
/** Unchanged lines before and behind a hunk while changed ones find no room. */
const narrowMargin = 1;

export function fileFact(
  patches: readonly FilePatch[],
  meter: Meter,
  importanceOf: LineImportance,
): FileFact {
  const { path } = patches[0]!.entry;
  const hunks = patches.flatMap((each, patch) => {
    const facts: HunkFact[] = [];
    each.hunks.forEach((hunk, at) => {
      const { parts, margin } = partsOf(hunk, at, meter);
      const fact = {
        ...{ patch, parts, margin, importance: importanceOf(path, hunk) },
        weight: parts.reduce((sum, part) => sum + part.weight, 0),
        added: hunk.added + (hunk.gap?.added ?? 0),
        removed: hunk.removed + (hunk.gap?.removed ?? 0),
      };
      const before = each.hunks[at - 1]?.gap === undefined ? undefined : facts.pop();
      facts.push(before === undefined ? fact : joined(before, fact));
    });
    return facts;
  });
  const bare = patches.map((patch) => patchBytes({ ...patch, hunks: [] }).toString('utf8')).join('');
  const importance = importanceOf(path, { oldStart: 0, oldCount: 0, newStart: 0, newCount: 0 });
  return { path, head: `${bare}--- a/${path}\n+++ b/${path}\n`, importance, hunks };
}

function joined(first: HunkFact, second: HunkFact): HunkFact {
  return {
    ...first,
    parts: [...first.parts, ...second.parts],
    margin: first.margin + second.margin,
    weight: first.weight + second.weight,
    added: first.added + second.added,
    removed: first.removed + second.removed,
  };
}

function partsOf(hunk: Hunk, at: number, meter: Meter): HunkParts {
  const parts: Part[] = [];
  const add = (to: number, weight: number) => parts.push({ hunk: at, to, weight });
  const lines = hunkLines(hunk);
  const from = lines.findIndex(({ kind }) => kind !== 'context') - narrowMargin;
  const behind = lines.findLastIndex(({ kind }) => kind !== 'context') + narrowMargin;
  let margin = 0;
  let weight = meter.weigh(`${hunkHeader(hunk)}${hunk.heading.toString('utf8')}\n`);
  let hasChange = false;
  lines.forEach(({ kind, bytes }, line) => {
    const own = meter.weigh(` ${bytes.toString('utf8')}\n`);
    if (line < from || line > behind) margin += own;
    else weight += own;
    hasChange ||= kind !== 'context';
    const isInside = kind === 'removed' && lines[line + 1]?.kind !== 'context';
    const most = weightOf(meter, isInside ? longestPart : partTokens);
    if (weight < most || !hasChange || line === lines.length - 1) return;
    add(line + 1, weight);
    weight = 0;
    hasChange = false;
  });
  const last = parts.at(-1);
  // Unchanged lines alone are no part of their own.
  if (last === undefined || hasChange) add(lines.length, weight);
  else parts[parts.length - 1] = { ...last, to: lines.length, weight: last.weight + weight };
  return { parts, margin };
}

const scope = { project: 'review' };

interface ChooseOptions {
  readonly meter: Meter;
  /** A weight. */
  readonly room: number;
  /** What a line of a file takes on its page, for what it weighs as git writes it. */
  priceOf(path: string): number;
}

export function chooseHunks(files: readonly FileFact[], { meter, room, priceOf }: ChooseOptions): Chosen {
  const heads = new Map(files.map(({ path, head }) => [path, head]));
  const recipe: Recipe = {
    id: 'review-hunks',
    version: 1,
    overflow: 'concede',
    layers: [{ id: 'diff', keep: 'rank-then-level', yieldOrder: 1, refill: true }],
    sections: files.map(({ path }) => ({ id: path, channel: 'prompt' })),
  };
  const dialect: Dialect = {
    ...{ id: 'review-hunks', version: 1, apart: '' },
    section: (path) => ({ heading: heads.get(path) ?? '', between: '' }),
    word: () => '',
  };
  const limit = { unit: meter.unit, n: Math.max(0, Math.floor(room / meter.scale)) };
  const { choices } = layOut(
    { recipe, dialect, meter, hash: hashText },
    { scope, budget: { limit } },
    files.flatMap((file) => partFragments(file, meter, priceOf(file.path))),
  );
  const kept = new Map<string, number>();
  const wide = new Set<string>();
  const chosen = new Set<string>();
  for (const { level, wording } of choices) {
    const { body } = wording.fragment.levels[0] as { readonly body: PartBody };
    if (level === undefined) continue;
    chosen.add(body.path);
    for (const key of body.widens ?? []) wide.add(key);
    if (body.hunk !== undefined) kept.set(body.hunk, Math.max(body.to, kept.get(body.hunk) ?? 0));
  }
  return { kept, wide, files: chosen };
}

interface PartBody {
  readonly path: string;
  /** Absent for a file that is nothing but its head, a rename for example. */
  readonly hunk?: string;
  readonly to: number;
  /** Hunks that get the rest of their unchanged lines. */
  readonly widens?: readonly string[];
}

const turns = ['last', 'later', 'usual', 'urgent'] as const satisfies readonly Importance['turn'][];
const rankOfTurn = (turn: Importance['turn']) => turns.indexOf(turn) * 1e9;
/** Unchanged lines come behind all that changed. */
const behindAll = -1e10;
/** Tokens of one file that go before what comes later; a file that says more waits with the rest of it. */
const firstTokens = {
  urgent: 400,
  usual: 300,
  later: Number.POSITIVE_INFINITY,
  last: Number.POSITIVE_INFINITY,
};
/** Tokens of one file after which its next line counts half. */
const halving = 1000;
/** That a place changed at all is worth something, and a line that is gone tells less than one that is new. */
const place = 2;
const removedLine = 0.5;
/** Short hunks tell more for their price, long ones more for their context: a little less than the price counts. */
const priceExponent = 0.8;

/** The more of a file is shown, the less its next line tells: so one large file leaves room for the others. */
function partFragments(
  { path, hunks, head, importance }: FileFact,
  meter: Meter,
  price: number,
): Fragment<PartBody>[] {
  const fact = { source: 'diff', scope, layer: 'diff', section: path };
  const above = meter.weigh(head);
  const worth = ({
    importance: { line },
    added,
    removed,
    weight,
  }: Pick<HunkFact, 'importance' | 'added' | 'removed' | 'weight'>) =>
    (line * (place + added + removed * removedLine)) / (weight + above) ** priceExponent;
  if (hunks.length === 0) {
    const rank = rankOfTurn(importance.turn) + worth({ importance, added: 0, removed: 0, weight: 0 });
    const levels = [{ name: 'whole', body: { path, to: 0 }, weight: 0 }];
    return [{ ...fact, id: path, rank, position: 0, levels }];
  }
  const first = (hunk: HunkFact) => rankOfTurn(hunk.importance.turn) + worth(hunk);
  let shown = 0;
  return [...hunks]
    .sort((a, b) => first(b) - first(a))
    .flatMap((hunk) => {
      const begins = hunk.parts[0]?.hunk ?? 0;
      const idOf = (at: number) => `${keyOf(path, hunk.patch, begins)} ${at}`;
      const parts = hunk.parts.map(({ hunk: place, to, weight }, at): Fragment<PartBody> => {
        const key = keyOf(path, hunk.patch, place);
        const { turn } = hunk.importance;
        const isFirst = shown < weightOf(meter, firstTokens[turn]);
        const rank =
          rankOfTurn(isFirst ? turn : 'later') + worth(hunk) / (1 + shown / weightOf(meter, halving));
        shown += weight;
        return {
          ...{ ...fact, id: idOf(at), rank, position: hunk.patch * 1e6 + begins + at / 1e6 },
          levels: [{ name: 'whole', body: { path, hunk: key, to }, weight: Math.ceil(weight * price) }],
          ...(at === 0 ? {} : { continues: idOf(at - 1) }),
        };
      });
      if (hunk.margin === 0) return parts;
      const widens = [...new Set(hunk.parts.map(({ hunk: place }) => keyOf(path, hunk.patch, place)))];
      const margin: Fragment<PartBody> = {
        ...{ ...fact, id: `${idOf(0)} margin`, rank: behindAll + first(hunk) },
        position: hunk.patch * 1e6 + begins + 0.9,
        levels: [{ name: 'whole', body: { path, to: 0, widens }, weight: Math.ceil(hunk.margin * price) }],
        continues: idOf(hunk.parts.length - 1),
      };
      return [...parts, margin];
    });
}

function keyOf(path: string, patch: number, hunk: number): string {
  return `${path}\n${patch} ${hunk}`;
}

/** The chosen part of a file as patches that apply to its old side. */
export function chosenPatches(patches: readonly FilePatch[], chosen: Chosen): FilePatch[] {
  const { path } = patches[0]!.entry;
  if (!chosen.files.has(path)) return [];
  const parts = patches.map((patch, at) =>
    selectLines(
      patch,
      (hunk, line) => line < (chosen.kept.get(keyOf(path, at, hunk)) ?? 0),
      (hunk) => (chosen.wide.has(keyOf(path, at, hunk)) ? contextLines : narrowMargin),
    ),
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
