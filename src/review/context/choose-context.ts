// Which context competes for the room of a page, and within which lines. Asked for by a budget: everything the plan wants and what
// ranks above a floor, the plan alone, so many tokens, or nothing.
import { layOut } from '../../core/lay-out.js';
import type { BudgetLine } from '../../core/model/budget.js';
import type { Warning } from '../../core/model/error.js';
import { type Fragment, isProjectRelative } from '../../core/model/fragment.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { Dialect, Layer } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import type { PlannedUnit } from '../plan/plan-review.js';
import type { UnitRequests } from '../requests/answer-requests.js';
import type { ShownRange } from '../units/snippet.js';
import {
  type ContextPiece,
  cutsOf,
  interfacePieces,
  levelsAfter,
  type PlanStep,
  plannedPieces,
  planSteps,
  type RankedCandidates,
  relatedPieces,
  shownBy,
} from './context-pieces.js';
import type { ForeignInterface } from './foreign-interfaces.js';

/** Tokens beyond the diff on each page, or `plan` for what the plan asks for, or `none`. */
export type ContextBudget = number | 'plan' | 'none' | undefined;

/** What is ranked gives way first, then what the plan asks for, the least risky unit first. */
export const contextLayers: readonly Layer[] = [
  { id: 'related', keep: 'rank-then-level', yieldOrder: 1, refill: true },
  { id: 'plan', keep: 'highest-rank', yieldOrder: 3 },
];

interface ContextCandidates extends RankedCandidates {
  readonly requests: ReadonlyMap<ContextPiece['home'], UnitRequests>;
  /** What the reader has already. */
  readonly shown: readonly ShownRange[];
  readonly interfaces?: readonly ForeignInterface[] | undefined;
}

export interface ChosenContext {
  readonly pieces: readonly (ContextPiece & { readonly layer: 'plan' | 'related' })[];
  readonly lines: readonly BudgetLine[];
  readonly rejections: readonly Rejection[];
  readonly steps: readonly PlanStep[];
  /** Turned away before anything was set, because the plan keeps to its share. */
  readonly givenUp: readonly ContextPiece[];
}

/** Ranked pieces less likely than this to matter are not worth a reader's attention. */
const leastChance = 0.015;
const maxNeighbours = 8_000;
/** A small change gets few neighbours, however many there are. */
const fewNeighbours = 300;

/** What the plan may claim of a number of tokens that is too small for all of it. */
const planShare = 0.25;

interface ChoiceOptions {
  readonly contextBudget: ContextBudget;
  /** Of the diff it stands beside, in tokens. */
  readonly diff: number;
  readonly meter: Meter;
  /** How pieces will read, */
  readonly dialect: Dialect<ContextBody>;
  /** and in which order, so that one may lean on another. */
  arrange<Piece extends ContextPiece>(pieces: readonly Piece[]): Piece[];
}

export function chooseContext(candidates: ContextCandidates, options: ChoiceOptions): ChosenContext {
  const { contextBudget, arrange } = options;
  const nothing = { pieces: [], lines: [], rejections: [], steps: [], givenUp: [] };
  if (contextBudget === 'none') return nothing;
  const steps = planSteps(candidates.units, candidates.requests);
  const plan = plannedPieces(steps, candidates.shown).map(
    (piece): LayeredPiece => ({ ...piece, layer: 'plan' }),
  );
  if (contextBudget === 'plan') return { ...nothing, pieces: arrange(plan), steps };
  if (contextBudget === undefined) {
    const likely = candidates.pieces.filter(({ chance }) => chance >= leastChance);
    const n = Math.min(maxNeighbours, Math.max(fewNeighbours, Math.floor(options.diff / 4)));
    return {
      ...nothing,
      steps,
      pieces: arrange([...plan, ...relatedTo(plan, { ...candidates, pieces: likely })]),
      lines: [{ layers: ['related'], n }],
      rejections: belowFloor(candidates.pieces.length - likely.length),
    };
  }
  const within = planWithin(plan, Math.floor(contextBudget * planShare), options);
  const givenUp = within.cost <= contextBudget / 2 ? [] : plan.filter(({ id }) => !within.kept.has(id));
  const kept = plan.filter((piece) => !givenUp.includes(piece));
  return {
    pieces: arrange([...kept, ...relatedTo(kept, candidates)]),
    lines: [{ layers: ['plan', 'related'], n: contextBudget }],
    rejections: givenUp.map(steppedDown),
    ...{ steps, givenUp },
  };
}

