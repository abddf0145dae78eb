// What a run foresaw, reported and cost, beside the receipt of what was sent.
import type { CallKind, RunRecord } from '../../core/model/run-record.js';
import { builtInCatalog, type Catalog } from '../catalog/catalog.js';
import { costOf } from '../catalog/cost-of.js';
import type { Model, ModelAnswer } from '../model.js';
import type { Foreseen } from './foresight.js';

export interface RunPlace {
  readonly model: Model;
  readonly kind: CallKind;
  /** Id of the receipt of what is sent. */
  readonly receipt: string;
  /** One-based, where the prompt has several. */
  readonly page?: number | undefined;
  readonly catalog?: Catalog | undefined;
}

export function recordRun(
  { usage, attempts = 1 }: ModelAnswer,
  { inputTokens, cachedInputTokens }: Foreseen,
  { model, kind, receipt, page, catalog = builtInCatalog }: RunPlace,
): RunRecord {
  const cost =
    usage === undefined || model.family === 'replay' ? undefined : costOf(usage, model.id, catalog);
  return {
    kind,
    receipt,
    model: model.id,
    ...(page === undefined ? {} : { page }),
    foreseen: { inputTokens, cachedInputTokens },
    ...(usage === undefined ? {} : { reported: { ...usage } }),
    ...(cost === undefined ? {} : { cost }),
    attempts,
  };
}
