// Requests name fields, people type flags: refusals of these commands speak of what was typed.

const flags: Readonly<Record<string, string>> = {
  agentType: '--agent',
  currentMessage: '--message',
  teamTask: '--task',
  systemInstruction: '--system-file',
  maxBytes: '--max-bytes',
  base: '--base',
  head: '--head',
  commit: '--commit',
  skill: '--skill',
  linter: '--linter',
  maxChunkTokens: '--max-chunk',
  maxPromptTokens: '--budget',
  maxRuleTokens: '--max-rules',
  maxPages: '--max-pages',
  maxOutputTokens: '--max-output',
  timeoutMs: '--timeout',
  firstByteTimeoutMs: '--first-byte-timeout',
  concurrency: '--concurrency',
  language: '--language',
  format: '--format',
  most: '--most',
  maxCost: '--max-cost',
};
const speaking: ReadonlySet<string> = new Set(['review', 'report', 'agent']);
const camelCase = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;

export function inFlags(message: string, command: string | undefined): string {
  if (command === undefined || !speaking.has(command)) return message;
  return message
    .replace(/^([A-Za-z]+)(?=: )/, (field) => flags[field] ?? field)
    .replaceAll(camelCase, (field) => flags[field] ?? field);
}
