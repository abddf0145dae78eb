// What could stand beside the diff of some units, line by line and no line twice: first what the plan asks for, in the order in
// which it would be given up, then what ranking finds. Which of it stays is the press's to say.
import type { LineRange } from '../../code/range-evidence.js';
import { byCodePoint } from '../../core/model/code-points.js';
import { groupBy } from '../change/group-by.js';
import { type ContextLevel, contextLevels, levelRank } from '../plan/context-need.js';
import { type PlannedUnit, riskRank } from '../plan/plan-review.js';
import { sharedFolders, stemOf } from '../related/path-kinship.js';
import type { RankedPiece } from '../related/rank-pieces.js';
import type { UnitRequests } from '../requests/answer-requests.js';
import { type FileSide, textLines } from '../units/changed-file.js';
import { type LineClaims, lineClaims, type ShownRange, type Snippet, snippetOf } from '../units/snippet.js';
import type { ForeignInterface } from './foreign-interfaces.js';
import { levelRanges, levelSnippets } from './level-snippets.js';

export interface ContextPiece {
  readonly id: string;
  readonly kind: 'level' | 'request' | 'related' | 'interface';
  readonly snippet: Snippet;
  readonly home: PlannedUnit;
  /** The higher, the longer it stays among those of its kind. */
  readonly rank: number;
  /** What is given up together: the lines one step of one unit asks for. */
  readonly step?: string;
  /** A better one of the same file and unit that says what this one need not repeat. */
  readonly leansOn?: Pick<ContextPiece, 'id' | 'snippet'>;
  /** The last line of the piece above, where nothing but blank lines lie between. */
  readonly joinsLine?: number;
  /** Worth of the best ranked piece within; 0 where ranking saw none. */
  readonly score: number;
}

/** One thing the plan could give up: a level of a unit, or something that was searched for it. */
export interface PlanStep {
  readonly id: string;
  readonly kind: 'level' | 'request';
  readonly home: PlannedUnit;
  /** The level that stands once it is given up. */
  readonly leaves?: ContextLevel;
  readonly snippets: readonly Snippet[];
}

/**
 * What would be given up first comes first: what was searched for, then one level at a time, the fullest first, and of each the
 * least risky unit first.
 */
export function planSteps(
  units: readonly PlannedUnit[],
  requests: ReadonlyMap<PlannedUnit, UnitRequests>,
): PlanStep[] {
  const leastFirst = [...units].sort((a, b) => riskRank(a) - riskRank(b) || b.position - a.position);
  const searched = leastFirst.flatMap((home) =>
    (requests.get(home)?.snippets ?? [])
      .flatMap((snippet) => withoutKept(snippet, home))
      .map(
        (snippet, place): PlanStep => ({
          ...{ id: `${home.unit.id}:request-${place}`, kind: 'request', home },
          snippets: [snippet],
        }),
      )
      .reverse(),
  );
  const levels = [...contextLevels].reverse().flatMap((level) =>
    leastFirst.flatMap((home): PlanStep[] => {
      const leaves = contextLevels[levelRank(level) - 1];
      if (leaves === undefined || levelRank(level) > levelRank(home.row.final_context_level)) return [];
      const snippets = levelSnippets(home, level);
      return [{ id: `${home.unit.id}:${level}`, kind: 'level', home, leaves, snippets }];
    }),
  );
  return [...searched, ...levels];
}

/** Of an earlier version, what the level of its unit does not show as it reads now. */
function withoutKept(snippet: Snippet, { unit, row }: PlannedUnit): Snippet[] {
  const { patch } = unit.file;
  if (snippet.side !== 'old' || snippet.path !== (patch.entry.oldPath ?? patch.entry.path)) return [snippet];
  const now = levelRanges(unit, row.final_context_level);
  if (now?.side !== 'new') return [snippet];
  const isShown = (line: number) => {
    const kept = keptAs(line, patch.hunks);
    return kept !== undefined && now.ranges.some((one) => one.startLine <= kept && kept <= one.endLine);
  };
  const already: ShownRange[] = [];
  for (let line = snippet.startLine; line <= snippet.endLine; line += 1)
    if (isShown(line)) already.push({ path: snippet.path, side: 'old', startLine: line, endLine: line });
  return lineClaims(already).claim(snippet);
}

