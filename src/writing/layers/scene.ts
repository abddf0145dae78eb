// Where the writer is: the document, the cursor or selection in it, and the stretch of text around it that is read.

import { LRUCache } from 'lru-cache';
import { codePointBorder } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { Store } from '../../store/store.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { chapterTitle } from '../documents/chapters.js';
import { frontLength } from '../documents/front-matter.js';
import {
  cursorIn,
  type IndexedText,
  indexText,
  surrounding,
  type TextRange,
} from '../documents/indexed-text.js';
import { chapterNumber } from '../documents/numerals.js';
import { storyPlaces } from '../documents/story-places.js';
import { type LaterText, laterChapters } from '../story/story-time.js';
import type { ContextOrder } from './context-request.js';
import { outages } from './warnings.js';

/** Code units of the document: before is [from, start), the selection [start, end), after [end, to). */
interface SceneWindow {
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly to: number;
}

/** In code points. With a history the text may grow from the least to the most before its start moves. */
interface TextStretch {
  readonly least: number;
  readonly most: number;
}

export interface Scene {
  readonly project: string;
  readonly documentId: string;
  readonly title: string;
  /** Place of the document in reading order; undefined for a document that is not stored. */
  readonly chapter: number | undefined;
  readonly indexed: IndexedText;
  readonly window: SceneWindow;
  /** All documents of the project, in reading order; undefined when they could not be listed. */
  readonly entries: readonly DocumentEntry[] | undefined;
  readonly instruction: string;
  /** The stretch before the cursor, where a skill says how long it must be. */
  readonly stretch?: TextStretch;
  /** Whether passages that come later in the story may be shown; left out: they may not. */
  readonly later?: LaterText;
  /** Whether a text tells what must not be known at this point of the story. */
  readonly tellsSecret?: (text: string) => boolean;
}

/** Tells which documents come after the one being written; none where that has no place. */
export function laterThan({
  entries,
  documentId,
  indexed,
}: Scene): (entry: DocumentEntry | undefined) => boolean {
  return laterChapters({ entries, documentId, opening: indexed.text.slice(0, openingLength) });
}

/** Enough for the line that names a chapter. */
const openingLength = 4_000;

// Finds the document and the stretch around the cursor. A live text wins over the stored one; a text that was indexed once
// is not read or scanned again; a document that cannot be read costs a warning.
/** Tokens, about. */
const chapterReach = { before: 30_000, after: 1_000 };
/** The start of a long chapter moves in steps of this many code units, so that most requests share it. */
const startGrid = 4_096;

const indexedTexts = new LRUCache<string, IndexedText>({
  max: 500,
  maxSize: 30_000_000,
  sizeCalculation: ({ text }) => text.length + 1,
});

interface SceneOptions {
  /** Code points on each side; undefined reads the chapter around the cursor. */
  readonly surrounding: number | undefined;
  /** What is worked on when neither a cursor nor a selection is given. */
  readonly unselected: 'document' | 'cursor';
  /** For a text that goes on at the cursor: as many tokens before it as `surrounding` has code points, more with a history. */
  readonly goesOn?: { readonly meter: Meter; readonly hasHistory: boolean } | undefined;
  readonly note: (warning: Warning) => void;
}

export async function readScene(request: ContextOrder, store: Store, options: SceneOptions): Promise<Scene> {
  const { projectId, documentId, text: live } = request;
  let entries: readonly DocumentEntry[] | undefined;
  let indexed = indexText(live ?? '');
  try {
    entries = await store.documents.list(projectId);
    const entry = entries.find(({ id }) => id === documentId);
    if (live === undefined && entry !== undefined) indexed = await storedText(store, projectId, entry);
  } catch {
    if (live === undefined) options.note(outages.document);
  }
  const entry = entries?.find(({ id }) => id === documentId);
  // A text that was never stored may still say which chapter it is.
  const title = entry?.title ?? chapterTitle(indexed.text.slice(0, openingUnits), '');
  return {
    project: projectId,
    documentId,
    title,
    chapter:
      entry === undefined || entries === undefined
        ? chapterNumber(title)
        : storyPlaces(entries).get(entry.id),
    indexed,
    ...inProse(indexed, windowOf(indexed, chosenIn(indexed, request, options), options)),
    entries,
    instruction: request.additionalInput ?? '',
    later: request.later,
  };
}

const openingUnits = 4_000;

/** Whatever is chosen: notes at the head of a chapter are no text to work on. */
function inProse(
  { text }: IndexedText,
  { window, ...rest }: Pick<Scene, 'window' | 'stretch'>,
): Pick<Scene, 'window' | 'stretch'> {
  const front = frontLength(text);
  if (window.from >= front) return { window, ...rest };
  const behind = (unit: number) => Math.max(front, unit);
  const { from, start, end, to } = window;
  return { window: { from: behind(from), start: behind(start), end: behind(end), to: behind(to) }, ...rest };
}

