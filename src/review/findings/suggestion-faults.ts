// May a suggestion be committed with one click? It has to replace exactly the lines it stands on, say nothing twice, and leave a file
// that parsed one that parses. One that may not stays in its finding as a remedy in words, with the reason.
import { hiddenCharacters, shownCharacter } from '../../cleaning/hidden-text.js';
import { redactionMark } from '../../cleaning/redact.js';
import { outline } from '../../code/outline.js';
import type { FilePatch } from '../../git/patch/patch.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { type FileSide, openFiles } from '../units/changed-file.js';
import { findingLimits, type ReviewFinding, type Suggestion } from './finding.js';
import { hunkAround, rangeTexts, type ShownFile } from './shown-lines.js';

export const suggestionFaults = [
  'not-anchored',
  'old-side',
  'other-range',
  'quote-not-found',
  'outside-hunk',
  'not-utf8',
  'no-change',
  'diff-signs',
  'left-out-code',
  'hidden-characters',
  'marked',
  'head-not-read',
  'repeats-context',
  'breaks-syntax',
] as const;

type SuggestionFault = (typeof suggestionFaults)[number];

/** A finding, with its suggestion or with the reason why it has none any more. */
export interface Suggesting {
  readonly finding: ReviewFinding;
  /** Why its suggestion was taken away. */
  readonly lostSuggestion?: SuggestionFault;
}

/** What it offered stays as a remedy, unless that is nothing or what stands there already. */
export function withoutSuggestion<Item extends Suggesting>(item: Item, fault: SuggestionFault): Item {
  const { suggestion, ...rest } = item.finding;
  const offered = suggestion?.replacement ?? '';
  const remedy = offered.trim() === '' || fault === 'no-change' ? undefined : shortened(offered);
  return {
    ...item,
    finding: remedy === undefined ? rest : { ...rest, remedy },
    lostSuggestion: fault,
  };
}

function shortened(text: string): string {
  if (text.length <= findingLimits.remedy) return text;
  const cut = text.slice(0, findingLimits.remedy - 1).toWellFormed();
  return `${cut.replace(/\ufffd$/, '')}\u2026`;
}

const leftOut =
  /^\s*(?:\/\/|#|--|\/\*|<!--|;)?\s*(?:\.\.\.|…)\s*(?:\(?(?:existing|rest|unchanged|same|other|remaining|previous)\b.*)?(?:\*\/|-->)?\s*$/i;

/** As far as the hunks tell; finding and suggestion stand on their final lines. */
export function suggestionFault(
  finding: ReviewFinding,
  suggestion: Suggestion,
  file: ShownFile,
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
  if (isMarked(replacement) && !isMarked(replaced.join('\n'))) return 'marked';
  const known = new Set(hiddenCharacters(replaced.join('\n')));
  if (hiddenCharacters(replacement.replaceAll('\r\n', '\n')).some((character) => !known.has(character)))
    return 'hidden-characters';
  return undefined;
}

function looksSigned(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length > 0 && filled.every((line) => /^(?:[+-]|@@)/.test(line));
}

/** Whether a text holds what we wrote in place of a secret or of a character that cannot be seen. */
export function isMarked(text: string): boolean {
  return redactionMark.test(text) || shownCharacter.test(text);
}

export interface Heads {
  readonly repository: Repository;
  readonly patches: readonly FilePatch[];
  readonly signal?: AbortSignal | undefined;
}

/** The same findings; suggestions that do not do on the files as they are now are taken away. */
export async function checkSuggestions<Item extends Suggesting>(
  items: readonly Item[],
  { repository, patches, signal }: Heads,
): Promise<Item[]> {
  const named = new Set(
    items.flatMap(({ finding }) => (finding.suggestion === undefined ? [] : finding.path)),
  );
  const files = patches.flatMap(({ entry: { path, newBlob } }) =>
    named.has(path) && newBlob !== undefined ? [{ path, blob: newBlob }] : [],
  );
  const heads = await openFiles(repository, files, signal);
  const checked: Item[] = [];
  for (const item of items) {
    const { suggestion, path } = item.finding;
    const fault = suggestion === undefined ? undefined : await faultAtHead(suggestion, heads.get(path));
    checked.push(fault === undefined ? item : withoutSuggestion(item, fault));
  }
  return checked;
}

async function faultAtHead(
  suggestion: Suggestion,
  head: FileSide | undefined,
): Promise<SuggestionFault | undefined> {
  if (head === undefined || suggestion.endLine > head.lines.length) return 'head-not-read';
  const { before, replaced, after } = around(suggestion, head.lines);
  const replacement = suggestion.replacement === '' ? [] : suggestion.replacement.split(/\r?\n/);
  if (
    repeats(replacement, before, replaced) ||
    repeats(replacement.toReversed(), after.toReversed(), replaced.toReversed())
  )
    return 'repeats-context';
  if (!head.outline.parsed || head.outline.damaged) return undefined;
  const text = [...before, ...replacement, ...after, ''].join('\n');
  const { parsed, damaged } = await outline(head.path, text, { digests: false });
  return parsed && damaged ? 'breaks-syntax' : undefined;
}

function around({ startLine, endLine }: Suggestion, lines: readonly string[]) {
  const plain = lines.map((line) => line.replace(/\r$/, ''));
  return {
    before: plain.slice(0, startLine - 1),
    replaced: plain.slice(startLine - 1, endLine),
    after: plain.slice(endLine),
  };
}

/** Whether it begins with the very lines that stand above it, and what it replaces does not: they would stand there twice. */
function repeats(
  replacement: readonly string[],
  above: readonly string[],
  replaced: readonly string[],
): boolean {
  const most = Math.min(replacement.length, above.length);
  for (let count = 1; count <= most; count += 1) {
    const start = above.length - count;
    const isAbove = (lines: readonly string[]) =>
      lines.length >= count && lines.slice(0, count).every((line, at) => line === above[start + at]);
    const says = replacement.slice(0, count).some((line) => line.trim() !== '');
    if (says && isAbove(replacement) && !isAbove(replaced)) return true;
  }
  return false;
}
