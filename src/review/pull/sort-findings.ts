// What is to be done with each finding, of today and of earlier runs: every one is in exactly one of these lists.
import type { Forge } from '../../forges/forge.js';
import { compareFindings, type ReviewFinding, type Severity } from '../findings/finding.js';
import { carryOver } from '../findings/merge-findings.js';
import type { Report, ReportedFinding } from '../report/report.js';
import type { ReportLanguage } from '../report/report-words.js';
import type { FilePlaces } from './line-places.js';
import type { OwnThread, PullStanding } from './pull-standing.js';

export interface PostingOptions {
  readonly forge: Pick<Forge, 'abilities' | 'fileBase'>;
  /** The commit that was reviewed. */
  readonly head: string;
  /** Lines of the change. */
  readonly places: ReadonlyMap<string, FilePlaces>;
  /** Ids of findings whose lines the host does not take. */
  readonly refused: ReadonlySet<string>;
  /** Tells several reviews of one pull request apart. */
  readonly key: string;
  readonly failLevel: Severity | 'none';
  readonly language?: ReportLanguage | undefined;
  /** Changed files that were read in full, of all. */
  readonly read?: { readonly files: number; readonly of: number } | undefined;
}

/** Everything that was ever said about the pull request, sorted by what is to be done with it. */
export interface Sorted {
  /** Of today, worth saying, not dismissed. */
  readonly open: readonly ReportedFinding[];
  /** Of an earlier run: their code was not looked at, or has not changed since. */
  readonly stillOpen: readonly ReviewFinding[];
  readonly dismissed: readonly ReviewFinding[];
  /** Looked for and not found on changed lines. */
  readonly gone: readonly ReviewFinding[];
  readonly held: Report['held'];
}

export function sortFindings(
  report: Report,
  { earlier, state }: PullStanding,
  threads: ReadonlyMap<string, OwnThread>,
): Sorted {
  const produced = [
    ...report.findings.map((item) => ({ ...item, held: undefined })),
    ...report.held.map(({ item, ...why }) => ({ ...item, held: why })),
  ];
  const looked = new Set(report.resolved.map(({ id }) => id));
  // Also what the report knows of earlier runs: somebody may have wiped our summary, or a step of this run has rewritten it.
  const known = new Map([...report.resolved, ...report.unchecked, ...earlier].map((each) => [each.id, each]));
  const carried = carryOver(produced, {
    earlier: [...known.values()],
    reviewedAgain: ({ id }) => looked.has(id),
  });
  const isDismissed = ({ id }: ReviewFinding) => threads.get(id)?.isDismissed === true;
  const isClosed = ({ id }: ReviewFinding) => threads.get(id)?.thread.isResolved === true;
  // A reviewer overlooks as much as it sees: what stands on unchanged lines is not gone because it was not said again.
  const isGone = ({ id }: ReviewFinding) => threads.get(id)?.thread.isOutdated !== false;
  const unsaid = [...carried.resolved, ...carried.unchecked];
  const before = new Set(state?.gone);
  const gone = [
    ...carried.resolved.filter((finding) => isGone(finding) && !isDismissed(finding)),
    // Not looked for again, and not back.
    ...carried.unchecked.filter((finding) => before.has(finding.id) && !isDismissed(finding)),
  ];
  const ended = new Set(gone.map(({ id }) => id));
  const open = carried.current.filter(({ held, finding }) => held === undefined && !isDismissed(finding));
  return {
    open: open.map(({ held: _, ...item }) => item),
    stillOpen: unsaid
      .filter((finding) => !ended.has(finding.id) && !isDismissed(finding) && !isClosed(finding))
      .toSorted(compareFindings),
    dismissed: [...carried.current.map(({ finding }) => finding), ...unsaid]
      .filter(isDismissed)
      .toSorted(compareFindings),
    gone: gone.toSorted(compareFindings),
    held: carried.current.flatMap(({ held, ...item }) =>
      held === undefined || isDismissed(item.finding) ? [] : [{ ...held, item }],
    ),
  };
}
