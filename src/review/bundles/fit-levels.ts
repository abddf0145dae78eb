// Which level each unit keeps under a budget, and which of the searched places stay. Without a limit everything stays.
import type { Meter } from '../../core/model/meter.js';
import { type ContextLevel, isContextLevel } from '../plan/context-level.js';
import { levelsKept, pressBundles, type SnippetFragment } from './bundle-press.js';
import { type ClaimedLines, claimedLines, type ShownRange } from './claimed-lines.js';
import { byRisk, levelSnippets, levelsFrom, type PlannedUnit, riskRank } from './planned-unit.js';
import type { Snippet } from './snippet.js';
import type { UnitRequests } from './unit-requests.js';

export interface FittedLevels {
  readonly levels: ReadonlyMap<PlannedUnit, ContextLevel>;
  readonly requested: ReadonlyMap<PlannedUnit, readonly Snippet[]>;
}

export interface FitRoom {
  readonly meter: Meter;
  /** In units of the meter. */
  readonly limit: number;
  readonly requests: ReadonlyMap<PlannedUnit, UnitRequests>;
  /** Costs nothing, because the reader has it already. */
  readonly shown: readonly ShownRange[];
}

export function fitLevels(units: readonly PlannedUnit[], room: FitRoom): FittedLevels {
  const { meter, limit } = room;
  const asked = [...units].sort(byRisk);
  const searched = asked.flatMap((one) =>
    (room.requests.get(one)?.snippets ?? []).map((snippet, place) => ({
      one,
      snippet,
      id: `${one.unit.id}:request-${place}`,
      place,
    })),
  );
  const fragments = [
    ...levelFragments(asked, room.shown),
    ...searched.map(
      ({ one, snippet, id, place }, position): SnippetFragment => ({
        id,
        layer: 'requests',
        rank: riskRank(one) - place / 1000,
        position: asked.length + position,
        levels: [{ name: 'found', snippets: [snippet] }],
      }),
    ),
  ];
  const kept = levelsKept(pressBundles(fragments, { meter, limit }));
  const requested = new Map<PlannedUnit, Snippet[]>();
  for (const { one, snippet, id } of searched)
    if (kept.has(id)) requested.set(one, [...(requested.get(one) ?? []), snippet]);
  const levels = new Map<PlannedUnit, ContextLevel>();
  for (const one of units) {
    const level = kept.get(one.unit.id);
    levels.set(one, isContextLevel(level) ? level : 'diff_only');
  }
  return { levels, requested };
}

function levelFragments(asked: readonly PlannedUnit[], shown: readonly ShownRange[]): SnippetFragment[] {
  // A riskier unit of the same file stands at this level or above as long as this one does, so its lines are paid for there.
  const paid = new Map<ContextLevel, ClaimedLines>();
  return asked.map((one): SnippetFragment => {
    return {
      id: one.unit.id,
      layer: 'levels',
      rank: riskRank(one),
      position: one.position,
      levels: levelsFrom(one.row.final_context_level).map((level) => {
        const lines = paid.get(level) ?? claimedLines(shown);
        paid.set(level, lines);
        return { name: level, snippets: levelSnippets(one, level).flatMap((part) => lines.claim(part)) };
      }),
    };
  });
}
