// Documents for the embedding server of a caller, if their door knows of one.
import { followVectors } from '../writing/retrieval/search-vectors.js';
import type { OperationContext } from './operation.js';

/** Vectors for what was just indexed, where a server is named. Without them search goes by words, so a failure is a log line. */
export async function embedIndexed(projectId: string, context: OperationContext): Promise<void> {
  try {
    const source = await context.embeddings?.();
    if (source === undefined) return;
    const { signal } = context;
    const onProgress = (done: number, total: number) =>
      context.onProgress?.({ stage: 'embeddings', done, total });
    await followVectors(await context.store(), projectId, { source, signal, onProgress });
  } catch {
    context.log({ level: 'warning', event: 'EMBEDDINGS_UNAVAILABLE', details: {} });
  }
}
