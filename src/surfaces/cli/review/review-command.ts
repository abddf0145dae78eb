// galley review: what a review of the change would send, as a table, or its pages as JSON or as files.

import { resolve } from 'node:path';
import { GalleyError, toGalleyError } from '../../../core/model/error.js';
import { type Arrival, lastArrival } from '../../../git/repository/branches.js';
import { type LentRepository, lentRepository } from '../../../git/repository/open-repository.js';
import type { Omission } from '../../../review/change/omission.js';
import { uncommittedFiles } from '../../../review/change/usual-change.js';
import { type PageOptions, type PageSet, withPages } from '../../../review/pages/page-set.js';
import { type PlanAnswer, planAnswer } from '../../../review/plan/plan-review.js';
import type { ReviewRunRequest } from '../../../review/run/run-request.js';
import { previewReview } from '../../../review/run/run-review.js';
import { localTickets } from '../../local-tickets.js';
import { cancellation } from '../shell/cancellation.js';
import { colours } from '../terminal/colours.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { jsonPieces, writePieces } from '../terminal/json-output.js';
import { progressLine } from '../terminal/progress.js';
import { clipped, terminalWidth } from '../terminal/table.js';
import { wrapped } from '../terminal/text-width.js';
import { counted, word } from '../words/word.js';
import { writePages } from './review-out.js';
import { contextWishOf, type ReviewOptions, requestOf, runRequestOf } from './review-request.js';
import { type AskedRange, nameOf, reviewTable, type ShownReview } from './review-table.js';
import { explainPlan, refuseUnknownUnit } from './review-words.js';

/** As long as git itself advises. */
const widestSubject = 72;

export async function reviewCommand(options: ReviewOptions): Promise<void> {
  const price = Number(options.price);
  if (!Number.isFinite(price) || price < 0)
    throw new GalleyError('INVALID_ARGUMENT', '--price: must be a number, zero or more.');
  const lent = lentRepository(resolve(options.repo));
  const progress = progressLine(process.stderr);
  const context = {
    ...{ folder: process.cwd(), signal: cancellation(), onProgress: progress.show, lent },
    tickets: localTickets(),
  };
  try {
    if (options.json || options.out !== undefined) await handOver(options, context, progress.clear);
    else await showReview(options, context, { price, clear: progress.clear });
  } catch (error) {
    throw toGalleyError(error);
  } finally {
    progress.clear();
    await lent.close();
  }
}

type CommandContext = PageOptions & { readonly lent: LentRepository };

/** The pages as chunks, for other tools: as JSON, or as files. */
async function handOver(options: ReviewOptions, from: CommandContext, clear: () => void): Promise<void> {
  const request = await requestOf(options, from.lent);
  const context = contextWishOf(options.context) ?? ('usual' as const);
  const asked = { ...request, redact: options.redact !== false, context };
  await withPages(asked, from, async (set) => {
    failOnPartial(options, set.omitted);
    await explain(options, async () => planAnswer(await set.plan()));
    if (options.out === undefined) {
      await writePieces(chunksAsJson(set));
      if (options.explain) process.stderr.write(explainReceipt(set.receipt()));
      return;
    }
    const tokens = await writePages(set, options.out);
    clear();
    if (options.explain) process.stderr.write(explainReceipt(set.receipt()));
    const { omitted, coverage, warnings } = set;
    const written: WrittenPages = { pages: tokens.length, tokens, omitted, coverage, warnings };
    const pages = counted(tokens.length, 'page');
    const words = wrapped(word('review.wrote', { pages }), process.stdout.columns ?? 110);
    process.stdout.write(options.json ? `${JSON.stringify(written)}\n` : `${coverage}\n${words}\n`);
  });
}

function failOnPartial({ failOnPartial: asked }: ReviewOptions, omitted: readonly Omission[]): void {
  if (asked && omitted.length > 0) process.exitCode = 3;
}

/** Each page leaves as it is set; the receipt is known after the last one. */
async function* chunksAsJson(set: PageSet): AsyncGenerator<string> {
  yield '{"chunks":[';
  for await (const chunk of set.chunks()) yield `${chunk.index === 1 ? '' : ','}${JSON.stringify(chunk)}`;
  const { omitted, coverage, warnings } = set;
  const [, ...rest] = jsonPieces({ omitted, coverage, warnings, receipt: set.receipt() });
  yield '],';
  yield* rest;
  yield '\n';
}

