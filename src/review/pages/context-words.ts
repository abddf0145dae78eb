// Lines from beside the diff as they read on a page: where they stand, why they are there, then the lines themselves.
import type { ContextPiece } from '../bundles/context-pieces.js';
import { printablePath } from './printable-path.js';

/** Behind another piece of the same file only what differs from it is said. */
export function contextWords({ snippet, leansOn }: Pick<ContextPiece, 'snippet' | 'leansOn'>): string {
  const { path, side, startLine, endLine, why, text } = snippet;
  const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const file = leansOn === undefined ? printablePath(path) : '';
  const before = side === 'old' && leansOn === undefined ? ' before the change' : '';
  const reason = leansOn?.snippet.why === why ? '' : ` \u00b7 ${why}`;
  return `${file}:${range}${before}${reason}\n${codeFence('', text)}`;
}

/** Code between marks that are longer than any it holds. */
export function codeFence(language: string, text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}\n`;
}