function chosenIn(
  indexed: IndexedText,
  { cursorPosition, selection }: ContextOrder,
  { unselected }: SceneOptions,
): TextRange {
  if (selection !== undefined) return selection;
  if (cursorPosition === undefined && unselected === 'document') return { start: 0, end: indexed.length };
  const cursor = cursorIn(indexed, cursorPosition ?? indexed.length);
  return { start: cursor, end: cursor };
}

export async function storedText(store: Store, project: string, entry: DocumentEntry): Promise<IndexedText> {
  const known = indexedTexts.get(entry.contentHash);
  if (known !== undefined) return known;
  const document = await store.documents.find(project, entry.id);
  if (document === undefined) return indexText('');
  const indexed = indexText(document.text);
  indexedTexts.set(document.contentHash, indexed);
  return indexed;
}

function windowOf(
  indexed: IndexedText,
  chosen: TextRange,
  { surrounding: reach, goesOn }: SceneOptions,
): Pick<Scene, 'window' | 'stretch'> {
  const isEmpty = chosen.start === chosen.end && goesOn === undefined;
  // With nothing around and nothing selected there would be nothing to work on.
  if (reach === undefined || (reach === 0 && isEmpty)) return { window: chapterWindow(indexed, chosen) };
  const around = surrounding(indexed, chosen, reach);
  const units = (from: number): SceneWindow => ({
    from: indexed.unitAt(from),
    start: indexed.unitAt(around.selection.start),
    end: indexed.unitAt(around.selection.end),
    to: indexed.unitAt(around.after.end),
  });
  if (goesOn === undefined) return { window: units(around.before.start) };
  const cursor = around.selection.start;
  const least = tokensBefore(indexed, cursor, { tokens: Math.max(leastBefore, reach), meter: goesOn.meter });
  const most = Math.ceil(least * growth);
  const size = goesOn.hasHistory ? Math.ceil((most - cursor) / sizeStep) * sizeStep + cursor : least;
  return { window: units(Math.max(0, cursor - size)), stretch: { least, most } };
}

/** Without any text before it nobody can go on. */
const leastBefore = 500;
/** After a hop to a paragraph there is still the least. */
const growth = 2.2;
const mostCodePoints = 8;

/** Code points before the cursor that weigh so many tokens, and never fewer than that many. */
function tokensBefore(
  indexed: IndexedText,
  cursor: number,
  { tokens, meter }: { tokens: number; meter: Meter },
): number {
  const sample = indexed.slice({ start: Math.max(0, cursor - tokens), end: cursor });
  const weight = Math.ceil(meter.weigh(sample) / meter.scale);
  if (weight >= tokens || cursor <= tokens) return tokens * (cursor <= tokens ? mostCodePoints : 1);
  // In steps, so that the size does not change with every word.
  const more = Math.min(mostCodePoints, tokens / Math.max(1, weight));
  return Math.ceil((tokens * more * 1.05) / sizeStep) * sizeStep;
}

const sizeStep = 500;

function chapterWindow(indexed: IndexedText, chosen: { start: number; end: number }): SceneWindow {
  const { text } = indexed;
  const start = indexed.unitAt(chosen.start);
  const end = indexed.unitAt(chosen.end);
  return { from: steadyStart(text, start), start, end, to: sentenceBefore(text, end) };
}

function steadyStart(text: string, start: number): number {
  const { from } = reachBack(text, start, chapterReach.before);
  if (from === 0) return 0;
  const grid = Math.ceil(from / startGrid) * startGrid;
  if (grid >= start) return codePointBorder(text, from);
  const line = text.indexOf('\n', grid - 1) + 1;
  return line > 0 && line - grid < startGrid && line < start ? line : codePointBorder(text, grid);
}

/** What comes after ends with a sentence where one ends in reach. */
function sentenceBefore(text: string, end: number): number {
  const to = codePointBorder(text, reachAhead(text, end, chapterReach.after));
  if (to >= text.length) return text.length;
  const whole = Math.max(text.lastIndexOf('\n', to - 1), text.lastIndexOf('。', to - 1)) + 1;
  return whole > end ? whole : to;
}

// A quick guess at tokens, for reach and allowances only: one for a character of a script without spaces, a quarter for the rest.
export function estimateTokens(text: string): number {
  return reachBack(text, text.length, Number.POSITIVE_INFINITY).tokens;
}

/** How far back from `end` a number of tokens reaches, in code units. */
function reachBack(text: string, end: number, tokens: number): { from: number; tokens: number } {
  let quarters = 0;
  const most = tokens * 4;
  let from = end;
  while (from > 0 && quarters < most) {
    from -= 1;
    quarters += text.charCodeAt(from) < 0x2e80 ? 1 : 4;
  }
  return { from, tokens: quarters / 4 };
}

function reachAhead(text: string, start: number, tokens: number): number {
  let quarters = 0;
  let to = start;
  for (; to < text.length && quarters < tokens * 4; to += 1) {
    quarters += text.charCodeAt(to) < 0x2e80 ? 1 : 4;
  }
  return to;
}
