// A model at work for one review: its calls surely end, keep to a ceiling, and leave a record.
import { GalleyError } from '../../core/model/error.js';
import type { RunRecord } from '../../core/model/run-record.js';
import { type RecordedAnswer, runOnRecord } from '../../models/cache/run-on-record.js';
import { sharedForesight } from '../../models/cache/shared-foresight.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import { withCeiling } from '../../models/catalog/with-ceiling.js';
import { countTokens } from '../../models/count-tokens.js';
import type { Model, ModelRequest, RunOptions } from '../../models/model.js';
import { withBackstop } from './with-backstop.js';

export interface Reviewer {
  readonly id: string;
  ask(request: ModelRequest, options: RunOptions, page?: number): Promise<RecordedAnswer>;
}

export interface ReviewerOptions {
  readonly catalog: Catalog;
  /** In dollars. */
  readonly ceiling?: number | undefined;
  readonly graceMs?: number | undefined;
}

export function reviewerOf(model: Model, { catalog, ceiling, graceMs }: ReviewerOptions): Reviewer {
  const ending = withBackstop(model, graceMs);
  const guarded =
    ceiling === undefined ? ending : withCeiling(ending, { dollars: ceiling, count: countTokens, catalog });
  return {
    id: model.id,
    ask: (request, options, page) =>
      runOnRecord(request, options, {
        model: guarded,
        foresight: sharedForesight(model),
        catalog,
        kind: 'review-page',
        receipt: '',
        ...(page === undefined ? {} : { page }),
      }),
  };
}

/** What is left of a ceiling after a run. */
export function ceilingAfter(ceiling: number | undefined, run: RunRecord | undefined): number | undefined {
  if (ceiling === undefined) return undefined;
  const left = ceiling - (run?.cost?.dollars ?? 0);
  if (left > 0) return left;
  throw new GalleyError('COST_CEILING_REACHED', 'The plan alone reached the ceiling; raise it to go on.', {
    details: { ceiling },
  });
}

/** Several calls for one page as one record. */
export function joinRecords(records: readonly RunRecord[]): RunRecord | undefined {
  const [first, ...rest] = records;
  if (first === undefined) return undefined;
  return rest.reduce((sum, next): RunRecord => {
    const [left, right] = [sum.reported, next.reported];
    const reported = left !== undefined && right !== undefined ? added(left, right) : (left ?? right);
    const cost = sum.cost ?? next.cost;
    const dollars = (sum.cost?.dollars ?? 0) + (next.cost?.dollars ?? 0);
    return {
      ...first,
      foreseen: added(sum.foreseen, next.foreseen),
      ...(reported === undefined ? {} : { reported }),
      ...(cost === undefined ? {} : { cost: { ...cost, dollars } }),
      attempts: sum.attempts + next.attempts,
    };
  }, first);
}

function added<Numbers extends object>(left: Numbers, right: Numbers): Numbers {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof Numbers>;
  const sums = [...names].map((name) => [name, Number(left[name] ?? 0) + Number(right[name] ?? 0)]);
  return Object.fromEntries(sums) as Numbers;
}
