// Can each remark stand where the model put it? GitHub refuses a whole review for one line outside the hunks, so every anchor
// that leaves here lies in one hunk, on one side; what cannot be anchored keeps its text and goes to the summary.

import type { LineRange } from '../../code/range-evidence.js';
import type { FilePatch } from '../../git/patch/patch.js';
import type { FindingSide, ReviewFinding, Suggestion } from './finding.js';
import { findingId, hasSubstance } from './finding-identity.js';
import { holdsLine, hunkAround, locateQuote, type ShownFile, shownFiles } from './shown-lines.js';
import {
  checkSuggestions,
  type Heads,
  type Suggesting,
  suggestionFault,
  withoutSuggestion,
} from './suggestion-faults.js';

/** `given` as the model said; otherwise what moved it. */
type AnchoredBy = 'given' | 'quote' | 'side' | 'clip';

export const summaryReasons = {
  'not-in-change': 'the file is not part of this change',
  'no-lines': 'the file has no lines in this change',
  'no-line': 'no line was named, and no quoted code tells it',
  'outside-hunks': 'the line is outside the changed lines',
  'quote-not-found': 'the line is outside the changed lines, and the quoted code is not among them',
  'ambiguous-quote': 'the quoted code stands in several places',
  'crosses-hunks': 'the range is larger than the changed lines around it',
} as const;

export type SummaryReason = keyof typeof summaryReasons;

/** Every finding has exactly one: on lines of the change, or in the summary with the reason why not. */
type FindingPlace =
  | { readonly kind: 'anchored'; readonly by: AnchoredBy }
  | { readonly kind: 'summary'; readonly reason: SummaryReason };

export interface PlacedFinding extends Suggesting {
  readonly place: FindingPlace;
  /** Why a second look did not confirm it. */
  readonly refuted?: string;
}

/** On lines of the change, with suggestions that do on the files as they are now. */
export function placeFindings(findings: readonly ReviewFinding[], heads: Heads): Promise<PlacedFinding[]> {
  return checkSuggestions(checkAnchors(findings, heads.patches), heads);
}

/** Same length and order as `findings`. */
export function checkAnchors(
  findings: readonly ReviewFinding[],
  patches: Iterable<FilePatch>,
): PlacedFinding[] {
  const files = shownFiles(patches, new Set(findings.map(({ path }) => path)));
  return findings.map((finding) => {
    const file = files.get(finding.path);
    if (file === undefined) return inSummary(finding, 'not-in-change');
    const renamed = file.path === finding.path ? finding : { ...finding, path: file.path };
    const named = renamed === finding ? finding : { ...renamed, id: findingId(renamed) };
    return place(named, file);
  });
}

interface Anchor extends LineRange {
  readonly side: FindingSide;
  readonly by: AnchoredBy;
  /** The quoted code stands there. */
  readonly quoted: boolean;
}

function place(finding: ReviewFinding, file: ShownFile): PlacedFinding {
  const found = anchorOf(finding, file);
  if (typeof found === 'string') return inSummary(finding, found);
  const anchor = onVisibleSide(found, file);
  const { side, startLine, endLine, by } = anchor;
  const { suggestion } = finding;
  const standing: PlacedFinding = {
    finding: { ...finding, side, startLine, endLine },
    place: { kind: 'anchored', by },
  };
  if (suggestion === undefined) return standing;
  const moved = movedSuggestion(suggestion, finding, anchor);
  const fault = moved === undefined ? 'other-range' : suggestionFault(standing.finding, moved, file);
  if (moved === undefined || fault !== undefined) return withoutSuggestion(standing, fault ?? 'other-range');
  // Words that stand nowhere are a sign that the line numbers are wrong too.
  if (!anchor.quoted && hasSubstance(finding.evidence)) return withoutSuggestion(standing, 'quote-not-found');
  const lines = { startLine: moved.startLine, endLine: moved.endLine };
  return { ...standing, finding: { ...standing.finding, ...lines, suggestion: moved } };
}

