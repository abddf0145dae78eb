// Runs a model and says beside the answer what was foreseen, reported and paid.

import { builtInCatalog, type Catalog, type Cost, costOf, rowFor } from '../catalog/catalog.js';
import type {
  CallKind,
  Model,
  ModelAnswer,
  ModelRequest,
  RunOptions,
  RunRecord,
  Usage,
} from '../contract/model.js';
import { tapText } from '../contract/tap-text.js';
import type { Foreseen, Foresight } from './foresight.js';

export interface RecordedAnswer {
  readonly answer: ModelAnswer;
  readonly record: RunRecord;
}

export async function runOnRecord(
  request: ModelRequest,
  options: RunOptions,
  place: RunContext & { readonly foresight: Foresight },
): Promise<RecordedAnswer> {
  const outlook = await place.foresight.foresee(request);
  let begun = false;
  const listening = tapText(options, {
    onWords() {
      if (!begun) outlook.begun();
      begun = true;
    },
  });
  const answer = await place.model.run(request, listening);
  outlook.answered(answer);
  return { answer, record: recordOfRun(answer, outlook.foreseen, place) };
}

interface RunContext {
  readonly model: Model;
  readonly kind: CallKind;
  /** Id of the receipt of what is sent. */
  readonly receipt: string;
  /** One-based, where the prompt has several. */
  readonly page?: number | undefined;
  readonly catalog?: Catalog | undefined;
}

/** What a run foresaw, reported and cost, beside the receipt of what was sent. */
function recordOfRun(
  { usage, attempts = 1, model: named }: ModelAnswer,
  { inputTokens, cachedInputTokens }: Foreseen,
  { model, kind, receipt, page, catalog = builtInCatalog }: RunContext,
): RunRecord {
  const cost =
    usage === undefined || model.family === 'replay'
      ? undefined
      : model.family === 'cli'
        ? costOfMany(usage, named, catalog)
        : costOf(usage, model.id, catalog);
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

/** An agent costs what the model costs that it names. It tells the sum of many requests, so a price that goes by the length of one is not known. */
function costOfMany(usage: Usage, model: string | undefined, catalog: Catalog): Cost | undefined {
  if (model === undefined) return undefined;
  const { long } = rowFor(model, catalog) ?? {};
  return long !== undefined && usage.inputTokens > long.above ? undefined : costOf(usage, model, catalog);
}
