// Which lines an answer shows already: no line of a side stands in two snippets.
import type { LineRange } from '../../code/range-evidence.js';
import { linesOf } from '../units/changed-file.js';
import type { Snippet } from './snippet.js';

export interface LineClaims {
  /** The parts of a snippet that nobody showed before; they count as shown from now on. */
  claim(snippet: Snippet): Snippet[];
  /** The same without taking them. */
  free(range: ShownRange): LineRange[];
}

export type ShownRange = Pick<Snippet, 'path' | 'side'> & LineRange;

/** `already` is what the reader has already. */
export function lineClaims(already: readonly ShownRange[] = []): LineClaims {
  const shown = new Map<string, Set<number>>();
  const linesAt = ({ path, side }: Pick<Snippet, 'path' | 'side'>): Set<number> => {
    const key = `${side}:${path}`;
    const known = shown.get(key) ?? new Set<number>();
    shown.set(key, known);
    return known;
  };
  for (const range of already) {
    const taken = linesAt(range);
    for (let line = range.startLine; line <= range.endLine; line += 1) taken.add(line);
  }
  const free: LineClaims['free'] = (snippet) => {
    const taken = linesAt(snippet);
    const ranges: { startLine: number; endLine: number }[] = [];
    for (let line = snippet.startLine; line <= snippet.endLine; line += 1) {
      if (taken.has(line)) continue;
      const last = ranges.at(-1);
      if (last?.endLine === line - 1) last.endLine = line;
      else ranges.push({ startLine: line, endLine: line });
    }
    return ranges;
  };
  return {
    free,
    claim(snippet) {
      const taken = linesAt(snippet);
      const parts = free(snippet);
      for (let line = snippet.startLine; line <= snippet.endLine; line += 1) taken.add(line);
      const whole = parts.length === 1 && parts[0]?.startLine === snippet.startLine;
      if (whole && parts[0]?.endLine === snippet.endLine) return [snippet];
      const lines = linesOf(`${snippet.text}\n`);
      return parts.map((range) => ({
        ...snippet,
        ...range,
        text: lines
          .slice(range.startLine - snippet.startLine, range.endLine - snippet.startLine + 1)
          .join('\n'),
      }));
    },
  };
}
