// One bundle in the words of its contract.
import type { ContextLevel } from '../plan/context-level.js';
import type { ContextBundle } from './bundle.js';
import type { ContextPiece } from './context-pieces.js';
import { contextText } from './context-text.js';
import { levelRanges } from './level-ranges.js';
import type { PlannedUnit } from './planned-unit.js';
import { unitLocation } from './unit-diff.js';
import type { UnitRequests } from './unit-requests.js';

export interface BundleParts {
  readonly diff: string;
  readonly level: ContextLevel;
  readonly requests: UnitRequests | undefined;
  readonly placed: readonly ContextPiece[];
  /** Under a budget the texts hold only what stands in the snippets. */
  readonly limited: boolean;
  /** A text as it may be handed over. */
  safe(name: string, text: string): string;
}

export function composeBundle(one: PlannedUnit, parts: BundleParts): ContextBundle {
  const { unit, verdict, row } = one;
  const { level, requests, placed, limited } = parts;
  const safe = (name: string, text: string | null) => (text === null ? null : parts.safe(name, text));
  const at = (wanted: ContextLevel) => (level === wanted ? safe(wanted, levelText(one, parts)) : null);
  const places = requests?.places ?? [];
  const isCaller = (type: string) => type === 'callers' || type === 'search_callers';
  const old = placed.filter(({ kind, snippet }) => kind === 'request' && snippet.side === 'old');
  const oldText = old.length === 0 ? null : old.map(({ snippet }) => snippet.text).join('\n');
  return {
    unit_id: unit.id,
    meta: { file_path: unit.path, location: unitLocation(unit), tags: verdict.tags },
    final_context_level: level,
    ...(level === row.final_context_level ? {} : { planned_context_level: row.final_context_level }),
    extra_requests: row.extra_requests,
    diff: parts.safe('diff', parts.diff),
    function_context: at('function'),
    file_context: at('file_context'),
    full_file: at('full_file'),
    previous_version: safe('previous_version', limited ? oldText : (requests?.previousVersion ?? null)),
    callers: places.filter(({ type }) => isCaller(type)),
    search_results: places.filter(({ type }) => !isCaller(type)),
    requests: requests?.reports ?? [],
    snippets: placed.map(({ snippet }) => snippet),
  };
}

/** A level in force is in front of the reader whole: some of it in the diff, some in snippets, perhaps of another unit. */
function levelText({ unit }: PlannedUnit, { level }: BundleParts): string | null {
  const found = levelRanges(unit, level);
  if (found === undefined || found.ranges.length === 0) return null;
  return contextText(found.file.lines, found.ranges, { edges: level === 'full_file' });
}
