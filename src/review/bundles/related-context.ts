// The rest of a budget goes to the lines most worth seeing, by the ranking of related pieces.
import type { Meter } from '../../core/model/meter.js';
import { packSnippets } from '../related/pack-snippets.js';
import type { RankedPiece } from '../related/rank-pieces.js';
import { snippetText } from './bundle-press.js';
import type { ClaimedLines } from './claimed-lines.js';
import { type Snippet, snippetOf } from './snippet.js';
import type { TreeLibrary } from './tree-library.js';

export interface RelatedRoom {
  readonly meter: Meter;
  /** In units of the meter. */
  readonly limit: number;
  readonly claimed: ClaimedLines;
  readonly library: TreeLibrary;
}

/** What a snippet costs beside its text is part of its wording; this covers the rounding of its price. */
const perSnippet = 1;

export async function relatedContext(pieces: readonly RankedPiece[], room: RelatedRoom): Promise<Snippet[]> {
  const { meter, limit, claimed, library } = room;
  if (limit <= 0 || pieces.length === 0) return [];
  const files = await library.open([...new Set(pieces.map(({ path }) => path))]);
  const partsOf = (range: { path: string; startLine: number; endLine: number }, why: string): Snippet[] => {
    const file = files.get(range.path);
    if (file === undefined) return [];
    const place = { side: 'new' as const, file, why };
    return claimed.free({ ...range, side: 'new' }).map((free) => snippetOf(place, free));
  };
  const price = (range: { path: string; startLine: number; endLine: number }): number =>
    partsOf(range, '').reduce(
      (sum, part) => sum + Math.ceil(meter.weigh(snippetText(part)) / meter.scale),
      0,
    );
  const packed = packSnippets(pieces, { tokens: limit, perSnippet, price });
  return packed.flatMap((range) => partsOf(range, range.why).flatMap((part) => claimed.claim(part)));
}
