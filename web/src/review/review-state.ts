// One review while it is looked at: what is known of the change, which diffs were read, what was found and decided.
import { type Signal, signal } from '@preact/signals';
import type {
  Changes,
  DiffWish,
  FileDiff,
  PageNews,
  Plan,
  ReportedFinding,
  ReviewDesk,
  ReviewedChange,
  ReviewedRun,
  ReviewSheet,
  RunWish,
} from './desk.js';

export type Decision = 'accepted' | 'dismissed' | 'applied';

export interface Going {
  readonly done: number;
  readonly total: number;
  stop(): void;
}

export interface Review {
  readonly desk: ReviewDesk;
  readonly change: ReviewedChange;
  readonly changes: Changes;
  readonly sheet: Signal<ReviewSheet | undefined>;
  readonly plan: Signal<Plan | undefined>;
  readonly diffs: Signal<Readonly<Record<string, FileDiff>>>;
  readonly run: Signal<ReviewedRun | undefined>;
  /** The pages of the run that goes on, or of one that did not end, by their numbers. */
  readonly live: Signal<Readonly<Record<number, PageNews>>>;
  readonly going: Signal<Going | undefined>;
  readonly decisions: Signal<Readonly<Record<string, Decision>>>;
  /** What went wrong, below the part it happened in. */
  readonly failures: Signal<Readonly<Partial<Record<'sheet' | 'diff' | 'run' | 'finding', unknown>>>>;
  /** Files whose diff is drawn though it may be out of sight. */
  readonly wanted: Signal<ReadonlySet<string>>;
  /** What applied suggestions did to each file. */
  readonly edits: Map<string, { readonly blob: string; readonly shifts: readonly Shift[] }>;
  /** Files that are other ones on disk by now than those that were read. */
  readonly stale: Signal<readonly string[]>;
  wantDiff(path: string): void;
  readMore(path: string, wish: Omit<DiffWish, 'files'>): Promise<void>;
}

interface Shift {
  /** Of the finding whose suggestion it was. */
  readonly of: string;
  /** What stood there, to the byte. */
  readonly replaced: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly grew: number;
}

export function openReview(desk: ReviewDesk, change: ReviewedChange, changes: Changes): Review {
  const review: Review = {
    ...{ desk, change, changes },
    sheet: signal(undefined),
    plan: signal(undefined),
    diffs: signal({}),
    run: signal(desk.run),
    live: signal({}),
    going: signal(undefined),
    decisions: signal({}),
    failures: signal({}),
    wanted: signal(new Set()),
    edits: new Map(),
    stale: signal([]),
    wantDiff: diffReader((files) => read({ files })),
    readMore: (path, wish) => read({ files: [path], ...wish }),
  };
  async function read(wish: DiffWish): Promise<void> {
    try {
      const files = await desk.diff(change, wish);
      const news = Object.fromEntries(files.map((file) => [file.path, file]));
      review.diffs.value = { ...review.diffs.value, ...news };
    } catch (error) {
      fail(review, 'diff', error);
    }
  }
  void desk
    .sheet(change, { look: changes.look })
    .then(async (sheet) => {
      review.sheet.value = sheet;
      review.plan.value = await desk.plan(change);
    })
    .catch((error: unknown) => fail(review, 'sheet', error));
  return review;
}

export function fail(review: Review, part: 'sheet' | 'diff' | 'run' | 'finding', error: unknown): void {
  review.failures.value = { ...review.failures.value, [part]: error };
}

const mostAtOnce = 40;

/** Files that come into sight together are read together. */
function diffReader(read: (files: readonly string[]) => Promise<void>): (path: string) => void {
  const asked = new Set<string>();
  let waiting: string[] = [];
  let isReading = false;
  const next = async () => {
    if (isReading || waiting.length === 0) return;
    isReading = true;
    // What came last is what is looked at now.
    const files = waiting.slice(-mostAtOnce);
    waiting = waiting.slice(0, -mostAtOnce);
    await read(files);
    isReading = false;
    void next();
  };
  return (path) => {
    if (asked.has(path)) return;
    asked.add(path);
    waiting.push(path);
    queueMicrotask(() => void next());
  };
}

export async function runReview(review: Review, model: string | undefined): Promise<void> {
  const { desk, change, going, live } = review;
  const { acts } = desk;
  if (acts === undefined || going.value !== undefined) return;
  const controller = new AbortController();
  const stop = () => controller.abort();
  const show: RunWish['onProgress'] = ({ done, total, pages }) => {
    live.value = { ...live.value, ...Object.fromEntries(pages.map((each) => [each.page, each])) };
    going.value = { done, total, stop };
  };
  live.value = {};
  review.run.value = undefined;
  review.decisions.value = {};
  // Lines are those of the files as they are now.
  for (const [path, { blob }] of review.edits) review.edits.set(path, { blob, shifts: [] });
  show({ done: 0, total: review.sheet.value?.pages.length ?? 0, pages: [] });
  fail(review, 'run', undefined);
  try {
    review.run.value = await acts.run(change, {
      ...(model === undefined ? {} : { model }),
      signal: controller.signal,
      onProgress: show,
    });
    live.value = {};
  } catch (error) {
    if (!controller.signal.aborted) fail(review, 'run', error);
  } finally {
    going.value = undefined;
  }
}

