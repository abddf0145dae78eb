// Keeps vectors abreast of the retrieval index: texts that no vector is known of are sent in batches, and every batch is
// stored before the next one is asked for, so that nothing is paid for twice.
import type { Store } from '../../store/store.js';
import type { EmbeddingSource } from '../retrieval/embedding-source.js';

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** After every batch: texts that have their vectors now, of those that lacked one. */
  readonly onProgress?: (done: number, total: number) => void;
}

const mostTexts = 1_000_000;

export async function followVectors(
  store: Store,
  project: string,
  { source, signal, onProgress }: FollowOptions & { readonly source: EmbeddingSource },
): Promise<void> {
  const { model, batchSize } = source;
  const texts = await store.vectors.missing(project, model, mostTexts);
  for (let from = 0; from < texts.length; from += batchSize) {
    signal?.throwIfAborted();
    const batch = texts.slice(from, from + batchSize);
    const vectors = await source.embed(
      batch.map(({ text }) => text),
      signal === undefined ? {} : { signal },
    );
    await store.vectors.put(
      project,
      model,
      batch.flatMap(({ contentHash }, index) => {
        const vector = vectors[index];
        return vector === undefined ? [] : [{ contentHash, vector }];
      }),
    );
    onProgress?.(from + batch.length, texts.length);
  }
}

const running = new WeakMap<Store, Set<string>>();

/** One at a time for a project; what fails is tried again by the next assembly. */
export function followVectorsAside(store: Store, project: string, source: EmbeddingSource): void {
  const projects = running.get(store) ?? new Set<string>();
  running.set(store, projects);
  const key = JSON.stringify([project, source.model]);
  if (projects.has(key)) return;
  projects.add(key);
  void followVectors(store, project, { source })
    .catch(() => undefined)
    .finally(() => projects.delete(key));
}
