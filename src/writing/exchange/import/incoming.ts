// What an import brings, whatever it came from: chapters, cards, and what has no place in either but is kept.
import type { Warning } from '../../../core/model/error.js';
import type { Inclusion } from '../../../store/tables/entities.js';
import type { ChapterPart } from './split-chapters.js';

/** A file that someone hands over, by the name it has there. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface IncomingChapter extends ChapterPart {
  /** Where it stood in what was given, for a folder of files. */
  readonly path?: string;
  readonly format: 'md' | 'txt';
}

export interface IncomingCard {
  readonly name: string;
  readonly aliases: readonly string[];
  /** In the words of the source: character, location, lore. */
  readonly kind: string;
  readonly inclusion: Inclusion;
  readonly relations: readonly string[];
  readonly description: string;
  /** What stands under a heading of its own. */
  readonly sections: readonly { readonly heading: SectionName; readonly text: string }[];
}

export type SectionName = 'personality' | 'scenario' | 'voice' | 'notes';

/** What is kept beside the book, word for word. */
export interface KeptFile {
  /** Below `.galley/imported/`. */
  readonly path: string;
  readonly text: string;
}

/** What became of a field of the source. */
export interface FieldRow {
  readonly field: string;
  readonly became: Became;
  readonly count: number;
}

export const becomes = [
  'chapter',
  'book title',
  'card',
  'name',
  'alias',
  'kind',
  'inclusion',
  'relation',
  'description',
  'section',
  'kept beside',
  'left out',
] as const;
export type Became = (typeof becomes)[number];

export interface Incoming {
  readonly format: SourceFormat;
  readonly encoding?: string;
  readonly title?: string;
  readonly chapters: readonly IncomingChapter[];
  readonly cards: readonly IncomingCard[];
  readonly kept: readonly KeptFile[];
  readonly fields: readonly FieldRow[];
  readonly warnings: readonly Warning[];
}

export const sourceFormats = [
  'text',
  'markdown',
  'docx',
  'epub',
  'novelcrafter',
  'zip',
  'folder',
  'world book',
  'character card',
] as const;
export type SourceFormat = (typeof sourceFormats)[number];

/** Counts what became of each field. */
export function fieldCounter() {
  const counts = new Map<string, { field: string; became: Became; count: number }>();
  return {
    add(field: string, became: Became, count = 1): void {
      const key = `${field}\n${became}`;
      const row = counts.get(key) ?? { field, became, count: 0 };
      counts.set(key, { ...row, count: row.count + count });
    },
    rows: (): FieldRow[] => [...counts.values()],
  };
}

export const noIncoming = { chapters: [], cards: [], kept: [], fields: [], warnings: [] } as const;

export function importWarning(code: string, message: string, path: string): Warning {
  return { code, message: `${code}: ${message}`, details: { path } };
}
