// What should stand on a pull request after this run, and which steps lead there from what stands now. Pure: called again with the
// state after a step, or after a failure, it names only what is still missing.
import type { Check, CheckAnnotation, ForgeComment, ForgeThread, LineComment } from '../../forges/forge.js';
import { isAtLeast, type ReviewFinding } from '../findings/finding.js';
import { plainMessage, plainTitle } from '../report/machine-text.js';
import type { Report, ReportedFinding } from '../report/report.js';
import { commentBody, isUntouched, markComment, readMarker } from '../report/review-comments.js';
import { markFinding, usualKey } from './finding-marks.js';
import { rangePlaces } from './line-places.js';
import { type OwnThread, type PullStanding, threadsByFinding } from './pull-standing.js';
import { pullWords, type VerdictFacts } from './pull-words.js';
import { type PostingOptions, type Sorted, sortFindings } from './sort-findings.js';
import { hidingLines, summaryText } from './summary-text.js';

export interface Posting {
  readonly lines: readonly LineComment[];
  readonly resolve: readonly ForgeThread[];
  /** Said twice by two runs at once. */
  readonly removeLines: readonly ForgeThread[];
  readonly removeComments: readonly ForgeComment[];
  readonly summary: SummaryStep;
  readonly check: Check;
  readonly tally: PostingTally;
}

type SummaryStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'add'; readonly body: string }
  | { readonly kind: 'edit'; readonly id: string; readonly body: string };

export interface PostingTally {
  /** Findings that are open after this run, with earlier ones. */
  readonly open: number;
  /** Of these, in the summary for want of a line in the diff. */
  readonly inSummary: number;
  readonly dismissed: number;
  readonly gone: number;
  readonly held: number;
  readonly fails: boolean;
}

export function planPosting(report: Report, standing: PullStanding, options: PostingOptions): Posting {
  const threads = threadsByFinding(standing);
  const sorted = sortFindings(report, standing, threads);
  const lines = sorted.open.flatMap((item) =>
    threads.has(item.finding.id) ? [] : lineComment(item, options),
  );
  const placed = new Set(lines.map(({ key }) => key));
  const isInSummary = ({ id }: ReviewFinding) => !threads.has(id) && !placed.has(id);
  const inSummary = [
    // Not as new: the text is the same on the next look.
    ...sorted.open
      .filter(({ finding }) => isInSummary(finding))
      .map((item) => ({ ...item, standing: 'still-there' as const })),
    ...sorted.stillOpen.filter(isInSummary).map(asReported),
  ];
  const read = options.read ?? standing.state?.read;
  const changed = report.summary?.lines ?? standing.state?.changed;
  const coverage = report.coverage?.slice(0, 1000).toWellFormed() ?? standing.state?.coverage;
  const told = hidingLines(report, options);
  // Where nothing is new nothing was looked at, and what was not read before is not read now.
  const hiding = told.length > 0 || report.coverage !== undefined ? told : (standing.state?.hiding ?? []);
  const verdict = verdictOf(report, sorted, read);
  const blocking = blockingOf(sorted, threads, options);
  const state = {
    head: options.head,
    complete: report.complete,
    ...(read === undefined ? {} : { read: { ...read } }),
    ...(coverage === undefined ? {} : { coverage }),
    ...(changed === undefined ? {} : { changed: [...changed] }),
    ...(hiding.length === 0 ? {} : { hiding: hiding.map((line) => line.slice(0, 1000).toWellFormed()) }),
    gone: sorted.gone.map(({ id }) => id).slice(0, 1000),
    findings: inSummary.map(({ finding }) => finding),
  };
  const text = summaryText(
    {
      ...{ report, sorted, inSummary, verdict, state, hiding, isThere: standing.summary !== undefined },
      gone: sorted.gone.filter(({ id }) => threads.has(id)),
    },
    options,
  );
  return {
    lines,
    resolve: options.forge.abilities.resolvesThreads ? resolvable(report, sorted, threads) : [],
    removeLines: standing.twice.map(({ thread }) => thread),
    removeComments: standing.moreSummaries,
    summary: summaryStep(standing.summary, text, options.key),
    check: checkOf(report, { verdict, blocking, hiding }, options),
    tally: {
      open: sorted.open.length + sorted.stillOpen.length,
      inSummary: inSummary.length,
      dismissed: sorted.dismissed.length,
      gone: sorted.gone.length,
      held: sorted.held.length,
      fails: blocking.length > 0,
    },
  };
}

function asReported(finding: ReviewFinding): ReportedFinding {
  return { finding, place: { kind: 'summary', reason: 'outside-hunks' }, standing: 'still-there' };
}

