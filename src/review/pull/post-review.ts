// Brings a pull request to what a review says of it, whatever stands there: read, plan, take a step, read again. A call that may have
// had its effect is not made again before the state was read, so nothing is posted twice and nothing is lost.
import { GalleyError, isGalleyError, toGalleyError, type Warning } from '../../core/model/error.js';
import type { Forge, LineComment, PullState } from '../../forges/forge.js';
import { isUncertain } from '../../forges/forge-http.js';
import type { Report } from '../report/report.js';
import { type Posting, type PostingTally, planPosting } from './plan-posting.js';
import type { PullStanding } from './pull-standing.js';
import { rightfulStanding } from './rightful-standing.js';
import type { PostingOptions } from './sort-findings.js';

export interface PostOptions extends Omit<PostingOptions, 'forge' | 'refused'> {
  readonly forge: Forge;
  readonly number: number;
  /** Where it was read a moment ago. A review takes minutes, and people do not wait. */
  readonly state?: PullState | undefined;
  /** Changes nothing and tells what would be done. */
  readonly dryRun?: boolean | undefined;
}

export interface PostedReview extends PostingTally {
  /** False where the pull request moved on meanwhile: then nothing was posted. */
  readonly posted: boolean;
  readonly lines: number;
  readonly resolved: number;
  readonly summary: 'none' | 'added' | 'edited';
  /** Findings whose lines the host did not take; they stand in the summary. */
  readonly refused: number;
  readonly warnings: readonly Warning[];
}

/** A host that gives no answer this often gives none. */
const maxRounds = 6;

export async function postReview(report: Report, options: PostOptions): Promise<PostedReview> {
  const { forge, number, head, key } = options;
  const refused = new Set<string>();
  const done: Done = { lines: 0, resolved: 0, summary: 'none', mayResolve: true, warnings: [] };
  const { warnings } = done;
  let state = options.state ?? (await forge.read(number));
  let failure: GalleyError | undefined;
  for (let round = 1; round <= maxRounds; round += 1) {
    const standing = await rightfulStanding(forge, state, key);
    if (state.pull.head.commit !== head)
      return { ...moved(report, standing, { ...options, refused }), warnings };
    const plan = planPosting(report, standing, { ...options, refused });
    if (options.dryRun === true)
      return { ...plan.tally, posted: false, ...wouldBe(plan), refused: refused.size, warnings };
    if (isDone(plan, done)) {
      await setCheck(forge, head, plan, warnings);
      const { lines, resolved, summary } = done;
      return { ...plan.tally, posted: true, lines, resolved, summary, refused: refused.size, warnings };
    }
    try {
      await takeSteps(plan, { forge, number, head, refused, done });
      failure = undefined;
    } catch (error) {
      if (!isUncertain(error)) throw error;
      failure = toGalleyError(error);
    }
    state = await forge.read(number);
  }
  throw failure ?? notSettled();
}

interface Steps {
  readonly forge: Forge;
  readonly number: number;
  readonly head: string;
  readonly refused: Set<string>;
  readonly done: Done;
}

interface Done {
  lines: number;
  resolved: number;
  summary: PostedReview['summary'];
  /** Until the host says otherwise. */
  mayResolve: boolean;
  readonly warnings: Warning[];
}

async function takeSteps(plan: Posting, steps: Steps): Promise<void> {
  const { forge, number, done } = steps;
  const { linesAtOnce } = forge.abilities;
  const before = steps.refused.size;
  for (let from = 0; from < plan.lines.length; from += linesAtOnce)
    await addLines(plan.lines.slice(from, from + linesAtOnce), steps);
  for (const thread of plan.removeLines) await forge.deleteLineComment(number, thread);
  for (const { id } of plan.removeComments) await forge.deleteComment(number, id);
  if (done.mayResolve) await resolve(plan, steps);
  // What was refused has to go into the summary first.
  if (steps.refused.size > before) return;
  if (plan.summary.kind === 'add') {
    await forge.addComment(number, plan.summary.body);
    done.summary = 'added';
  } else if (plan.summary.kind === 'edit') {
    await forge.editComment(number, plan.summary.id, plan.summary.body);
    if (done.summary === 'none') done.summary = 'edited';
  }
}

/** It asks for more rights than comments do; without them the threads stay open for people. */
async function resolve(plan: Posting, { forge, number, done }: Steps): Promise<void> {
  try {
    await forge.resolveThreads(number, plan.resolve);
    done.resolved += plan.resolve.length;
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'FORBIDDEN') throw error;
    done.mayResolve = false;
    done.warnings.push({
      code: 'THREADS_NOT_RESOLVED',
      message: `${error.message.replace(/\.$/, '')}; threads of findings that are gone stay open.`,
    });
  }
}

/** A host that refuses a whole review for one line does not say which: halves find it. */
async function addLines(lines: readonly LineComment[], steps: Steps): Promise<void> {
  const { forge, number, head, refused, done } = steps;
  const outcome = await forge.addLineComments(number, head, lines);
  if (outcome.posted) {
    done.lines += lines.length;
    return;
  }
  for (const key of outcome.refused) refused.add(key);
  if (outcome.refused.length > 0) {
    done.lines += lines.length - outcome.refused.length;
    return;
  }
  const [only, ...others] = lines;
  if (only !== undefined && others.length === 0) refused.add(only.key);
  if (others.length === 0) return;
  const half = Math.ceil(lines.length / 2);
  await addLines(lines.slice(0, half), steps);
  await addLines(lines.slice(half), steps);
}

function isDone(
  { lines, resolve: closing, removeLines, removeComments, summary }: Posting,
  { mayResolve }: Done,
): boolean {
  const steps = [lines, mayResolve ? closing : [], removeLines, removeComments].reduce(
    (sum, list) => sum + list.length,
    0,
  );
  return steps === 0 && summary.kind === 'none';
}

function wouldBe({
  lines,
  resolve: closing,
  summary,
}: Posting): Pick<PostedReview, 'lines' | 'resolved' | 'summary'> {
  const kinds = { none: 'none', add: 'added', edit: 'edited' } as const;
  return { lines: lines.length, resolved: closing.length, summary: kinds[summary.kind] };
}

/** Comments matter more than the check beside them: a token that may not set one posts all the same. */
async function setCheck(forge: Forge, head: string, { check }: Posting, warnings: Warning[]): Promise<void> {
  try {
    await forge.setCheck(head, check);
  } catch (error) {
    if (!isGalleyError(error) || (error.code !== 'FORBIDDEN' && error.code !== 'NOT_FOUND')) throw error;
    warnings.push({
      code: 'CHECK_NOT_SET',
      message: `${error.message.replace(/\.$/, '')}; the comments are posted, the check is not set.`,
    });
  }
}

function moved(
  report: Report,
  standing: PullStanding,
  options: PostOptions & { readonly refused: ReadonlySet<string> },
): Omit<PostedReview, 'warnings'> {
  const { tally } = planPosting(report, standing, options);
  return { ...tally, posted: false, lines: 0, resolved: 0, summary: 'none', refused: 0 };
}

function notSettled(): GalleyError {
  return new GalleyError(
    'FORGE_UNAVAILABLE',
    'The pull request keeps changing while it is posted to; run the same command again.',
    { details: { reason: 'not-settled' } },
  );
}