/** A remark that was moved takes its suggestion along only when both meant the same lines. */
function movedSuggestion(
  suggestion: Suggestion,
  finding: ReviewFinding,
  anchor: Anchor,
): Suggestion | undefined {
  const { startLine, endLine } = anchor;
  const together =
    suggestion.startLine === finding.startLine &&
    suggestion.endLine === finding.endLine &&
    endLine - startLine === finding.endLine - finding.startLine;
  if (together) return { ...suggestion, startLine, endLine };
  return anchor.by === 'given' ? suggestion : undefined;
}

function anchorOf(finding: ReviewFinding, file: ShownFile): Anchor | SummaryReason {
  const has = (side: FindingSide) => file.hunks.some((hunk) => hunk[side].texts.length > 0);
  if (!has('new') && !has('old')) return 'no-lines';
  const other = finding.side === 'new' ? 'old' : 'new';
  const side = has(finding.side) ? finding.side : other;
  const given = { startLine: finding.startLine, endLine: finding.endLine };
  const fits = finding.startLine > 0 && hunkAround(file, side, given) !== undefined;
  const asGiven: Anchor = { ...given, side, by: side === finding.side ? 'given' : 'side', quoted: false };

  let ambiguous = false;
  const searchedSides: readonly FindingSide[] = side === finding.side ? [side, other] : [side];
  for (const searched of searchedSides) {
    const quote = locateQuote(file, searched, { text: finding.evidence, near: finding.startLine });
    if (quote.kind === 'ambiguous') ambiguous = true;
    if (quote.kind !== 'found') continue;
    const { startLine, endLine } = quote;
    if (fits && searched === side && given.startLine <= startLine && endLine <= given.endLine)
      return { ...asGiven, quoted: true };
    return { startLine, endLine, side: searched, by: 'quote', quoted: true };
  }
  if (fits) return asGiven;
  if (finding.startLine === 0) return ambiguous ? 'ambiguous-quote' : 'no-line';
  return clipped(file, side, given) ?? failure(finding, file, { side, ambiguous });
}

/** A range that only begins or ends outside is cut to the hunk; one that merely spans a hunk speaks about something larger. */
function clipped(file: ShownFile, side: FindingSide, given: LineRange): Anchor | undefined {
  for (const line of [given.startLine, given.endLine]) {
    const lines = file.hunks.find((hunk) => holdsLine(hunk[side], line))?.[side];
    if (lines === undefined) continue;
    const startLine = Math.max(given.startLine, lines.start);
    const endLine = Math.min(given.endLine, lines.start + lines.texts.length - 1);
    return { startLine, endLine, side, by: 'clip', quoted: false };
  }
  return undefined;
}

function failure(
  finding: ReviewFinding,
  file: ShownFile,
  { side, ambiguous }: { readonly side: FindingSide; readonly ambiguous: boolean },
): SummaryReason {
  if (ambiguous) return 'ambiguous-quote';
  const spans = file.hunks.some(
    ({ [side]: { start, texts } }) =>
      texts.length > 0 && finding.startLine <= start && finding.endLine >= start + texts.length - 1,
  );
  if (spans) return 'crosses-hunks';
  return finding.evidence === '' ? 'outside-hunks' : 'quote-not-found';
}

/** Unchanged lines are shown, and can be remarked on, as lines of the new side. */
function onVisibleSide(anchor: Anchor, file: ShownFile): Anchor {
  if (anchor.side === 'new') return anchor;
  const hunk = hunkAround(file, 'old', anchor)!;
  const from = anchor.startLine - hunk.old.start;
  const twins = hunk.twins.slice(from, anchor.endLine - hunk.old.start + 1);
  const [first = 0, last = 0] = [twins[0], twins.at(-1)];
  if (twins.includes(0) || last - first !== twins.length - 1) return anchor;
  return {
    ...anchor,
    startLine: first,
    endLine: last,
    side: 'new',
    by: anchor.by === 'given' ? 'side' : anchor.by,
  };
}

function inSummary(finding: ReviewFinding, reason: SummaryReason): PlacedFinding {
  const placed: PlacedFinding = { finding, place: { kind: 'summary', reason } };
  return finding.suggestion === undefined ? placed : withoutSuggestion(placed, 'not-anchored');
}
