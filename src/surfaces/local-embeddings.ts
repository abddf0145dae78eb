// The embedding server the environment names, looked for when it is first needed and then kept.
import type { EmbeddingSource } from '../writing/retrieval/embedding-source.js';

export function localEmbeddings(): () => Promise<EmbeddingSource | undefined> {
  let source: Promise<EmbeddingSource | undefined> | undefined;
  return () => {
    if (!process.env.GALLEY_EMBEDDINGS_URL) return Promise.resolve(undefined);
    source ??= import('../writing/retrieval/embedding-source.js').then(({ embeddingsFrom }) =>
      embeddingsFrom(process.env),
    );
    return source;
  };
}
