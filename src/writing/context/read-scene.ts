// Finds the document and the stretch around the cursor. A live text wins over the stored one; a text that was indexed once
// is not read or scanned again; a document that cannot be read costs a warning.
import { LRUCache } from 'lru-cache';
import { codePointBorder } from '../../core/model/utf8.js';
import type { Warning } from '../../core/model/warning.js';
import type { DocumentEntry } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { cursorIn } from '../documents/cursor.js';
import { type IndexedText, indexText } from '../documents/indexed-text.js';
import { surrounding } from '../documents/surrounding.js';
import { reachAhead, reachBack } from '../layers/estimate-tokens.js';
import { outages } from '../layers/outages.js';
import type { Scene, SceneWindow } from '../layers/scene.js';
import type { CheckedContextRequest } from './context-request.js';

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
  readonly note: (warning: Warning) => void;
}

export async function readScene(
  request: CheckedContextRequest,
  store: Store,
  options: SceneOptions,
): Promise<Scene> {
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
  return {
    project: projectId,
    documentId,
    title: entry?.title ?? '',
    chapter: entry?.order,
    indexed,
    window: windowOf(indexed, request, options.surrounding),
    entries,
    instruction: request.additionalInput ?? '',
    later: request.later,
  };
}

async function storedText(store: Store, project: string, entry: DocumentEntry): Promise<IndexedText> {
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
  { cursorPosition, selection }: CheckedContextRequest,
  reach: number | undefined,
): SceneWindow {
  const cursor = cursorIn(indexed, cursorPosition);
  const chosen = selection ?? { start: cursor, end: cursor };
  // With nothing around and nothing selected there would be nothing to work on.
  if (reach === undefined || (reach === 0 && chosen.start === chosen.end))
    return chapterWindow(indexed, chosen);
  const around = surrounding(indexed, chosen, reach);
  return {
    from: indexed.unitAt(around.before.start),
    start: indexed.unitAt(around.selection.start),
    end: indexed.unitAt(around.selection.end),
    to: indexed.unitAt(around.after.end),
  };
}

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
