// One review while it is looked at: what is known of the change, which diffs were read, what was found and decided.
import { type Signal, signal } from '@preact/signals';
import type {
  Changes,
  DiffWish,
  FileDiff,
  Plan,
  ReportedFinding,
  ReviewDesk,
  ReviewedChange,
  ReviewedRun,
  ReviewSheet,
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
  readonly going: Signal<Going | undefined>;
  readonly decisions: Signal<Readonly<Record<string, Decision>>>;
  /** What went wrong, below the part it happened in. */
  readonly failures: Signal<Readonly<Partial<Record<'sheet' | 'diff' | 'run' | 'finding', unknown>>>>;
  /** Files whose diff is drawn though it may be out of sight. */
  readonly wanted: Signal<ReadonlySet<string>>;
  /** What applied suggestions did to each file. */
  readonly edits: Map<string, { readonly blob: string; readonly shifts: readonly Shift[] }>;
  wantDiff(path: string): void;
  readMore(path: string, wish: Omit<DiffWish, 'files'>): Promise<void>;
}

interface Shift {
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
    going: signal(undefined),
    decisions: signal({}),
    failures: signal({}),
    wanted: signal(new Set()),
    edits: new Map(),
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
    .sheet(change)
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
  const { desk, change, going } = review;
  const { acts } = desk;
  if (acts === undefined || going.value !== undefined) return;
  const controller = new AbortController();
  const stop = () => controller.abort();
  const show = (done: number, total: number) => {
    going.value = { done, total, stop };
  };
  show(0, review.sheet.value?.pages.length ?? 0);
  fail(review, 'run', undefined);
  try {
    review.run.value = await acts.run(change, {
      ...(model === undefined ? {} : { model }),
      signal: controller.signal,
      onProgress: show,
    });
    review.decisions.value = {};
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
    const { [finding.id]: _, ...rest } = review.decisions.value;
    review.decisions.value = decision === undefined ? rest : { ...rest, [finding.id]: decision };
    fail(review, 'finding', undefined);
  } catch (error) {
    fail(review, 'finding', { id: finding.id, error });
  }
}

/** On the lines where the file has it now, after the suggestions that were applied before. */
async function apply(review: Review, { path, suggestion }: ReportedFinding['finding']): Promise<void> {
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
    shifts: [...shifts, { startLine, endLine, grew: answer.grew }],
  });
}

/** By how many lines what was reviewed on this line has moved. */
export function shiftOf(shifts: readonly Shift[], line: number): number {
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
