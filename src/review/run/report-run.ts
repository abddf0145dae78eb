// What the pages answered, as one report: anchored to the change, said once, the worst first; and what of the change was reviewed.
import type { ErrorCode, Warning } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import { type CoverageWords, coverageLine, englishCoverage } from '../change/coverage.js';
import { inPathOrder, isInvoluntary, type Omission } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import { placeFindings } from '../findings/check-anchors.js';
import type { ReviewFinding } from '../findings/finding.js';
import { isMarked } from '../findings/suggestion-faults.js';
import { sumLines } from '../pieces/piece.js';
import { readEarlierFindings } from '../report/json-report.js';
import type { Report } from '../report/report.js';
import { reportPlaced } from '../report/report.js';
import { summariseReport } from '../report/report-summary.js';
import type { PageOutcome } from './review-pages.js';
import type { ReviewRunRequest } from './run-request.js';

interface RunReportOptions {
  readonly coverage: RunCoverage;
  readonly warnings: readonly Warning[];
  /** What people called intended. */
  readonly exempt: (finding: ReviewFinding) => boolean;
  readonly request: Pick<ReviewRunRequest, 'earlier' | 'minSeverity' | 'minConfidence' | 'most'>;
}

export async function reportRun(
  opened: ReviewContext,
  outcomes: readonly PageOutcome[],
  { coverage, warnings, exempt, request }: RunReportOptions,
): Promise<Report> {
  const said = outcomes.flatMap(({ page, findings, refuted }) =>
    findings.map((finding) => ({
      page: page.index,
      refuted: refuted?.get(finding),
      finding: withPlainQuote(finding),
    })),
  );
  const findings = said.map(({ finding }) => finding);
  const { earlier, minSeverity, minConfidence, most } = request;
  const unread = new Set(opened.omitted.map(({ path }) => path));
  const { repository, signal } = opened;
  const patches = await patchesFor(opened, findings);
  const placed = await placeFindings(findings, { repository, patches, signal });
  const onPages = placed.map((one, at) => {
    const { page, refuted } = said[at]!;
    return { ...one, page, ...(refuted === undefined ? {} : { refuted }) };
  });
  return reportPlaced(onPages, {
    tool: { name: 'galley', version: galleyVersion },
    summary: summariseReport(outcomes.map(summaryOf)),
    complete: coverage.complete,
    coverage: coverage.line,
    warnings,
    selection: { minSeverity, minConfidence, most, exempt },
    carry: {
      earlier: earlier === undefined ? [] : readEarlierFindings(earlier),
      reviewedAgain: ({ path }) => coverage.reviewed.has(path) || (coverage.complete && !unread.has(path)),
    },
  });
}

function summaryOf({ summary = '', findings, refuted }: PageOutcome) {
  const standing = findings.filter((finding) => refuted?.has(finding) !== true);
  return { text: summary, severities: standing.map(({ severity }) => severity) };
}

/** The lines of files nobody spoke about are not held. */
async function patchesFor(
  { repository, kept, signal }: ReviewContext,
  findings: readonly ReviewFinding[],
): Promise<FilePatch[]> {
  const named = new Set(findings.flatMap(({ path }) => [path, path.replace(/^[ab]\//, '')]));
  const patches: FilePatch[] = [];
  for await (const patch of streamPatches(repository, kept, { signal })) {
    const { path, oldPath } = patch.entry;
    const wanted = named.has(path) || (oldPath !== undefined && named.has(oldPath));
    patches.push(wanted ? patch : { ...patch, hunks: [] });
  }
  return patches;
}

/** The same remark on many pages is one warning with a count. */
export function gatherWarnings(lists: readonly (readonly Warning[])[]): Warning[] {
  const counted = new Map<string, { warning: Warning; count: number }>();
  for (const warning of lists.flat()) {
    const what = warning.details?.what;
    const key = `${warning.code}\0${typeof what === 'string' ? what : warning.message}`;
    const count = typeof what === 'string' ? Number(warning.details?.count ?? 1) : 1;
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { warning, count });
    else known.count += count;
  }
  return [...counted.values()].map(({ warning, count }) => {
    const what = warning.details?.what;
    return typeof what === 'string'
      ? { ...warning, message: `${what} (${count})`, details: { ...warning.details, count } }
      : warning;
  });
}

export interface MissingPage {
  readonly page: number;
  readonly status: 'partial' | 'failed' | 'not-asked';
  readonly code?: ErrorCode;
  readonly files: readonly string[];
}

interface RunCoverage {
  readonly complete: boolean;
  readonly line: string;
  readonly missing: readonly MissingPage[];
  /** Files of which every page was answered in full. */
  readonly reviewed: ReadonlySet<string>;
}

/** The pages with an answer, and as left out everything else with its reason. */
export function coverRun(
  outcomes: readonly PageOutcome[],
  { omitted, rulesInPart = false }: { omitted: readonly Omission[]; rulesInPart?: boolean },
  words: CoverageWords = englishCoverage,
): RunCoverage {
  const missing = outcomes.flatMap(({ page, status, code }): MissingPage[] =>
    status === 'reviewed' || status === 'kept'
      ? []
      : [{ page: page.index, status, files: filesOf(page.pieces), ...(code === undefined ? {} : { code }) }],
  );
  const seen = outcomes.filter(({ status }) => status !== 'failed' && status !== 'not-asked');
  const pieces = seen.flatMap(({ page }) => page.pieces);
  const unseen = outcomes.filter((outcome) => !seen.includes(outcome));
  const lost = unseen.flatMap(({ page, status, code }) =>
    page.pieces.map(({ path, added, removed }): Omission => {
      const reason = status === 'failed' ? `on a page that failed (${code})` : 'on a page not asked for';
      return { path, reason, rule: 'run', added, removed };
    }),
  );
  const hidden = new Set(missing.flatMap(({ files }) => files));
  const cut = missing.filter(({ status }) => status === 'partial').length;
  const line = coverageLine(
    { files: filesOf(pieces).length, pages: seen.length, cut: cut > 0, ...sumLines(pieces) },
    inPathOrder([...omitted, ...lost]),
    words,
  );
  return {
    complete: missing.length === 0 && !omitted.some(isInvoluntary),
    line: line + (rulesInPart ? words.rulesInPart : '') + (cut === 0 ? '' : words.endedEarly(cut)),
    missing,
    reviewed: new Set(filesOf(pieces).filter((path) => !hidden.has(path))),
  };
}

function filesOf(pieces: readonly { readonly path: string }[]): string[] {
  return [...new Set(pieces.map(({ path }) => path))];
}

/** Without our marks in its quote: one that holds them stands nowhere. */
function withPlainQuote(finding: ReviewFinding): ReviewFinding {
  if (!isMarked(finding.evidence)) return finding;
  const lines = finding.evidence.split('\n').map((line) => (isMarked(line) ? undefined : line));
  return { ...finding, evidence: longestRun(lines) };
}

/** Neighbouring lines that are there, as many as possible. */
function longestRun(lines: readonly (string | undefined)[]): string {
  let best: string[] = [];
  let open: string[] = [];
  for (const line of [...lines, undefined]) {
    if (line !== undefined) open.push(line);
    else {
      if (open.length > best.length) best = open;
      open = [];
    }
  }
  return best.join('\n');
}
