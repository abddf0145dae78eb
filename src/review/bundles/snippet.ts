// Lines beyond the diff, with everything needed to read them again: path, side, blob, range.
import type { LineRange } from '../../code/range-evidence.js';
import type { FileSide } from '../units/changed-file.js';

export interface Snippet {
  readonly path: string;
  readonly side: 'old' | 'new';
  /** One-based and inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly blob: string;
  readonly text: string;
  readonly why: string;
  /** Place among all snippets of the answer, 1 is best. */
  readonly rank?: number;
}

export interface SnippetPlace {
  readonly side: 'old' | 'new';
  readonly file: Pick<FileSide, 'path' | 'blob' | 'lines'>;
  readonly why: string;
}

export function snippetOf({ side, file, why }: SnippetPlace, range: LineRange): Snippet {
  const { startLine, endLine } = range;
  return {
    path: file.path,
    side,
    startLine,
    endLine,
    blob: file.blob,
    text: file.lines.slice(startLine - 1, endLine).join('\n'),
    why,
  };
}
