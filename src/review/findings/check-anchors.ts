// Can each remark stand where the model put it? GitHub refuses a whole review for one line outside the hunks, so every anchor
// that leaves here lies in one hunk, on one side; what cannot be anchored keeps its text and goes to the summary.
import type { FilePatch } from '../../git/patch/patch.js';
import { type ChangedFile, changedFiles, holdsLine, hunkAround, type LineRange } from './changed-lines.js';
import type { Finding, Side, Suggestion } from './finding.js';
import { findingId } from './finding-id.js';
import { locateQuote } from './locate-quote.js';
import { hasSubstance } from './normal-text.js';
import type { AnchoredBy, PlacedFinding, SummaryReason } from './placed-finding.js';
import { suggestionFault } from './suggestion-fault.js';

/** Same length and order as `findings`. */
export function checkAnchors(findings: readonly Finding[], patches: Iterable<FilePatch>): PlacedFinding[] {
  const files = changedFiles(patches, new Set(findings.map(({ path }) => path)));
  return findings.map((finding) => {
    const file = files.get(finding.path);
    if (file === undefined) return inSummary(finding, 'not-in-change');
    const renamed = file.path === finding.path ? finding : { ...finding, path: file.path };
    const named = renamed === finding ? finding : { ...renamed, id: findingId(renamed) };
    return place(named, file);
  });
}

interface Anchor extends LineRange {
  readonly side: Side;
  readonly by: AnchoredBy;
  /** The quoted code stands there. */
  readonly quoted: boolean;
}

function place(finding: Finding, file: ChangedFile): PlacedFinding {
  const found = anchorOf(finding, file);
  if (typeof found === 'string') return inSummary(finding, found);
  const anchor = onVisibleSide(found, file);
  const { suggestion, ...rest } = finding;
  const anchored: Finding = {
    ...rest,
    side: anchor.side,
    startLine: anchor.startLine,
    endLine: anchor.endLine,
  };
  const standing: PlacedFinding = { finding: anchored, place: { kind: 'anchored', by: anchor.by } };
  if (suggestion === undefined) return standing;
  const moved = movedSuggestion(suggestion, finding, anchor);
  const fault = moved === undefined ? 'other-range' : suggestionFault(anchored, moved, file);
  if (moved === undefined || fault !== undefined)
    return { ...standing, lostSuggestion: fault ?? 'other-range' };
  // Words that stand nowhere are a sign that the line numbers are wrong too.
  if (!anchor.quoted && hasSubstance(finding.evidence))
    return { ...standing, lostSuggestion: 'quote-not-found' };
  const { startLine, endLine } = moved;
  return { ...standing, finding: { ...anchored, startLine, endLine, suggestion: moved } };
}

/** A remark that was moved takes its suggestion along only when both meant the same lines. */
function movedSuggestion(suggestion: Suggestion, finding: Finding, anchor: Anchor): Suggestion | undefined {
  const { startLine, endLine } = anchor;
  const together =
    suggestion.startLine === finding.startLine &&
    suggestion.endLine === finding.endLine &&
    endLine - startLine === finding.endLine - finding.startLine;
  if (together) return { ...suggestion, startLine, endLine };
  return anchor.by === 'given' ? suggestion : undefined;
}

function anchorOf(finding: Finding, file: ChangedFile): Anchor | SummaryReason {
  const has = (side: Side) => file.hunks.some((hunk) => hunk[side].texts.length > 0);
  if (!has('new') && !has('old')) return 'no-lines';
  const other = finding.side === 'new' ? 'old' : 'new';
  const side = has(finding.side) ? finding.side : other;
  const given = { startLine: finding.startLine, endLine: finding.endLine };
  const fits = finding.startLine > 0 && hunkAround(file, side, given) !== undefined;
  const asGiven: Anchor = { ...given, side, by: side === finding.side ? 'given' : 'side', quoted: false };

  let ambiguous = false;
  const searchedSides: readonly Side[] = side === finding.side ? [side, other] : [side];
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
function clipped(file: ChangedFile, side: Side, given: LineRange): Anchor | undefined {
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
  finding: Finding,
  file: ChangedFile,
  { side, ambiguous }: { readonly side: Side; readonly ambiguous: boolean },
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
function onVisibleSide(anchor: Anchor, file: ChangedFile): Anchor {
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

function inSummary(finding: Finding, reason: SummaryReason): PlacedFinding {
  const { suggestion, ...rest } = finding;
  if (suggestion === undefined) return { finding, place: { kind: 'summary', reason } };
  return { finding: rest, place: { kind: 'summary', reason }, lostSuggestion: 'not-anchored' };
}
