// galley jobs: starts, shows, follows, cancels and repeats jobs of the folder's project.
import { existsSync } from 'node:fs';
import { type ErrorCode, errorTable, GalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import { begunAgain, heldUp, inLane, noWorker } from '../../../operations/jobs.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf, OperationId } from '../../../operations/table.js';
import type { ReportFormat } from '../../../review/report/write-report.js';
import { jobStatuses } from '../../../store/tables/job-rows.js';
import { exportedStore, isThere, storePath } from '../../shared-store.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext, projectHere } from '../shell/local-context.js';
import { parseJson, readTextFile, wholeNumber } from '../shell/read-input.js';
import { padded, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, whenWords } from '../terminal/talk.js';
import { widthOf } from '../terminal/text-width.js';
import { refusalWords, word } from '../words/word.js';
import { isReviewed, reportOfJob } from './job-report.js';
import { nextCommand } from './next-command.js';
import { withRepository } from './reviewed-repository.js';

interface JobsOptions {
  readonly project?: string;
  readonly store?: string;
  readonly json?: boolean;
}

type Shown = AnswerOf<'jobs:start'>;
type Ask = <Id extends OperationId>(id: Id, request?: object) => Promise<AnswerOf<Id>>;

async function inJobs(
  { store: named, project, reads = false }: JobsOptions & { readonly reads?: boolean },
  work: (ask: Ask) => Promise<void>,
  listeners: Pick<OperationContext, 'onProgress'> = {},
): Promise<void> {
  const isKept = !reads || isThere(storePath(process.cwd(), named));
  const store = isKept ? named : ':memory:';
  const context = localContext(store === undefined ? {} : { store });
  try {
    const isInside = (named ?? exportedStore()) === undefined;
    const projectId = project ?? (await projectHere(context.store, context.folder, { isInside }));
    const asking = { ...context, signal: runSignal(context.signal), ...listeners };
    await work(async <Id extends OperationId>(id: Id, request: object = {}) => {
      return (await call(id, { projectId, ...request }, asking)) as AnswerOf<Id>;
    });
  } finally {
    await context.close();
  }
}

export async function listJobs(options: JobsOptions & { readonly status?: string }): Promise<void> {
  await inJobs({ ...options, reads: true }, async (ask) => {
    const { status } = options;
    const answer = await ask('jobs:list', status === undefined ? {} : { status });
    if (options.json) return printJson(answer);
    if (answer.jobs.length === 0) return say(`${word('jobs.none')}\n`);
    const isHeldUp = answer.jobs.some(({ refusal }) => refusal !== undefined);
    const columns = [
      { title: word('jobs.col.job') },
      { title: word('jobs.col.operation'), shrink: true },
      { title: word('jobs.col.status') },
      { title: word('jobs.col.attempts'), align: 'right' as const },
      { title: word('jobs.col.created') },
      ...(isHeldUp ? [{ title: word('jobs.col.why') }] : []),
    ];
    const rows = answer.jobs.map((job) => [
      ...[shortId(job), job.operation, statusWords(job), String(job.attempts), whenWords(job.createdAt)],
      job.refusal?.code ?? '',
    ]);
    print(textTable(columns, rows, { width: terminalWidth() }));
  });
}

interface StartOptions extends JobsOptions {
  readonly input?: string;
  readonly key?: string;
  readonly lane?: string;
  readonly priority?: string;
  readonly maxAttempts?: string;
  readonly maxCost?: string;
}

export async function startJob(operation: string, options: StartOptions): Promise<void> {
  const { input = '{}', key, lane, priority, maxAttempts, maxCost } = options;
  const isFile = !input.trimStart().startsWith('{') && existsSync(input);
  const text = isFile ? await readTextFile(input) : input;
  await inJobs(options, async (ask) => {
    const started = await ask('jobs:start', {
      ...{ operation, key, lane },
      request: await withRepository(operation, parseJson(text, '--input'), process.cwd()),
      ...(priority === undefined ? {} : { priority: Number(priority) }),
      ...(maxAttempts === undefined ? {} : { maxAttempts: wholeNumber(maxAttempts, '--max-attempts', 1) }),
      ...(maxCost === undefined ? {} : { maxCost: Number(maxCost) }),
    });
    if (options.json) return printJson(started);
    print(`${started.job}\n`);
    say(`${word('jobs.started', { command: nextCommand(`follow ${started.job}`, options) })}\n`);
  });
}

interface ShowOptions extends JobsOptions {
  readonly format?: ReportFormat;
}

export async function showJob(job: string, options: ShowOptions): Promise<void> {
  await inJobs({ ...options, reads: true }, async (ask) => {
    const found = await ask('jobs:get', { job: await named(ask, job) });
    if (options.json) return printJson(found);
    if (options.format !== undefined) return print(await reportOfJob(found, options.format));
    print(`${factsOf(found, options).join('\n')}\n`);
  });
}

export async function followJob(job: string, options: JobsOptions): Promise<void> {
  const onProgress: OperationContext['onProgress'] = ({ stage, done, total }) => {
    const far = total === undefined ? '' : ` ${done}/${total}`;
    if (!options.json) say(`${stageWords(stage, nextCommand(`show ${job}`, options))}${far}\n`);
  };
  const work = async (ask: Ask) => {
    const ended = await ask('jobs:follow', { job: await named(ask, job) });
    if (options.json) printJson(ended);
    else tell(ended);
    if (ended.status !== 'succeeded') process.exitCode = exitOf(ended);
  };
  await inJobs({ ...options, reads: true }, work, { onProgress });
}

function stageWords(stage: string, command: string): string {
  if (stage === noWorker) return word('jobs.no-worker', { command: 'galley worker' });
  if (stage === heldUp) return word('jobs.held-up', { command });
  if (stage === begunAgain) return word('jobs.begun-again');
  if (stage === inLane) return word('jobs.in-lane');
  const status = jobStatuses.find((each) => each === stage);
  return status === undefined ? stage : word(`jobs.status.${status}`);
}

/** As if the operation had been called here; a refusal of a newer version has no row yet. */
function exitOf({ status, refusal }: Shown): number {
  if (status === 'cancelled') return errorTable.CANCELLED.exit;
  const code = refusal?.code ?? '';
  return Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode].exit : errorTable.INCOMPLETE.exit;
}

