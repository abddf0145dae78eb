// Which meter weighs for a model. A model we do not know gets a safe estimate, and the answer says so.
import type { Warning } from '../core/model/warning.js';
import { modelMeters, modelMetersVersion, unknownModelMeter } from './model-meters.js';

export interface ModelMeter {
  /** For `loadMeter`. */
  readonly meter: string;
  readonly known: boolean;
  /** The version of the table that answered. */
  readonly table: string;
  readonly warning?: Warning;
}

export function meterForModel(model: string): ModelMeter {
  const bare = bareName(model);
  const row = modelMeters.find(({ pattern }) => pattern.test(bare));
  if (row !== undefined) return { meter: row.meter, known: true, table: modelMetersVersion };
  return {
    meter: unknownModelMeter,
    known: false,
    table: modelMetersVersion,
    warning: {
      code: 'METER_MODEL_UNKNOWN',
      message: `No tokenizer is known for this model; tokens are estimated on the safe side (${unknownModelMeter}). Name a meter to choose another.`,
      details: { meter: unknownModelMeter },
    },
  };
}

/** Without provider, region or fine-tuning prefix: `us.anthropic.claude-…`, `openai/gpt-…`, `ft:gpt-…`. */
function bareName(model: string): string {
  const last = model.trim().toLowerCase().split('/').at(-1) ?? '';
  return last
    .replace(/^ft:/, '')
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|meta|amazon|mistral|deepseek|qwen)\./, '');
}