/** The number a line outside all hunks has after the change; what is within a hunk stands in the diff. */
function keptAs(line: number, hunks: PlannedUnit['unit']['file']['patch']['hunks']): number | undefined {
  let shift = 0;
  for (const { oldStart, oldCount, newCount } of hunks) {
    const first = oldCount === 0 ? oldStart + 1 : oldStart;
    if (line < first) break;
    if (line < first + oldCount) return undefined;
    shift += newCount - oldCount;
  }
  return line + shift;
}

/** The lines of the plan, each under the step that holds on to it longest. */
export function plannedPieces(steps: readonly PlanStep[], shown: readonly ShownRange[]): ContextPiece[] {
  const claims = lineClaims(shown);
  const pieces = steps.flatMap((_, at) => {
    const rank = steps.length - 1 - at;
    const { id: step, kind, home, snippets } = steps[rank]!;
    const parts = snippets.flatMap((snippet) => claims.claim(snippet)).flatMap(withoutBlankEdges);
    return parts.map(
      (snippet): ContextPiece => ({ id: idOf(snippet), kind, snippet, home, step, rank, score: 0 }),
    );
  });
  return pieces;
}

/** The level each unit has when everything up to the last step given up is given up. */
export function levelsAfter(
  steps: readonly PlanStep[],
  givenUp: readonly ContextPiece[],
): (one: PlannedUnit) => ContextLevel {
  const last = givenUp.reduce((most, { rank }) => Math.max(most, rank), -1);
  const levels = new Map(
    steps
      .slice(0, last + 1)
      .flatMap(({ home, leaves }) => (leaves === undefined ? [] : [[home, leaves] as const])),
  );
  return (one) => levels.get(one) ?? one.row.final_context_level;
}

export interface RankedCandidates {
  readonly units: readonly PlannedUnit[];
  readonly pieces: readonly RankedPiece[];
  readonly files: ReadonlyMap<string, FileSide>;
}

/** Ranked lines that nobody has shown, best first. */
export function relatedPieces(candidates: RankedCandidates, claims: LineClaims): ContextPiece[] {
  const found: ContextPiece[] = [];
  const homeOf = homesAmong(candidates.units);
  const ends = new Map(candidates.pieces.map(({ path, place, endLine }) => [`${place}:${path}`, endLine]));
  candidates.pieces.forEach((piece, place) => {
    const file = candidates.files.get(piece.path);
    if (file === undefined) return;
    const above = piece.joinsPrevious ? ends.get(`${piece.place - 1}:${piece.path}`) : undefined;
    const startLine = above === undefined ? piece.startLine : above + 1;
    const whole = snippetOf({ side: 'new', file, why: piece.why }, { startLine, endLine: piece.endLine });
    for (const part of claims.claim(whole))
      for (const snippet of withoutBlankEdges(part)) {
        const home = homeOf(snippet);
        if (home === undefined) continue;
        const joinsLine = part.startLine === startLine ? above : undefined;
        found.push({
          ...{ id: idOf(snippet), kind: 'related', snippet, home, rank: -place, score: piece.score },
          ...(joinsLine === undefined ? {} : { joinsLine }),
        });
      }
  });
  return found;
}

/** What other repositories declare, behind everything of this one. */
export function interfacePieces(
  interfaces: readonly ForeignInterface[],
  { units, behind }: { readonly units: readonly PlannedUnit[]; readonly behind: number },
  claims: LineClaims,
): ContextPiece[] {
  return interfaces.flatMap(({ snippet: whole, usedBy, name }, place) => {
    const near = units.filter(({ unit }) => unit.path === usedBy);
    const home = near.findLast(({ unit }) => unit.lines.some(({ text }) => text.includes(name))) ?? near[0];
    if (home === undefined) return [];
    return claims
      .claim(whole)
      .flatMap(withoutBlankEdges)
      .map(
        (snippet): ContextPiece => ({
          ...{ id: idOf(snippet), kind: 'interface', snippet, home, rank: -behind - place, score: 0 },
        }),
      );
  });
}

const shares = [3 / 4, 1 / 2, 1 / 4];
const fewestLines = 2;

/**
 * What is left of a piece when only a part fits, longest first; each holds the next. Lines go from its end, or from its start where it
 * leans on the piece below.
 */
