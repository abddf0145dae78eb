// One row of a source as a fragment of a layer. A row that cannot be read costs only itself, and is named.

import { LRUCache } from 'lru-cache';
import type { Warning } from '../../core/model/error.js';
import { GalleyError } from '../../core/model/error.js';
import type { Fragment, Ref } from '../../core/model/fragment.js';
import type { LayerId, SectionId } from './layered-recipe.js';

// What the fragments of the writing desk hold before a dialect words them.
export type MarkPlace = 'cursor' | 'selection-start' | 'selection-end';

export type LayerBody =
  | { readonly kind: 'constraint'; readonly text: string }
  | {
      readonly kind: 'entity';
      readonly name: string;
      readonly category: string;
      readonly aliases: readonly string[];
      readonly description: string;
      readonly facts: readonly string[];
    }
  | {
      readonly kind: 'relation';
      readonly from: string;
      readonly label: string;
      readonly to: string;
      readonly about: string;
    }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'setting'; readonly name: string; readonly text: string }
  /** How the writer likes it, as they wrote it down. */
  | { readonly kind: 'preferences'; readonly text: string }
  | {
      readonly kind: 'titled';
      readonly title: string;
      readonly text: string;
      /** What is shown of it, in its order; left out: all of it. */
      readonly parts?: readonly string[];
      /** It comes after the text at hand. */
      readonly isLater?: boolean;
    }
  /** Word for word, with its own white space. */
  | { readonly kind: 'passage'; readonly text: string }
  | { readonly kind: 'mark'; readonly place: MarkPlace }
  /** Where the list above it comes from. */
  | { readonly kind: 'origins'; readonly paths: readonly string[] }
  | { readonly kind: 'fence'; readonly edge: 'open' | 'close' };

/** Everything a body says in words that are not ours. */
export function foreignWords(body: LayerBody): readonly string[] {
  switch (body.kind) {
    case 'entity':
      return [body.name, body.category, ...body.aliases, body.description, ...body.facts];
    case 'relation':
      return [body.from, body.label, body.to, body.about];
    case 'setting':
      return [body.name, body.text];
    case 'titled':
      return [body.title, body.text];
    case 'mark':
    case 'fence':
    case 'origins':
      return [];
    default:
      return [body.text];
  }
}

export interface LayerFragmentDraft {
  readonly id: string;
  readonly source: string;
  readonly layer: LayerId | 'people';
  readonly section: SectionId;
  readonly rank: number;
  readonly position: number;
  readonly body: LayerBody;
  readonly pinned?: boolean;
  readonly bond?: string;
  readonly breakpoint?: boolean;
  readonly ref?: Ref;
}

/** Named one by one: there are hundreds in an assembly, and a copy of the rest costs more than all of this. */
export function layerFragment(project: string, draft: LayerFragmentDraft): Fragment<LayerBody> {
  const { id, source, layer, section, rank, position, body, pinned, bond, breakpoint, ref } = draft;
  const levels = [{ name: 'whole', body }];
  const plain = { id, source, layer, section, rank, position, scope: { project }, levels };
  if (pinned === undefined && bond === undefined && breakpoint === undefined && ref === undefined)
    return plain;
  return {
    ...plain,
    ...(pinned === undefined ? {} : { pinned }),
    ...(bond === undefined ? {} : { bond }),
    ...(breakpoint === undefined ? {} : { breakpoint }),
    ...(ref === undefined ? {} : { ref }),
  };
}

/** `note` collects a warning for every row that `read` could not make sense of. */
export function soundRows<Row, Result>(
  rows: readonly Row[],
  source: string,
  options: { read: (row: Row, index: number) => Result | undefined; note: (warning: Warning) => void },
): Result[] {
  return rows.flatMap((row, index) => {
    try {
      const result = options.read(row, index);
      return result === undefined ? [] : [result];
    } catch {
      const { id } = row as { readonly id?: unknown };
      const { details, ...warning } = invalidItem(source, index);
      options.note({ ...warning, details: { ...details, ...(typeof id === 'string' ? { id } : {}) } });
      return [];
    }
  });
}

interface ReadRows {
  readonly found: readonly unknown[];
  readonly notes: readonly Warning[];
}

const readBefore = new WeakMap<readonly unknown[], LRUCache<string, ReadRows>>();

/**
 * A list that a store hands out again gives what it gave before, and what was noted of it is noted again. `name` names the source
 * and all else it depends on.
 */
export function readOnce<Row, Result>(
  rows: readonly Row[],
  name: string,
  { note, read }: { note: (warning: Warning) => void; read: (note: (warning: Warning) => void) => Result[] },
): readonly Result[] {
  const known = readBefore.get(rows) ?? new LRUCache<string, ReadRows>({ max: 8 });
  readBefore.set(rows, known);
  const before = known.get(name);
  if (before !== undefined) {
    before.notes.forEach(note);
    return before.found as readonly Result[];
  }
  const notes: Warning[] = [];
  const found = read((warning) => notes.push(warning));
  known.set(name, { found, notes });
  notes.forEach(note);
  return found;
}

export function invalidItem(source: string, index: number, field?: string): Warning {
  return {
    code: 'CONTEXT_LAYER_INVALID',
    message: `Item ${index} of source "${source}" was left out: ${field ?? 'its data'} is not valid.`,
    details: { source, item: index, ...(field === undefined ? {} : { field }) },
  };
}

/** Rows of a store may have been written by others: words must be words. */
export function textOf(value: unknown): string {
  if (typeof value === 'string' && value.isWellFormed()) return value.trim();
  throw new GalleyError('CONTEXT_LAYER_INVALID', 'A layer item holds something that is not text.');
}

export function finite(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GalleyError('CONTEXT_LAYER_INVALID', 'A layer item holds something that is not a number.');
}
