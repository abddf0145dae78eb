// Where a fragment comes from, as a ref that is stable, relative to the project, and safe to show.
import { LRUCache } from 'lru-cache';
import type { Fragment } from '../../core/model/fragment.js';
import { isProjectRelative, type Ref } from '../../core/model/fragment.js';
import type { IndexedText } from '../documents/indexed-text.js';
import { isMaterialId, type Material, promisesKey } from '../folder/material.js';
import { type LayerBody, layerFragment } from './layer-fragment.js';
import type { Scene } from './scene.js';

/** Rows made from files are named by their file; other rows by their kind and id. */
export function rowRef(kind: string, id: string, line?: number): Ref {
  const [path = ''] = id.split('#');
  if (!isMaterialId(id) || !isProjectRelative(path)) return { path: `${kind}/${shortened(id)}` };
  return line === undefined ? { path } : { path, lines: { start: line, end: line } };
}

export function documentRef(documentId: string, lines?: { start: number; end: number }): Ref {
  const path = isProjectRelative(documentId) ? documentId : `documents/${safe(documentId)}`;
  return lines === undefined ? { path } : { path, lines };
}

function shortened(id: string): string {
  const words = safe(id);
  // Generated ids are long; eight of their digits tell rows apart and cost a reader little.
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/u.test(words) ? words.slice(0, 8) : words;
}

function safe(words: string): string {
  const kept = words.replace(/[^\p{L}\p{N}\p{M}_.-]+/gu, '-').replace(/^\.+/u, '');
  return kept === '' ? '-' : kept;
}

export interface RefPlaces {
  readonly scene: Scene;
  readonly material: Pick<Material, 'settings' | 'constraints'>;
  /** The text of another document, where it is at hand. */
  textOf(documentId: string): IndexedText | undefined;
}

/** Every fragment with its origin, and below the constraints one line that names theirs. */
export function withRefs(
  fragments: readonly Fragment<LayerBody>[],
  places: RefPlaces,
): Fragment<LayerBody>[] {
  const named = fragments.map((fragment): Fragment<LayerBody> => {
    const ref = refOf(fragment, places);
    return ref === undefined ? fragment : { ...fragment, ref };
  });
  const paths = named
    .filter(({ section }) => section === 'constraints')
    .map(({ ref }) => ref?.path ?? '')
    .map((path) => (path.startsWith('.') ? path : 'constraints'));
  if (paths.length === 0) return named;
  const origins = layerFragment(places.scene.project, {
    id: 'constraints:origins',
    source: 'constraints',
    layer: 'rules',
    section: 'constraints',
    rank: 0,
    position: Number.MAX_SAFE_INTEGER,
    pinned: true,
    body: { kind: 'origins', paths: [...new Set(paths)] },
  });
  return [...named, origins];
}

/** Documents that passages were taken from, for whoever gets their texts. */
export function passageDocuments(fragments: readonly Fragment<LayerBody>[]): readonly string[] {
  const ids = fragments.flatMap(({ id }) => (id.startsWith('chunk:') ? [passageDocument(id)] : []));
  return [...new Set(ids)];
}

function passageDocument(id: string): string {
  return id.slice(id.indexOf(':') + 1, id.lastIndexOf('#'));
}

function refOf(fragment: Fragment<LayerBody>, places: RefPlaces): Ref | undefined {
  const { id, levels, position } = fragment;
  const body = levels[0]?.body;
  const rowId = id.slice(id.indexOf(':') + 1);
  switch (id.slice(0, id.indexOf(':'))) {
    case 'constraint':
      return rowRef('constraints', rowId, places.material.constraints.find((row) => row.id === rowId)?.line);
    case 'memory':
      return rowRef('memory', rowId);
    case 'summary':
      return rowRef('summaries', rowId);
    case 'entity':
      return body?.kind === 'entity' ? entityRef(rowId, body.name) : undefined;
    case 'relation':
      return body?.kind === 'relation'
        ? entityRef(rowId.slice(0, rowId.lastIndexOf(':')), body.from)
        : undefined;
    case 'setting': {
      const path =
        places.material.settings.find(({ key }) => key === rowId)?.path ?? `settings/${safe(rowId)}`;
      return fragment.ref?.lines === undefined ? { path } : { path, lines: fragment.ref.lines };
    }
    case 'promise':
      return { path: places.material.settings.find(({ key }) => key === promisesKey)?.path ?? 'promises' };
    case 'chunk': {
      const documentId = passageDocument(id);
      const text = body?.kind === 'titled' ? body.text : '';
      return documentRef(documentId, linesIn(places.textOf(documentId), text));
    }
    case 'front':
    case 'previous':
    case 'story':
      return documentRef(rowId);
    case 'text': {
      const { indexed, window, documentId } = places.scene;
      const isMark = body?.kind === 'mark';
      const from = isMark ? window.start : position;
      const to = isMark ? window.end : position + (body?.kind === 'passage' ? body.text.length : 0);
      return documentRef(documentId, lineRangeOf(indexed.text, from, to));
    }
    default:
      return undefined;
  }
}

function entityRef(id: string, name: string): Ref {
  const byFile = rowRef('entities', id);
  return byFile.path.startsWith('entities/') ? rowRef('entities', name) : byFile;
}

function linesIn(indexed: IndexedText | undefined, text: string): { start: number; end: number } | undefined {
  const at = indexed === undefined || text === '' ? -1 : indexed.text.indexOf(text);
  return indexed === undefined || at < 0 ? undefined : lineRangeOf(indexed.text, at, at + text.length);
}

/** The text at hand is asked about piece by piece. */
const known = new LRUCache<string, readonly number[]>({ max: 4 });

/** On which lines `[from, to)` stands, one-based and inclusive; a line break belongs to the line it ends. */
export function lineRangeOf(text: string, from: number, to: number): { start: number; end: number } {
  const starts = known.get(text) ?? lineStarts(text);
  known.set(text, starts);
  return { start: lineAt(starts, from), end: lineAt(starts, Math.max(from, to - 1)) };
}

function lineAt(starts: readonly number[], unit: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
