// What a run foresaw, reported and cost, for the receipt.
import type { RunRecord } from '../../core/model/run-record.js';
import { builtInCatalog, type Catalog } from '../catalog/catalog.js';
import { costOf } from '../catalog/cost-of.js';
import type { Model, ModelAnswer } from '../model.js';
import type { Foreseen } from './foresight.js';

export interface RunPlace {
  readonly model: Model;
  /** One-based, where the prompt has several. */
  readonly page?: number;
  readonly catalog?: Catalog | undefined;
}

export function recordRun(
  { usage, attempts = 1 }: ModelAnswer,
  { inputTokens, cachedInputTokens }: Foreseen,
  { model, page, catalog = builtInCatalog }: RunPlace,
): RunRecord {
  const cost =
    usage === undefined || model.family === 'replay' ? undefined : costOf(usage, model.id, catalog);
  return {
    model: model.id,
    ...(page === undefined ? {} : { page }),
    foreseen: { inputTokens, cachedInputTokens },
    ...(usage === undefined ? {} : { reported: { ...usage } }),
    ...(cost === undefined ? {} : { cost }),
    attempts,
  };
}