/** The level each unit is shown with, once it is known which pieces stay. */
export function levelsShown({ pieces, steps, givenUp }: ChosenContext, kept: ReadonlySet<string>) {
  return levelsAfter(steps, [
    ...givenUp,
    ...pieces.filter(({ id, layer }) => layer === 'plan' && !kept.has(id)),
  ]);
}

type LayeredPiece = ChosenContext['pieces'][number];

function relatedTo(plan: readonly ContextPiece[], candidates: ContextCandidates): LayeredPiece[] {
  const claims = shownBy(plan, candidates.shown);
  const { units, pieces, interfaces = [] } = candidates;
  return [
    ...relatedPieces(candidates, claims),
    ...interfacePieces(interfaces, { units, behind: pieces.length }, claims),
  ].map((piece) => ({ ...piece, layer: 'related' }));
}

/** What the whole plan costs in tokens, and what of it stays within a number of them: the press answers both. */
function planWithin(
  plan: readonly LayeredPiece[],
  n: number,
  { meter, dialect, arrange }: ChoiceOptions,
): { readonly cost: number; readonly kept: ReadonlySet<string> } {
  const section = 'context';
  const recipe = {
    ...{ id: 'review-plan', version: 1, overflow: 'concede' as const, layers: contextLayers },
    sections: [{ id: section, channel: 'prompt' as const }],
  };
  const scope = { project: 'review' };
  const budget = { limit: { unit: meter.unit, n } };
  const fragments = contextFragments(arrange(plan), (_, position) => ({ section, position, scope }));
  const { choices } = layOut({ recipe, dialect, meter, hash: hashText }, { scope, budget }, fragments);
  const weight = choices.reduce((sum, { wording }) => sum + (wording.levels[0]?.weight() ?? 0), 0);
  const kept = choices.flatMap(({ level, wording }) => (level === undefined ? [] : [wording.fragment.id]));
  return { cost: amountOf(meter, weight).n, kept: new Set(kept) };
}

function steppedDown({ id, kind, layer, home }: LayeredPiece): Rejection {
  const reason = `the plan keeps to its share; ${home.unit.id} steps down`;
  return { id, source: kind, layer, verdict: 'conceded', reason };
}

/** One line for all of them: what does not clear the floor is a whole repository. */
function belowFloor(count: number): Rejection[] {
  if (count === 0) return [];
  const reason = `${count} ranked places are not likely enough to matter`;
  return [{ id: 'context:below-floor', source: 'related', layer: 'related', verdict: 'below-floor', reason }];
}

export interface ContextBody {
  readonly kind: 'context';
  readonly piece: ContextPiece;
}

/** Chosen pieces as fragments; where each stands is the page's to say. */
export function contextFragments(
  pieces: ChosenContext['pieces'],
  place: (piece: ContextPiece, at: number) => Pick<Fragment, 'section' | 'position' | 'scope' | 'beside'>,
): Fragment<ContextBody>[] {
  return pieces.map((piece, at) => {
    const { path, startLine, endLine, blob } = piece.snippet;
    return {
      id: piece.id,
      source: piece.kind,
      layer: piece.layer,
      rank: piece.rank,
      levels: [
        { name: piece.kind, body: { kind: 'context', piece } },
        ...(piece.layer === 'related' ? knownCuts(piece) : []).map((part) => ({
          name: `lines ${part.snippet.startLine}-${part.snippet.endLine}`,
          body: { kind: 'context' as const, piece: part },
        })),
      ],
      ...place(piece, at),
      ...(piece.leansOn === undefined ? {} : { continues: piece.leansOn.id }),
      ...(piece.layer === 'plan' && piece.step !== undefined ? { bond: piece.step } : {}),
      // A reference is one into this repository.
      ...(piece.kind !== 'interface' && isProjectRelative(path)
        ? { ref: { path, lines: { start: startLine, end: endLine }, blob } }
        : {}),
    };
  });
}

const cuts = new WeakMap<ContextPiece, readonly ContextPiece[]>();

/** A piece that is offered again is cut at the same lines. */
function knownCuts(piece: ContextPiece): readonly ContextPiece[] {
  const found = cuts.get(piece) ?? cutsOf(piece);
  cuts.set(piece, found);
  return found;
}

const maxNamed = 20;

export function loweredWarning(lowered: readonly PlannedUnit[], total: number): Warning {
  return {
    code: 'CONTEXT_LEVELS_LOWERED',
    message: `${lowered.length} of ${total} units are shown with less context than planned, because the room is too small.`,
    details: {
      lowered: lowered.length,
      total,
      units: lowered.slice(0, maxNamed).map(({ unit }) => unit.id),
    },
  };
}