/** What a review would send, as a table. Where nobody named a change and there is none, what came last to the branch. */
async function showReview(
  options: ReviewOptions,
  context: CommandContext,
  { price, clear }: { readonly price: number; clear(): void },
): Promise<void> {
  const request = await runRequestOf({ ...options, dryRun: true }, context.lent);
  const isUsual = namesNothing(options);
  const uncommitted = isUsual && request.mode === 'pr' ? countUncommitted(context.lent) : undefined;
  const canBeClean = isUsual && request.mode === 'working';
  const show = (wanted: ReviewRunRequest, arrival?: Arrival) =>
    previewReview(wanted, context, async ({ room, plan, set, review, warnings, meter }) => {
      const tokens = review.pages.map((page) => page.tokens);
      const omitted = [...set.omitted, ...plan.omitted];
      const facts: ShownReview = {
        ...{ total: tokens.length, omitted, warnings, meter, coverage: set.coverage },
        ...{ pages: set.pages, change: room.change, files: set.filesShown() },
      };
      const isEmpty = tokens.length === 0 && omitted.length === 0;
      failOnPartial(options, omitted);
      if (isEmpty && canBeClean) return emptyWords(facts, request);
      const { planned } = plan;
      if (planned !== undefined) await explain(options, async () => planAnswer(planned));
      clear();
      const [first] = review.pages;
      if (options.explain && first !== undefined)
        process.stderr.write(explainReceipt(review.seal(first).receipt));
      const left = (await uncommitted) ?? 0;
      const shown = { tokens, price, asked: wanted, uncommitted: left, arrival };
      process.stdout.write(isEmpty ? emptyWords(facts, wanted) : summary(facts, shown));
      return undefined;
    });
  const empty = await show(request);
  if (empty === undefined) return;
  const arrival = await whatCameLast(context);
  const isShown =
    arrival !== undefined &&
    (await show({ ...request, mode: 'commit', commit: arrival.id }, arrival)) === undefined;
  clear();
  if (!isShown) process.stdout.write(empty);
}

/** Nobody asked for it, so that failing to find it is no failure. */
function whatCameLast({ lent, signal }: CommandContext): Promise<Arrival | undefined> {
  return lent
    .open()
    .then((repository) => lastArrival(repository, { signal }))
    .catch(() => undefined);
}

/** With --explain or --level: every unit and its reasons. */
async function explain(options: ReviewOptions, plan: () => Promise<PlanAnswer>): Promise<void> {
  if (options.explain === undefined && options.level === undefined) return;
  const only = typeof options.explain === 'string' ? options.explain : undefined;
  const answer = await plan();
  if (only !== undefined) refuseUnknownUnit(answer, only);
  process.stderr.write(explainPlan(answer, { only, level: options.level }));
}

/** What is printed as JSON when the pages are files. */
export interface WrittenPages extends Pick<PageSet, 'omitted' | 'coverage' | 'warnings'> {
  readonly pages: number;
  readonly tokens: readonly number[];
}

interface Facts {
  readonly tokens: number[];
  readonly price: number;
  readonly asked: AskedRange;
  /** Paths of the working tree that the change does not hold. */
  readonly uncommitted: number;
  /** What is shown in place of a change that is not there. */
  readonly arrival?: Arrival | undefined;
}

function summary(set: ShownReview, { tokens, price, asked, uncommitted, arrival }: Facts): string {
  const width = process.stdout.columns;
  const table = reviewTable(set, { colours, width, asked, price, tokens });
  const narrow = (text: string) => wrapped(text, process.stdout.columns ?? 110);
  const files = counted(uncommitted, 'file');
  const missed =
    uncommitted === 0 ? '' : `\n${colours.yellow(narrow(word('review.uncommitted', { files })))}\n`;
  // Nobody is invited to have nothing reviewed.
  if (set.total === 0 && arrival === undefined) return `${table}${missed}`;
  if (arrival === undefined) return `${table}${missed}${colours.dim(`\n${narrow(word('review.hint'))}\n`)}`;
  const commit = shortId(arrival);
  const hint = `\n${narrow(word('review.last.hint', { commit }))}\n`;
  return `${lastWords(arrival)}\n\n${table}${colours.dim(hint)}`;
}

/** A subject is shown in one line, however its author wrote it. */
function lastWords(arrival: Arrival): string {
  const subject = clipped(arrival.subject.replaceAll(/\p{C}/gu, '?'), widestSubject);
  const key = arrival.isMerge ? 'review.last.merge' : 'review.last.commit';
  return wrapped(word(key, { commit: shortId(arrival), subject }), terminalWidth());
}

const shortId = ({ id }: Arrival) => id.slice(0, 10);

function emptyWords(set: ShownReview, asked: AskedRange): string {
  return `${word('review.empty', { name: nameOf(set, asked) })}\n${colours.dim(nextWhenEmpty(set))}\n`;
}

function nextWhenEmpty({ change }: ShownReview): string {
  if (change.headCommit === undefined) return word('review.empty.unborn');
  return word(change.mode === 'staged' ? 'review.empty.staged' : 'review.empty.working');
}

function namesNothing({ base, head, commit, staged, working }: ReviewOptions): boolean {
  return (base ?? head ?? commit ?? staged ?? working) === undefined;
}

/** A hint is no reason to fail. */
function countUncommitted(lent: LentRepository): Promise<number> {
  return lent
    .open()
    .then(uncommittedFiles)
    .catch(() => 0);
}
