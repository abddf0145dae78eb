// Finds the document and the stretch around the cursor. A live text wins over the stored one; a text that was indexed once
// is not read or scanned again; a document that cannot be read costs a warning.
import { LRUCache } from 'lru-cache';
import { codePointBorder } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { Store } from '../../store/store.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { chapterNumber } from '../documents/chapter-number.js';
import { chapterTitle } from '../documents/chapters.js';
import { cursorIn } from '../documents/cursor.js';
import { type IndexedText, indexText } from '../documents/indexed-text.js';
import { surrounding } from '../documents/surrounding.js';
import type { TextRange } from '../documents/text-range.js';
import { reachAhead, reachBack } from '../layers/estimate-tokens.js';
import { outages } from '../layers/outages.js';
import type { Scene, SceneWindow } from '../layers/scene.js';
import type { ContextOrder } from './context-request.js';

/** Tokens, about. */
export const chapterReach = { before: 30_000, after: 1_000 };
/** The start of a long chapter moves in steps of this many code units, so that most requests share it. */
const startGrid = 4_096;

const indexedTexts = new LRUCache<string, IndexedText>({
  max: 500,
  maxSize: 30_000_000,
  sizeCalculation: ({ text }) => text.length + 1,
});

export interface SceneOptions {
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
    chapter: entry === undefined ? chapterNumber(title) : entry.order,
    indexed,
    ...windowOf(indexed, chosenIn(indexed, request, options), options),
    entries,
    instruction: request.additionalInput ?? '',
    later: request.later,
  };
}

const openingUnits = 4_000;

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
