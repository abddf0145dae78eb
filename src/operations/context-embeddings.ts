// The embedding server of a caller, if their door knows of one.
import { followVectors } from '../writing/context/follow-vectors.js';
import type { EmbeddingSource } from '../writing/retrieval/embedding-source.js';
import type { OperationContext } from './operation.js';

/** What a door may hand over beside the rest; asked for only by operations that search. */
export interface EmbeddingDoor {
  /** The same one every time: it remembers what it was asked. */
  embeddings?(): Promise<EmbeddingSource | undefined>;
  onProgress?(progress: { readonly stage: string; readonly done: number; readonly total?: number }): void;
}

export async function embeddingsOf(
  context: OperationContext & EmbeddingDoor,
): Promise<EmbeddingSource | undefined> {
  return context.embeddings?.();
}

/** Vectors for what was just indexed, where a server is named. Without them search goes by words, so a failure is a log line. */
export async function embedIndexed(
  projectId: string,
  context: OperationContext & EmbeddingDoor,
): Promise<void> {
  try {
    const source = await embeddingsOf(context);
    if (source === undefined) return;
    const { signal } = context;
    const onProgress = (done: number, total: number) =>
      context.onProgress?.({ stage: 'embeddings', done, total });
    await followVectors(await context.store(), projectId, { source, signal, onProgress });
  } catch {
    context.log({ level: 'warning', event: 'EMBEDDINGS_UNAVAILABLE', details: {} });
  }
}
