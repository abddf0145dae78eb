// On which lines of its document does a retrieved passage stand? What cannot be told is left out.
import type { Fragment } from '../../core/model/fragment.js';
import type { Store } from '../../store/store.js';
import { indexText } from '../documents/indexed-text.js';
import { lineNumbers } from './line-numbers.js';

export interface PassagePlace {
  readonly documentId: string;
  readonly lines: { readonly start: number; readonly end: number };
}

const prefix = 'chunk:';

/** By fragment id. */
export async function passageLines(
  store: Store,
  project: string,
  fragments: readonly Pick<Fragment, 'id' | 'section'>[],
): Promise<ReadonlyMap<string, PassagePlace>> {
  const wanted = new Set(fragments.filter(({ section }) => section === 'retrieved').map(({ id }) => id));
  const places = new Map<string, PassagePlace>();
  if (wanted.size === 0) return places;
  const documents = [...wanted].map((id) => id.slice(prefix.length, id.lastIndexOf('#')));
  for (const documentId of new Set(documents)) {
    try {
      const document = await store.documents.find(project, documentId);
      if (document === undefined) continue;
      const indexed = indexText(document.text);
      const linesOf = lineNumbers(document.text);
      for (const { id, start, end } of await store.chunks.chunksOf(project, documentId)) {
        const lines = linesOf(indexed.unitAt(start), indexed.unitAt(end));
        if (wanted.has(prefix + id)) places.set(prefix + id, { documentId, lines });
      }
    } catch {
      // A passage without lines is still a passage.
    }
  }
  return places;
}
