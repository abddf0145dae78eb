// What a reviewer gets for one unit: its diff, its level, what was asked for. Field names are a contract with reviewers.
import { hunkLines, lineText } from '../../git/patch/patch.js';
import { projectHunks } from '../../git/patch/select-lines.js';
import type { ContextLevel, ExtraRequest } from '../plan/context-need.js';
import type { PlannedUnit } from '../plan/plan-review.js';
import type { FoundPlace, RequestReport, UnitRequests } from '../requests/answer-requests.js';
import { type ChangedLine, compactLines, rangesOf } from '../units/changed-lines.js';
import { contextText, type Snippet } from '../units/snippet.js';
import type { ReviewUnit } from '../units/unit.js';
import type { ContextPiece } from './context-pieces.js';
import { levelRanges } from './level-snippets.js';

export interface ContextBundle {
  readonly unit_id: string;
  readonly meta: {
    readonly file_path: string;
    readonly location: string;
    readonly tags: readonly string[];
  };
  readonly final_context_level: ContextLevel;
  /** What the plan asked for, where the budget allowed only less. */
  readonly planned_context_level?: ContextLevel;
  readonly extra_requests: readonly ExtraRequest[];
  readonly diff: string;
  readonly function_context: string | null;
  readonly file_context: string | null;
  readonly full_file: string | null;
  readonly previous_version: string | null;
  readonly callers: readonly FoundPlace[];
  readonly search_results: readonly FoundPlace[];
  readonly requests: readonly RequestReport[];
  readonly snippets: readonly Snippet[];
}

interface BundleParts {
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

export interface UnitDiff {
  readonly text: string;
  /** Changed lines that a length limit left out. */
  readonly leftOut: { readonly added: number; readonly removed: number };
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

export function unitLocation(unit: ReviewUnit): string {
  return placeOf(unit, unit.lines);
}

/** Other units of the file are shown as they are now, so that line numbers are true. */
export function unitDiff(unit: ReviewUnit, mostCharacters = Number.POSITIVE_INFINITY): UnitDiff {
  if (unit.lines.length === 0) return { text: `@@ ${unit.path} @@\n${fileFact(unit)}\n`, leftOut: none };
  const own = new Set(unit.lines.map(({ hunk, place }) => `${hunk}:${place}`));
  const hunks = projectHunks(unit.file.patch, (hunk, line) =>
    own.has(`${hunk}:${line}`) ? 'now' : 'before',
  );
  const waiting = [...unit.lines];
  let text = '';
  const leftOut = { added: 0, removed: 0 };
  for (const hunk of hunks) {
    const lines = hunkLines(hunk);
    const held: ChangedLine[] = [];
    for (const line of lines) {
      // A line end alone may stand in the hunk as a change of its own.
      if (line.kind !== 'context' && waiting[0]?.kind === line.kind && waiting[0].text === lineText(line))
        held.push(waiting.shift()!);
    }
    text += `@@ ${placeOf(unit, held)} @@\n`;
    for (const line of lines) {
      const written = `${signs[line.kind]}${lineText(line)}\n`;
      if (text.length + written.length > mostCharacters) {
        if (line.kind !== 'context') leftOut[line.kind] += 1;
      } else text += written;
    }
  }
  const rest = leftOut.added + leftOut.removed;
  return { text: rest === 0 ? text : `${text}[${rest} more changed lines left out]\n`, leftOut };
}

const none = { added: 0, removed: 0 };

/** Numbers of the new side; for what is gone, of the old. */
function placeOf(unit: ReviewUnit, lines: readonly ChangedLine[]): string {
  const numbers = (kind: ChangedLine['kind']) =>
    compactLines(rangesOf(lines.filter((line) => line.kind === kind).map(({ number }) => number)));
  const current = numbers('added');
  if (current !== null) return `${unit.path}:${current}`;
  const old = numbers('removed');
  return old === null ? unit.path : `${unit.file.patch.entry.oldPath ?? unit.path}:${old} (old)`;
}

function fileFact({ file }: ReviewUnit): string {
  const { entry, header } = file.patch;
  if (header.change === 'rename') return `renamed from ${entry.oldPath ?? ''}`;
  if (header.change === 'copy') return `copied from ${entry.oldPath ?? ''}`;
  if (entry.oldMode !== entry.newMode && entry.oldMode !== undefined && entry.newMode !== undefined)
    return `mode ${entry.oldMode} became ${entry.newMode}`;
  if (header.change === 'create') return 'new file without lines';
  return header.change === 'delete' ? 'deleted file without lines' : `${entry.status} without changed lines`;
}
