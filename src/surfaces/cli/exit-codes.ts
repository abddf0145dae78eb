// What the process's exit code says, for `galley --help`.
import { word } from './words/word.js';

export const exitCodes = [0, 1, 2, 3, 4, 5, 6, 7, 70, 124, 129, 130, 143] as const;

export function exitCodeWords(): string {
  const lines = exitCodes.map((code) => `  ${String(code).padStart(3)}  ${word(`exit.${code}`)}\n`);
  return `${word('help.exits')}\n${lines.join('')}`;
}