export async function cancelJob(job: string, options: JobsOptions): Promise<void> {
  await inJobs(options, async (ask) => {
    const cancelled = await ask('jobs:cancel', { job: await named(ask, job) });
    if (options.json) return printJson(cancelled);
    tell(cancelled);
  });
}

export async function repeatJob(job: string, options: JobsOptions & { fresh?: boolean }): Promise<void> {
  await inJobs(options, async (ask) => {
    const repeated = await ask('jobs:repeat', { job: await named(ask, job), fresh: options.fresh === true });
    if (options.json) return printJson(repeated);
    tell(repeated);
  });
}

/** The id that begins so, among the newest. */
async function named(ask: Ask, begin: string): Promise<string> {
  const { jobs } = await ask('jobs:list', { limit: 1000 });
  const found = jobs.filter(({ job }) => job.startsWith(begin));
  if (found.length < 2) return found[0]?.job ?? begin;
  throw new GalleyError('INVALID_ARGUMENT', 'Several jobs begin so; write more of the id.', {
    details: { field: 'job' },
  });
}

/** As much of an id as names it; more is in the job itself. */
const shortId = ({ job }: Shown) => job.slice(0, 8);

/** A line for each fact; what was asked and answered may be anything, and is only in the JSON. */
function factsOf(job: Shown, options: JobsOptions): readonly string[] {
  const { lane, key, startedAt, endedAt, refusal, status } = job;
  const when = (at: number | undefined) => (at === undefined ? undefined : whenWords(at));
  const facts: readonly (readonly [string, string | undefined])[] = [
    [word('jobs.col.job'), job.job],
    [word('jobs.col.operation'), job.operation],
    [word('jobs.col.status'), statusWords(job)],
    [word('jobs.col.attempts'), `${job.attempts}/${job.maxAttempts}`],
    [word('jobs.fact.lane'), lane],
    [word('jobs.fact.key'), key],
    [word('jobs.col.created'), when(job.createdAt)],
    [word('jobs.fact.started'), when(startedAt)],
    [word('jobs.fact.due'), status === 'queued' && job.attempts > 0 ? when(job.dueAt) : undefined],
    [word('jobs.fact.ended'), when(endedAt)],
    [
      word('jobs.col.why'),
      refusal === undefined ? undefined : `${refusal.code}: ${refusalWords(refusal.message)}`,
    ],
  ];
  const known = facts.filter((fact) => fact[1] !== undefined);
  const width = Math.max(...known.map(([name]) => widthOf(name)));
  const lines = known.map(([name, value]) => `${padded(name, width)}  ${value}`);
  const command = nextCommand(`repeat ${shortId(job)}`, options);
  const isOver = status === 'failed' || status === 'cancelled';
  if (isOver) return [...lines, word('jobs.repeatable', { command })];
  const report = nextCommand(`show ${shortId(job)} --format markdown`, options);
  return isReviewed(job) ? [...lines, word('jobs.reported', { command: report })] : lines;
}

function tell(job: Shown): void {
  const { refusal } = job;
  const why = refusal === undefined ? '' : `  ${refusal.code}: ${refusalWords(refusal.message)}`;
  print(`${job.job}  ${job.operation}  ${statusWords(job)}${why}\n`);
}

function statusWords({ status, cancelAsked, progress }: Shown): string {
  const far = progress?.total === undefined ? '' : ` ${progress.done}/${progress.total}`;
  const words = word(`jobs.status.${status}`);
  return status === 'running' ? `${cancelAsked ? word('jobs.status.cancelled') : words}${far}` : words;
}
