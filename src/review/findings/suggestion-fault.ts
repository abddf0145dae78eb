// May this suggestion be committed with one click? It replaces exactly the range of its remark, on the new side, with whole text.

import { hiddenCharacters } from '../../cleaning/hidden-text.js';
import { type ChangedFile, hunkAround, rangeTexts } from './changed-lines.js';
import type { Finding, Suggestion } from './finding.js';

export type SuggestionFault =
  | 'not-anchored'
  | 'old-side'
  | 'other-range'
  | 'quote-not-found'
  | 'outside-hunk'
  | 'not-utf8'
  | 'no-change'
  | 'diff-signs'
  | 'left-out-code'
  | 'hidden-characters';

const leftOut =
  /^\s*(?:\/\/|#|--|\/\*|<!--|;)?\s*(?:\.\.\.|…)\s*(?:\(?(?:existing|rest|unchanged|same|other|remaining|previous)\b.*)?(?:\*\/|-->)?\s*$/i;

/** `finding` stands at its final place, `suggestion` on the lines it would replace there. */
export function suggestionFault(
  finding: Finding,
  suggestion: Suggestion,
  file: ChangedFile,
): SuggestionFault | undefined {
  if (finding.side === 'old') return 'old-side';
  const { startLine, endLine, replacement } = suggestion;
  if (startLine > finding.startLine || endLine < finding.endLine) return 'other-range';
  const hunk = hunkAround(file, 'new', suggestion);
  if (hunk === undefined) return 'outside-hunk';
  if (file.lossy) return 'not-utf8';
  const replaced = rangeTexts(hunk.new, suggestion);
  const lines = replacement.split(/\r?\n/);
  if (replacement !== '' && lines.join('\n') === replaced.join('\n')) return 'no-change';
  if (looksSigned(lines) && !looksSigned(replaced)) return 'diff-signs';
  if (lines.some((line) => leftOut.test(line)) && !replaced.some((line) => leftOut.test(line)))
    return 'left-out-code';
  const known = new Set(hiddenCharacters(replaced.join('\n')));
  if (hiddenCharacters(replacement.replaceAll('\r\n', '\n')).some((character) => !known.has(character)))
    return 'hidden-characters';
  return undefined;
}

function looksSigned(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length > 0 && filled.every((line) => /^(?:[+-]|@@)/.test(line));
}
