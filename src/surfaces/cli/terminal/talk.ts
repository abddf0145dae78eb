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

/** 2026-11-16 14:02, where one is. */
export function whenWords(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** A line that somebody typed; empty for whoever ends the input (Ctrl-D). */
export async function askLine(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((done) => lines.once('close', () => done('')));
  const answer = await Promise.race([lines.question(question), ended]);
  lines.close();
  return answer.trim();
}

/** Whoever ends the input has said no. */
export async function askYes(question: string): Promise<boolean> {
  return /^(?:y|yes|是|好)$/iu.test(await askLine(question));
}