function lineComment({ finding, place }: ReportedFinding, options: PostingOptions): LineComment[] {
  const { id, path, side } = finding;
  if (place.kind !== 'anchored' || options.refused.has(id)) return [];
  const where = rangePlaces(options.places, finding);
  const body = remarkOf(finding, options);
  return where === undefined || body === undefined ? [] : [{ key: id, path, side, ...where, body }];
}

/** Shorter where the host takes no more; undefined where even that is too long for it. */
function remarkOf(finding: ReviewFinding, { language, forge, key }: PostingOptions): string | undefined {
  const { commentCharacters, suggestionFence } = forge.abilities;
  const { suggestion, startLine, endLine, side, ...rest } = finding;
  const range = { side, startLine, endLine };
  // A host puts a replacement in place of the lines the remark stands on, of no others.
  const isExact = side === 'new' && suggestion?.startLine === startLine && suggestion.endLine === endLine;
  const fence = isExact ? suggestionFence?.(endLine - startLine + 1) : undefined;
  const plain = { ...rest, ...range };
  const known = { ...plain, message: finding.message.slice(0, 2000).toWellFormed(), evidence: '' };
  const bodies = [
    `${markFinding(plain, key)}${commentBody(finding, { language, suggestionFence: fence })}`,
    `${markFinding(plain, key)}${commentBody(plain, { language })}`,
    `${markFinding(known, key)}${commentBody(plain, { language })}`,
  ];
  return bodies.find((body) => body.length <= commentCharacters);
}

/** Only where all hold: ours, outdated, not said again, nobody answered, and this run said anything at all. */
function resolvable(
  report: Report,
  { gone }: Sorted,
  threads: ReadonlyMap<string, OwnThread>,
): ForgeThread[] {
  if (report.findings.length + report.held.length === 0) return [];
  return gone.flatMap(({ id }) => {
    const own = threads.get(id);
    const isLeftAlone = own?.thread.isOutdated && !own.thread.isResolved && !own.isAnswered;
    return isLeftAlone ? [own.thread] : [];
  });
}

function verdictOf(
  { complete }: Report,
  { open, stillOpen }: Sorted,
  read: PostingOptions['read'],
): VerdictFacts {
  const all = [...open.map(({ finding }) => finding), ...stillOpen];
  const toFix = all.filter(({ severity }) => isAtLeast(severity, 'medium')).length;
  return { toFix, toConsider: all.length - toFix, read, complete };
}

/** What stands on lines of the change; a remark elsewhere never fails a build. */
function blockingOf(
  { open, stillOpen, dismissed }: Sorted,
  threads: ReadonlyMap<string, OwnThread>,
  { failLevel, places }: PostingOptions,
): ReviewFinding[] {
  if (failLevel === 'none') return [];
  const anchored = open.filter(({ place }) => place.kind === 'anchored').map(({ finding }) => finding);
  // A thumb of anybody keeps a remark from being repeated; it opens no gate.
  const voted = dismissed.filter(({ id }) => threads.get(id)?.isVotedDown);
  const before = [...stillOpen, ...voted].filter(({ path, startLine }) => startLine > 0 && places.has(path));
  return [...anchored, ...before].filter(({ severity }) => isAtLeast(severity, failLevel));
}

function summaryStep(existing: ForgeComment | undefined, text: string | undefined, key: string): SummaryStep {
  if (text === undefined) return { kind: 'none' };
  const body = markComment(text, key);
  if (existing === undefined) return { kind: 'add', body };
  const isSame = readMarker(existing.body)?.digest === readMarker(body)?.digest;
  return isSame && isUntouched(existing.body) ? { kind: 'none' } : { kind: 'edit', id: existing.id, body };
}

const mostAnnotations = 100;

/** One for each review of a pull request, so that none hides what another says. */
export function checkName(key: string): string {
  return key === usualKey ? 'galley' : `galley/${key}`;
}

function checkOf(
  report: Report,
  facts: {
    readonly verdict: VerdictFacts;
    readonly blocking: readonly ReviewFinding[];
    readonly hiding: readonly string[];
  },
  { language, key }: PostingOptions,
): Check {
  const { complete } = report;
  const { verdict, blocking, hiding } = facts;
  const title = pullWords(language).plainVerdict(verdict);
  const annotations = blocking
    .filter(({ side }) => side === 'new')
    .slice(0, mostAnnotations)
    .map(
      (finding): CheckAnnotation => ({
        path: finding.path,
        startLine: finding.startLine,
        endLine: finding.endLine,
        level: isAtLeast(finding.severity, 'high') ? 'failure' : 'warning',
        title: plainTitle(finding),
        message: plainMessage(finding),
      }),
    );
  const conclusion = blocking.length > 0 ? 'failure' : complete ? 'success' : 'neutral';
  const summary = [title, ...hiding].join('\n\n');
  return { name: checkName(key), conclusion, title, summary, annotations };
}
