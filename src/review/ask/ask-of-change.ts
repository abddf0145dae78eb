// Something else than findings, asked of the pages of a change: set like those of a review, under a task of their own. A reader that
// needs more code asks for it and is served as a reviewer is; an answer that cannot be read is asked for once more.
import { type Addition, extend } from '../../core/extend.js';
import { GalleyError, toGalleyError, type Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { withoutSpans } from '../../core/seal/seal.js';
import { hashText } from '../../meters/content-hash.js';
import { readLooseJson } from '../../models/answer/loose-json.js';
import { builtInCatalog } from '../../models/catalog/catalog.js';
import { createCostBudget } from '../../models/catalog/with-ceiling.js';
import type { RunRecord } from '../../models/contract/model.js';
import { openReview } from '../change/open-review.js';
import { type AskedRequest, answerExtras } from '../findings/answer-extras.js';
import type { CleanTree } from '../follow-up/clean-tree.js';
import type { ReaderTask } from '../prompt/reviewer-system.js';
import { answerKey, keptText } from '../run/kept-answers.js';
import { type PreparedPage, type Spent, spentOn } from '../run/prepare-pages.js';
import type { CallReceipt } from '../run/result-of-run.js';
import { type Reviewer, reviewerOf } from '../run/reviewer.js';
import type { ReviewRunRequest } from '../run/run-request.js';
import type { RunContext } from '../run/run-review.js';
import { type SetUpReview, setUpReview } from '../run/set-up-review.js';

export interface ChangeTask<Answer> {
  reader(options: { readonly asks: boolean }): ReaderTask;
  /** Which pages are asked, best first. */
  choose(pages: readonly PreparedPage[]): readonly PreparedPage[];
  /** What is said below a page; it must not weigh more than `room`. */
  words?(page: PreparedPage, tree: CleanTree): Promise<readonly Addition[]>;
  /** Tokens every page keeps free for these words. */
  readonly room: number;
  /** The answer as objects it may hold and as plain text; undefined where it is none. */
  read(objects: readonly object[], text: string): Answer | undefined;
}

export interface AskedChange<Answer> {
  readonly answers: readonly { readonly page: PreparedPage; readonly answer: Answer }[];
  /** Changed files, as paths. */
  readonly files: readonly string[];
  readonly spent: Spent;
  readonly runs: readonly RunRecord[];
  /** Of every call. */
  readonly receipts: readonly CallReceipt[];
  readonly warnings: readonly Warning[];
}

export async function askOfChange<Answer>(
  request: ReviewRunRequest,
  context: RunContext,
  task: ChangeTask<Answer>,
): Promise<AskedChange<Answer>> {
  const { catalog = builtInCatalog, graceMs, signal, folder, tickets } = context;
  const { maxCost } = request;
  const ceiling = maxCost === undefined ? undefined : { dollars: maxCost, budget: createCostBudget(maxCost) };
  const model = await context.model(request.model);
  const reviewer = reviewerOf(model, { catalog, ceiling, graceMs });
  return openReview(request, { folder, signal, tickets }, async (opened) => {
    const open = await setUpReview(
      opened,
      { ...request, verify: false, verifyModel: undefined },
      { ...context, catalog, model, task: task.reader, again: task.room },
    );
    try {
      context.onEstimate?.(open.estimate);
      const chosen = task.choose(open.review.pages);
      const runs: RunRecord[] = [];
      const receipts: CallReceipt[] = [];
      const answers: { page: PreparedPage; answer: Answer }[] = [];
      let failure: GalleyError | undefined;
      for (const [at, page] of chosen.entries()) {
        signal.throwIfAborted();
        try {
          const words = (await task.words?.(page, open.tree)) ?? [];
          answers.push({
            page,
            answer: await converse(task, { page, words, open, reviewer, request, signal, runs, receipts }),
          });
        } catch (error) {
          failure = toGalleyError(error, 'MODEL_UNAVAILABLE');
          if (failure.code === 'CANCELLED') throw failure;
        }
        context.onProgress?.({ stage: 'review', done: at + 1, total: chosen.length });
      }
      if (answers.length === 0) throw failure ?? nothingToRead();
      return {
        ...{ answers, runs, receipts },
        files: opened.change.entries.map(({ path }) => path),
        spent: spentOn(runs),
        warnings: [...open.warnings, ...(failure === undefined ? [] : [notAnswered(failure)])],
      };
    } finally {
      open.set.close();
    }
  });
}

function nothingToRead(): GalleyError {
  return new GalleyError('NOT_FOUND', 'Nothing of this change is shown to a model: every file is left out.');
}

function notAnswered({ code }: GalleyError): Warning {
  return { code: 'PAGE_NOT_ANSWERED', message: `A part of the change was not answered for (${code}).` };
}

interface Talk {
  readonly page: PreparedPage;
  readonly words: readonly Addition[];
  readonly open: SetUpReview;
  readonly reviewer: Reviewer;
  readonly request: ReviewRunRequest;
  readonly signal: AbortSignal;
  readonly runs: RunRecord[];
  readonly receipts: CallReceipt[];
}

async function converse<Answer>(task: ChangeTask<Answer>, talk: Talk): Promise<Answer> {
  const { page, words, open } = talk;
  const first = withWords(open.review.seal(page), words, open.meter);
  let said = await askReadable(task, first, talk);
  const { followUps } = open;
  let served = 0;
  for (let round = 1; said.requests.length > 0 && round <= followUps.most; round += 1) {
    const next = await followUps.next(page, said, { round, served });
    if (next === undefined) break;
    served += next.served;
    said = await askReadable(task, next.sealed, talk).catch((error: unknown) => {
      if (said.answer === undefined) throw error;
      return { ...said, requests: [] };
    });
  }
  if (said.answer === undefined) throw unreadable();
  return said.answer;
}

function withWords(sealed: SealedPrompt, words: readonly Addition[], meter: Meter): SealedPrompt {
  return words.length === 0 ? sealed : extend(sealed, words, { meter, hash: hashText });
}

interface Said<Answer> {
  readonly sealed: SealedPrompt;
  readonly text: string;
  readonly requests: readonly AskedRequest[];
  readonly answer: Answer | undefined;
}

async function askReadable<Answer>(
  task: ChangeTask<Answer>,
  sealed: SealedPrompt,
  talk: Talk,
): Promise<Said<Answer>> {
  const first = await askOnce(task, sealed, talk);
  if (isReadable(first)) return first;
  const added = { fragment: 'again', source: 'reviewer', layer: 'frame', words: again };
  const second = await askOnce(task, withWords(sealed, [added], talk.open.meter), talk);
  if (!isReadable(second)) throw unreadable();
  return second;
}

function isReadable({ answer, requests }: Said<unknown>): boolean {
  return answer !== undefined || requests.length > 0;
}

const again =
  '\nYour last answer could not be used. Answer again with nothing but the JSON object, in fewer words.\n';

async function askOnce<Answer>(
  task: ChangeTask<Answer>,
  sealed: SealedPrompt,
  { open, reviewer, request, signal, page, runs, receipts }: Talk,
): Promise<Said<Answer>> {
  const said = (text: string): Said<Answer> => {
    const objects = readLooseJson(text).values.filter(
      (value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
    );
    return { sealed, text, requests: answerExtras(objects).requests, answer: task.read(objects, text) };
  };
  // The same question about the same page is paid for once.
  const key = answerKey(['ask', reviewer.model.id, sealed.system, sealed.prompt, sealed.answer ?? '']);
  const known = request.fresh ? undefined : await open.kept.get(key, keptText);
  if (known !== undefined) return said(known.text);
  const { timeoutMs: totalMs, firstByteTimeoutMs: firstByteMs, maxOutputTokens } = request;
  receipts.push(withoutSpans(sealed.receipt));
  const { answer, record } = await reviewer.ask(sealed, {
    ...{ kind: 'review-ask', kept: open.kept, timeouts: { totalMs, firstByteMs }, signal, maxOutputTokens },
    page: page.index,
  });
  runs.push(record);
  const outcome = said(answer.text);
  if (isReadable(outcome)) await open.kept.put(key, { text: answer.text });
  return outcome;
}

function unreadable(): GalleyError {
  return new GalleyError(
    'MODEL_ANSWER_INVALID',
    'No answer could be read; try a model that keeps to a form.',
  );
}