export async function decide(
  review: Review,
  { finding }: ReportedFinding,
  decision: Decision | undefined,
): Promise<void> {
  const { acts } = review.desk;
  const before = review.decisions.value[finding.id];
  try {
    if (decision === 'dismissed') await acts?.exempt(finding, false);
    if (before === 'dismissed' && decision !== 'dismissed') await acts?.exempt(finding, true);
    if (decision === 'applied') await apply(review, finding);
    if (before === 'applied') await takeBack(review, finding);
    const { [finding.id]: _, ...rest } = review.decisions.value;
    review.decisions.value = decision === undefined ? rest : { ...rest, [finding.id]: decision };
    fail(review, 'finding', undefined);
  } catch (error) {
    fail(review, 'finding', { id: finding.id, error });
  }
}

/** On the lines where the file has it now, after the suggestions that were applied before. */
async function apply(review: Review, { id, path, suggestion }: ReportedFinding['finding']): Promise<void> {
  const { acts } = review.desk;
  if (suggestion === undefined || acts === undefined) return;
  const entry = review.changes.entries.find((candidate) => candidate.path === path);
  const { blob, shifts } = review.edits.get(path) ?? { blob: entry?.newBlob ?? '', shifts: [] };
  const { startLine, endLine, replacement } = suggestion;
  const by = shiftOf(shifts, startLine);
  const answer = await acts.apply({
    ...{ path, blob, replacement },
    ...{ startLine: startLine + by, endLine: endLine + by },
  });
  review.edits.set(path, {
    blob: answer.blob,
    shifts: [...shifts, { of: id, startLine, endLine, grew: answer.grew, replaced: answer.replaced }],
  });
}

/** What stood there comes back to the byte, if nobody else changed the file meanwhile. */
async function takeBack(review: Review, { id, path }: ReportedFinding['finding']): Promise<void> {
  const { blob = '', shifts = [] } = review.edits.get(path) ?? {};
  const own = shifts.find(({ of }) => of === id);
  if (own === undefined) return;
  const others = shifts.filter((shift) => shift !== own);
  const startLine = own.startLine + shiftOf(others, own.startLine);
  const answer = await review.desk.acts?.apply({
    ...{ path, blob, startLine, replacement: own.replaced, exact: true },
    endLine: startLine + (own.endLine - own.startLine) + own.grew,
  });
  review.edits.set(path, { blob: answer?.blob ?? blob, shifts: others });
}

/** What pages found so far, until the run is whole: joined and placed on lines only then. */
export function foundSoFar({ run, live }: Review): readonly ReportedFinding[] {
  if (run.value !== undefined) return run.value.findings;
  return Object.values(live.value).flatMap(({ findings }) =>
    findings.map((finding): ReportedFinding => {
      const isPlaced = finding.startLine > 0;
      const place = isPlaced ? ({ kind: 'anchored', by: 'given' } as const) : undefined;
      return { finding, place: place ?? { kind: 'summary', reason: 'no-line' }, standing: 'new' };
    }),
  );
}

/** Looks once more which files are what they were; what was applied from here is known. */
export async function lookForOtherFiles(review: Review): Promise<void> {
  const { desk, change, changes, edits, stale } = review;
  const now = await desk.changes(change).catch(() => undefined);
  if (now === undefined) return;
  const blobs = new Map(now.entries.map(({ path, newBlob = '' }) => [path, newBlob]));
  const known = new Map(
    changes.entries.map(({ path, newBlob = '' }) => [path, edits.get(path)?.blob ?? newBlob]),
  );
  const paths = new Set([...blobs.keys(), ...known.keys()]);
  stale.value = [...paths].filter((path) => blobs.get(path) !== known.get(path));
}

/** By how many lines what was reviewed on this line has moved. */
export function shiftOf(shifts: readonly Pick<Shift, 'endLine' | 'grew'>[], line: number): number {
  return shifts.reduce((sum, { endLine, grew }) => (endLine < line ? sum + grew : sum), 0);
}

/** Another suggestion took these lines. */
export function isTaken(review: Review, { path, suggestion }: ReportedFinding['finding']): boolean {
  const { shifts = [] } = review.edits.get(path) ?? {};
  if (suggestion === undefined) return false;
  return shifts.some(
    ({ startLine, endLine }) => startLine <= suggestion.endLine && endLine >= suggestion.startLine,
  );
}
