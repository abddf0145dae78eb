// What a review would send, for somebody who looks at it and turns the budget: facts, reasons and sizes of all pages, and the texts of
// those that are asked for. Nothing is sent, nothing is kept.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { builtInCatalog, type Catalog } from '../../models/catalog/catalog.js';
import type { Model } from '../../models/contract/model.js';
import { type OpenReviewOptions, openReview, type ReviewContext } from '../change/open-review.js';
import { type LookOfRun, lookOf } from '../run/result-of-run.js';
import { type ReviewRunRequest, reviewRunRequest } from '../run/run-request.js';
import { setUpReview } from '../run/set-up-review.js';
import type { LookedAt, ReviewLooks } from './review-looks.js';

const { shape } = reviewRunRequest;

export const lookRequest = z.strictObject({
  ...{ repo: shape.repo, mode: shape.mode, base: shape.base, head: shape.head, commit: shape.commit },
  ...{ paths: shape.paths, maxPromptTokens: shape.maxPromptTokens, meter: shape.meter },
  ...{ context: shape.context, pin: shape.pin, without: shape.without, levels: shape.levels },
  model: shape.model,
  look: textField(64)
    .optional()
    .describe('the one to go on with: the change is not read again while the server still holds it'),
  texts: z.array(z.int().min(1)).max(100).default([]).describe('pages whose texts are wanted, from 1'),
  units: z
    .array(textField(5000))
    .max(100)
    .default([])
    .describe('paths whose units are wanted, with the level each is shown with'),
});

export type LookRequest = z.output<typeof lookRequest>;

export interface ReviewLook extends LookOfRun {
  /** Names the change as it was read, and what its review is settled by. */
  readonly look: string;
}

interface LookContext extends OpenReviewOptions {
  readonly signal: AbortSignal;
  readonly looks?: ReviewLooks | undefined;
  readonly catalog?: Catalog | undefined;
  readonly answers?: string | undefined;
  model(name?: string): Promise<Model>;
}

export async function lookAtReview(request: LookRequest, context: LookContext): Promise<ReviewLook> {
  const { look: named, texts, units, ...turned } = request;
  const { repo, mode, base, head, commit, paths, ...knobs } = turned;
  const change: LookedAt = { repo, mode, base, head, commit, paths };
  const { folder, tickets, signal } = context;
  const run = reviewRunRequest.parse({ ...turned, dryRun: true });
  const work = async (opened: ReviewContext, look: string) => {
    const { maxPromptTokens, meter } = knobs;
    const asked = { ...opened.request, ...present({ maxPromptTokens, meter }) };
    return { look, ...(await lookOnce({ ...opened, request: asked }, { run, texts, units }, context)) };
  };
  if (context.looks !== undefined) {
    let limit = 0;
    const first = async (opened: ReviewContext, look: string) => {
      const found = await work(opened, look);
      limit = found.receipt.budget.n;
      return found;
    };
    const rehearse = async (opened: ReviewContext, nth: number) => {
      const turned = Math.round(limit * (nth % 2 === 0 ? 1 - nth / 40 : 1 + nth / 40));
      const asked = { ...opened.request, ...present({ meter: knobs.meter }), maxPromptTokens: turned };
      const own = { ...context, signal: new AbortController().signal };
      await lookOnce({ ...opened, request: asked }, { run, texts: [], units: [] }, own);
    };
    return context.looks.with(change, { folder, tickets, signal, named }, first, rehearse);
  }
  return openReview(run, { folder, tickets, signal }, (opened) => work(opened, ''));
}

async function lookOnce(
  opened: ReviewContext,
  { run, texts, units }: { readonly run: ReviewRunRequest } & Pick<LookRequest, 'texts' | 'units'>,
  { folder, signal, answers, catalog = builtInCatalog, model }: LookContext,
): Promise<LookOfRun> {
  // Where a model is named and can be had, what is shown is what that very model would get.
  const named = run.model === undefined ? undefined : await model(run.model).catch(() => undefined);
  const open = await setUpReview(opened, run, { folder, signal, answers, catalog, model: named });
  try {
    return lookOf({ opened, exempt: () => false, ...open, isPlannerAsked: false }, { texts, units });
  } finally {
    open.set.close();
  }
}

const present = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
