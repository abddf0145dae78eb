// Which meter weighs for a model: a table of names. A model we do not know gets a safe estimate, and the answer says so.
import type { Warning } from '../core/model/error.js';

interface ModelMeter {
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

interface ModelMeterRow {
  readonly pattern: RegExp;
  readonly meter: string;
}

const modelMetersVersion = '2026-11-16';

/** Safe for models nobody has told us about. */
export const unknownModelMeter = 'general-estimate';

/** Which meter stands for which model, as data: the first row whose pattern fits the bare, lowercase model name wins. */
export const modelMeters: readonly ModelMeterRow[] = [
  { pattern: /^(?:chatgpt-)?gpt-(?:4o|4\.1|4\.5|5|oss)/, meter: 'o200k_base' },
  { pattern: /^chatgpt-4o/, meter: 'o200k_base' },
  { pattern: /^o[134](?:$|[-.])/, meter: 'o200k_base' },
  { pattern: /^codex(?:$|-)/, meter: 'o200k_base' },
  { pattern: /^gpt-(?:4(?:$|-)|3\.5|35)/, meter: 'cl100k_base' },
  { pattern: /^text-embedding-(?:3|ada-002)/, meter: 'cl100k_base' },
  { pattern: /^claude-(?:[12]|3|instant)/, meter: 'claude-estimate' },
  { pattern: /^claude-[a-z]+-4(?:$|-(?:[0-6](?:$|-)|\d{8}|latest)|\.[0-6]|@)/, meter: 'claude-estimate' },
  { pattern: /^claude(?:$|-)/, meter: 'claude-estimate-4.7' },
  { pattern: /^(?:gemini|gemma)/, meter: 'gemini-estimate' },
  // Later generations have other vocabularies.
  { pattern: /^(?:qwq|qwen-?(?:1\.5|2|2\.5|3)(?:$|[-:]))/, meter: 'qwen' },
  { pattern: /^qwen/, meter: 'qwen-estimate' },
  { pattern: /^deepseek-(?:v3|r1|chat|reasoner)/, meter: 'deepseek' },
  { pattern: /^deepseek/, meter: 'deepseek-estimate' },
  { pattern: /^(?:glm|kimi|moonshot)/, meter: 'chinese-estimate' },
  {
    pattern:
      /^(?:chatglm|llama|codellama|meta-llama|mistral|mixtral|codestral|devstral|ministral|minimax|grok|doubao|ernie|hunyuan|yi-|phi|command|nova|jamba|step-|baichuan|internlm|granite|nemotron)/,
    meter: 'general-estimate',
  },
];
