// What the pages answered, as one report: anchored to the change, said once, the worst first.

import type { Warning } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import type { ReviewRoom } from '../changes/review-room.js';
import type { Finding } from '../findings/finding.js';
import { buildReport } from '../reports/build-report.js';
import { readEarlierFindings } from '../reports/json-report.js';
import type { Report } from '../reports/report.js';
import type { PageOutcome } from './review-pages.js';
import type { RunCoverage } from './run-coverage.js';
import type { ReviewRunRequest } from './run-request.js';
import { safeFinding } from './safe-finding.js';

export interface RunReportOptions {
  readonly coverage: RunCoverage;
  readonly warnings: readonly Warning[];
  readonly request: Pick<ReviewRunRequest, 'earlier' | 'minSeverity' | 'minConfidence' | 'most'>;
}

export async function reportRun(
  room: ReviewRoom,
  outcomes: readonly PageOutcome[],
  { coverage, warnings, request }: RunReportOptions,
): Promise<Report> {
  const findings = outcomes.flatMap((outcome) => outcome.findings.map(safeFinding));
  const { earlier, minSeverity, minConfidence, most } = request;
  return buildReport(findings, {
    tool: { name: 'galley', version: galleyVersion },
    patches: await patchesFor(room, findings),
    complete: coverage.complete,
    coverage: coverage.line,
    warnings,
    selection: { minSeverity, minConfidence, most },
    carry: {
      earlier: earlier === undefined ? [] : readEarlierFindings(earlier),
      reviewedAgain: ({ path }) => coverage.complete || coverage.reviewed.has(path),
    },
  });
}

/** The lines of files nobody spoke about are not held. */
async function patchesFor(
  { repository, kept, signal }: ReviewRoom,
  findings: readonly Finding[],
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
