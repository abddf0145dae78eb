// What became of findings on the last pull requests: taken up, dismissed, or still open; as their own comments on the host tell.
import { resolve } from 'node:path';
import { byCodePoint } from '../../core/model/code-points.js';
import type { Forge, ForgeComment } from '../../forges/forge.js';
import { type ReviewFinding, severities } from '../findings/finding.js';
import type { PullContext } from './open-pull.js';
import type { PullStatsRequest } from './pull-requests.js';
import { type OwnThread, readStanding } from './pull-standing.js';

export interface FateCounts {
  /** Their lines changed, and the thread was closed or the finding was not found again. */
  readonly accepted: number;
  /** Closed on unchanged lines, voted down, or called intended. */
  readonly dismissed: number;
  readonly open: number;
}

type Fate = keyof FateCounts;

export interface NamedFates extends FateCounts {
  readonly name: string;
}

export interface PullStats {
  readonly repository: string;
  /** Pull requests that were read. */
  readonly pulls: number;
  /** Of these, with a finding on them. */
  readonly withFindings: number;
  readonly total: FateCounts;
  /** Worst first. */
  readonly bySeverity: readonly NamedFates[];
  /** Most findings first. */
  readonly byCategory: readonly NamedFates[];
  /** In which they were said, as 2026-01; oldest first. */
  readonly byMonth: readonly NamedFates[];
}

interface Told {
  readonly finding: ReviewFinding;
  readonly fate: Fate;
  readonly month: string | undefined;
}

export interface StatsContext extends PullContext {
  onProgress?(progress: { readonly stage: 'pulls'; readonly done: number; readonly total: number }): void;
}

export async function pullStats(request: PullStatsRequest, context: StatsContext): Promise<PullStats> {
  const { forge } = await context.forge(undefined, resolve(context.folder, request.repo));
  const pulls = await forge.recentPulls(request.last);
  const told: Told[] = [];
  let withFindings = 0;
  for (const [at, { number }] of pulls.entries()) {
    const found = await toldOn(forge, number, request.key);
    told.push(...found);
    if (found.length > 0) withFindings += 1;
    context.onProgress?.({ stage: 'pulls', done: at + 1, total: pulls.length });
  }
  const bySeverity = fatesBy(told, ({ finding }) => finding.severity);
  const rank = ({ name }: NamedFates) => (severities as readonly string[]).indexOf(name);
  return {
    ...{ repository: forge.repository, pulls: pulls.length, withFindings },
    total: countsOf(told),
    bySeverity: bySeverity.toSorted((left, right) => rank(left) - rank(right)),
    byCategory: fatesBy(told, ({ finding }) => finding.category).toSorted(
      (left, right) => sumOf(right) - sumOf(left) || byCodePoint(left.name, right.name),
    ),
    byMonth: fatesBy(told, ({ month }) => month).toSorted((left, right) =>
      byCodePoint(left.name, right.name),
    ),
  };
}

async function toldOn(forge: Forge, number: number, key: string): Promise<Told[]> {
  const { threads, earlier, summary, state } = readStanding(await forge.read(number), key);
  const own = new Set(threads.map(({ finding }) => finding.id));
  const gone = new Set(state?.gone);
  return [
    ...threads.map((each) => ({
      finding: each.finding,
      // Where a host closes no threads, changed lines have to do.
      fate: fateOf(each, !forge.abilities.resolvesThreads || gone.has(each.finding.id)),
      month: monthOf(each.thread.comments[0]),
    })),
    // Without a line of their own nobody can close them.
    ...earlier
      .filter(({ id }) => !own.has(id))
      .map((finding) => ({ finding, fate: 'open' as const, month: monthOf(summary) })),
  ];
}

function fateOf({ thread, isObjectedTo }: OwnThread, isGone: boolean): Fate {
  if (isObjectedTo) return 'dismissed';
  if (thread.isOutdated && (thread.isResolved || isGone)) return 'accepted';
  return thread.isResolved ? 'dismissed' : 'open';
}

function monthOf(comment: ForgeComment | undefined): string | undefined {
  return /^\d{4}-\d{2}/.exec(comment?.at ?? '')?.[0];
}

/** What has no such name is in the sum only. */
function fatesBy(told: readonly Told[], nameOf: (told: Told) => string | undefined): NamedFates[] {
  const names = new Set(told.flatMap((each) => nameOf(each) ?? []));
  return [...names].map((name) => ({ name, ...countsOf(told.filter((each) => nameOf(each) === name)) }));
}

function countsOf(told: readonly Told[]): FateCounts {
  const count = (fate: Fate) => told.filter((each) => each.fate === fate).length;
  return { accepted: count('accepted'), dismissed: count('dismissed'), open: count('open') };
}

export function sumOf({ accepted, dismissed, open }: FateCounts): number {
  return accepted + dismissed + open;
}
