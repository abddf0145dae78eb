// galley review: what a review of the change would send, as a table, as JSON or as files.
import { resolve } from 'node:path';
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import { type LentRepository, lentRepository } from '../../git/repository/lent-repository.js';
import { loadMeter } from '../../meters/load-meter.js';
import { uncommittedFiles } from '../../review/changes/uncommitted-files.js';
import { defaultMeter, type PageSet, withPages } from '../../review/pages/page-set.js';
import { allChunks } from '../../review/pages/review-chunks.js';
import { type PlanAnswer, planAnswer } from '../../review/plan/review-plan.js';
import { redactChunks, warnOfSecrets } from '../../review/redact-answer.js';
import { cancellation } from './cancellation.js';
import { colours } from './colours.js';
import { explainReceipt } from './explain-receipt.js';
import { type PageCleaning, writePages } from './review-out.js';
import { explainPlan, planByFile, refuseUnknownUnit } from './review-plan-view.js';
import { progressLine } from './review-progress.js';
import { type ReviewOptions, requestOf } from './review-request.js';
import { type AskedRange, nameOf, reviewTable } from './review-table.js';
import { counted, word } from './words/word.js';
import { wrapped } from './wrap.js';

/** A plan reads the syntax of both sides of every file: worth it for a change a person can survey. */
const filesWithPlan = 300;

export async function reviewCommand(options: ReviewOptions): Promise<void> {
  const price = Number(options.price);
  if (!Number.isFinite(price) || price < 0)
    throw new GalleyError('INVALID_ARGUMENT', '--price: must be a number, zero or more.');
  const lent = lentRepository(resolve(options.repo));
  const progress = progressLine(process.stderr);
  try {
    const request = await requestOf(options, lent);
    const uncommitted = namesNothing(options) && request.mode === 'pr' ? countUncommitted(lent) : undefined;
    const context = { folder: process.cwd(), signal: cancellation(), onProgress: progress.show, lent };
    await withPages(request, context, async (set) => {
      const only = typeof options.explain === 'string' ? options.explain : undefined;
      if (only !== undefined) refuseUnknownUnit(planAnswer(await set.plan()), only);
      const cleaning = {
        meter: await loadMeter(request.meter ?? defaultMeter),
        redact: options.redact !== false,
      };
      if (options.json && options.out === undefined) return printJson(set, cleaning);
      const { tokens, warnings } =
        options.out === undefined
          ? { tokens: await weighPages(set), warnings: set.warnings }
          : await writePages(set, options.out, cleaning);
      progress.clear();
      if (options.explain) process.stderr.write(explainReceipt(set.receipt()));
      const asked = options.explain !== undefined || options.level !== undefined;
      const shown = !options.json && set.pieces.length <= filesWithPlan;
      const plan = asked || shown ? planAnswer(await set.plan()) : undefined;
      if (plan !== undefined && asked)
        process.stderr.write(explainPlan(plan, { only, level: options.level }));
      if (options.json) {
        const { omitted, coverage } = set;
        const written: WrittenPages = { pages: tokens.length, tokens, omitted, coverage, warnings };
        process.stdout.write(`${JSON.stringify(written)}\n`);
        return;
      }
      process.stdout.write(
        summary(set, {
          ...{ tokens, price, plan, out: options.out, asked: request },
          uncommitted: (await uncommitted) ?? 0,
        }),
      );
    });
  } catch (error) {
    throw toGalleyError(error);
  } finally {
    progress.clear();
    await lent.close();
  }
}

/** What is printed as JSON when the pages are files. */
export interface WrittenPages extends Pick<PageSet, 'omitted' | 'coverage' | 'warnings'> {
  readonly pages: number;
  readonly tokens: readonly number[];
}

interface Facts {
  readonly tokens: number[];
  readonly price: number;
  readonly out: string | undefined;
  readonly plan: PlanAnswer | undefined;
  readonly asked: AskedRange;
  /** Paths of the working tree that the change does not hold. */
  readonly uncommitted: number;
}

function summary(set: PageSet, { tokens, price, out, plan, asked, uncommitted }: Facts): string {
  if (set.total === 0 && set.omitted.length === 0)
    return `${word('review.empty', { name: nameOf(set, asked) })}\n${colours.dim(nextWhenEmpty(set))}\n`;
  const table = reviewTable(set, {
    colours,
    width: process.stdout.columns,
    asked,
    price,
    tokens,
    plan: plan === undefined ? new Map() : planByFile(plan),
  });
  const narrow = (text: string) => wrapped(text, process.stdout.columns ?? 110);
  const files = counted(uncommitted, 'file');
  const missed =
    uncommitted === 0 ? '' : `\n${colours.yellow(narrow(word('review.uncommitted', { files })))}\n`;
  const next =
    out === undefined
      ? colours.dim(`\n${narrow(word('review.hint'))}\n`)
      : `\n${narrow(word('review.wrote', { pages: counted(tokens.length, 'page') }))}\n`;
  return table + missed + next;
}

function nextWhenEmpty({ change }: PageSet): string {
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

async function weighPages(set: PageSet): Promise<number[]> {
  const tokens: number[] = [];
  for await (const chunk of set.chunks()) tokens.push(chunk.tokens);
  return tokens;
}

async function printJson(set: PageSet, { meter, redact }: PageCleaning): Promise<void> {
  const answer = await allChunks(set);
  const handed = redact ? redactChunks(answer, meter) : warnOfSecrets(answer);
  process.stdout.write(`${JSON.stringify(handed)}\n`);
}
