// Data goes to stdout, talk to stderr; and a question that only a person at a terminal can be asked.

import { colours } from './colours.js';
import { warningLine, warningText } from './explain-receipt.js';

export function say(text: string): void {
  process.stderr.write(text);
}

export function print(text: string): void {
  process.stdout.write(text);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function sayWarnings(
  warnings: readonly (string | { readonly message: string; readonly code?: string })[],
): void {
  const lines = warnings.map((warning) =>
    typeof warning === 'string' ? warningLine(warning) : warningText(warning),
  );
  for (const line of new Set(lines)) say(`${colours.yellow('!')} ${line}\n`);
}

export function percent(part: number): string {
  return `${Math.round(part * 1000) / 10} %`;
}

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Whoever ends the input (Ctrl-D) has said no. */
export async function askYes(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((done) => lines.once('close', () => done('')));
  const answer = await Promise.race([lines.question(question), ended]);
  lines.close();
  return /^\s*(?:y|yes|是|好)\s*$/iu.test(answer);
}
