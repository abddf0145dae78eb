// A question that only a person at a terminal can be asked; whoever ends the input (Ctrl-D) has said no.
import { createInterface } from 'node:readline/promises';

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((done) => lines.once('close', () => done('')));
  const answer = await Promise.race([lines.question(question), ended]);
  lines.close();
  return /^\s*(?:y|yes|是|好)\s*$/iu.test(answer);
}
