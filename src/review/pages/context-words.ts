// Lines from beside the diff as they read on a page: where they stand, why they are there, then the lines themselves.
import type { Snippet } from '../bundles/snippet.js';
import { printablePath } from './printable-path.js';

export function contextWords({ path, side, startLine, endLine, why, text }: Snippet): string {
  const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const before = side === 'old' ? ' before the change' : '';
  return `${printablePath(path)}:${range}${before} \u00b7 ${why}\n${codeFence('', text)}`;
}

/** Code between marks that are longer than any it holds. */
export function codeFence(language: string, text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}\n`;
}
