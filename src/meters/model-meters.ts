// Which meter stands for which model, as data: the first row whose pattern fits the bare, lowercase model name wins.

export interface ModelMeterRow {
  readonly pattern: RegExp;
  readonly meter: string;
}

export const modelMetersVersion = '2026-11-16';

/** Safe for models nobody has told us about. */
export const unknownModelMeter = 'general-estimate';

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