export function cutsOf(piece: ContextPiece): ContextPiece[] {
  const { snippet, leansOn } = piece;
  const lines = textLines(`${snippet.text}\n`);
  const fromEnd = leansOn !== undefined && leansOn.snippet.startLine > snippet.endLine;
  const counts = new Set(shares.map((share) => Math.ceil(lines.length * share)));
  return [...counts]
    .filter((count) => count >= fewestLines && count < lines.length)
    .flatMap((count) => {
      const kept = fromEnd ? lines.slice(-count) : lines.slice(0, count);
      const startLine = fromEnd ? snippet.endLine - count + 1 : snippet.startLine;
      const endLine = startLine + count - 1;
      const { joinsLine, ...rest } = piece;
      const joins = fromEnd || joinsLine === undefined ? {} : { joinsLine };
      return withoutBlankEdges({ ...snippet, startLine, endLine, text: kept.join('\n') }).map((part) => ({
        ...{ ...rest, ...joins },
        snippet: part,
      }));
    });
}

export function shownBy(pieces: readonly ContextPiece[], already: readonly ShownRange[]): LineClaims {
  return lineClaims([...already, ...pieces.map(({ snippet }) => snippet)]);
}

function idOf({ path, side, startLine, endLine }: Snippet): string {
  return `context:${side}:${path}#L${startLine}-L${endLine}`;
}

function withoutBlankEdges(snippet: Snippet): Snippet[] {
  const lines = textLines(`${snippet.text}\n`);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return [];
  const last = lines.findLastIndex((line) => line.trim() !== '');
  if (first === 0 && last === lines.length - 1) return [snippet];
  const range: LineRange = { startLine: snippet.startLine + first, endLine: snippet.startLine + last };
  return [{ ...snippet, ...range, text: lines.slice(first, last + 1).join('\n') }];
}

/** By the best ranked piece within; what ranking did not see keeps its order behind. */
export function inOrderOfWorth(
  placed: readonly ContextPiece[],
  pieces: readonly RankedPiece[],
): ContextPiece[] {
  const byPath = groupBy(pieces, ({ path }) => path);
  const worth = ({ path, side, startLine, endLine }: Snippet): number => {
    if (side === 'old') return 0;
    let best = 0;
    for (const piece of byPath.get(path) ?? [])
      if (piece.startLine <= endLine && piece.endLine >= startLine) best = Math.max(best, piece.score);
    return best;
  };
  const scored = placed.map((one, place) => ({ one, place, score: worth(one.snippet) }));
  scored.sort(
    (a, b) => b.score - a.score || a.place - b.place || byCodePoint(a.one.snippet.path, b.one.snippet.path),
  );
  return scored.map(({ one }, place) => ({ ...one, snippet: { ...one.snippet, rank: place + 1 } }));
}

/**
 * The nearest unit of the same file; else one of its test or of what it tests, then one that matters and whose symbol the lines name, then
 * whose file is closest, then whose risk is highest.
 * The first snippet of a path decides for all of them.
 */
function homesAmong(units: readonly PlannedUnit[]): (snippet: Snippet) => PlannedUnit | undefined {
  const byPath = groupBy(units, ({ unit }) => unit.path);
  const closest = new Map<string, PlannedUnit | undefined>();
  return (snippet) => {
    const own = byPath.get(snippet.path);
    if (own !== undefined) return leastBy(own, (one) => linesBetween(one, snippet));
    if (!closest.has(snippet.path)) {
      const closeness = closenessTo(snippet);
      closest.set(
        snippet.path,
        leastBy(units, (one) => -closeness(one)),
      );
    }
    return closest.get(snippet.path);
  };
}

const counterpartCloseness = 4;
const namedCloseness = 2;
const riskCloseness = 0.001;
const identifier = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function closenessTo({ path, text }: Snippet): (one: PlannedUnit) => number {
  const words = new Set(text.match(identifier));
  const stem = stemOf(path);
  return (one) => {
    const risk = riskRank(one);
    const isNamed = risk > 0 && words.has(one.unit.chain.at(-1) ?? '');
    return (
      (stemOf(one.unit.path) === stem ? counterpartCloseness : 0) +
      (isNamed ? namedCloseness : 0) +
      sharedFolders(one.unit.path, path) +
      risk * riskCloseness
    );
  };
}

/** The first of those with the least. */
function leastBy<Item>(items: readonly Item[], measure: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const measured = measure(item);
    if (measured < least) [least, best] = [measured, item];
  }
  return best;
}

function linesBetween({ unit }: PlannedUnit, { startLine, endLine }: Snippet): number {
  let least = 1e8;
  for (const { kind, number, opposite } of unit.lines) {
    const line = kind === 'added' ? number : opposite;
    least = Math.min(least, line < startLine ? startLine - line : line > endLine ? line - endLine : 0);
  }
  return least;
}
