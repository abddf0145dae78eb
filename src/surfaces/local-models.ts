// Models, prices, embeddings and the place for answers as this machine's environment has them, for doors; what finds them is
// loaded when it is asked for.
import { resolve } from 'node:path';
import type { Catalog } from '../models/catalog/catalog.js';
import type { Model } from '../models/contract/model.js';
import type { ModelWorld } from '../models/find-model.js';
import type { KeptReceipts } from '../review/run/kept-receipts.js';
import type { EmbeddingSource } from '../writing/retrieval/embedding-source.js';

export function localModels(world: Omit<ModelWorld, 'environment'>): (name?: string) => Promise<Model> {
  return async (name) => {
    const { findModel } = await import('../models/find-model.js');
    return findModel(name, { ...world, environment: process.env });
  };
}

/** Where reviews keep their answers, if not in the git directory. */
export function localAnswers(folder: string): string | undefined {
  const named = process.env.GALLEY_ANSWERS;
  return named === undefined || named === '' ? undefined : resolve(folder, named);
}

/** What reviews sent from a folder, looked for when somebody asks. */
export function localSent(folder: string): () => Promise<KeptReceipts | undefined> {
  return async () => {
    const { receiptsOfReviews } = await import('../review/run/kept-receipts.js');
    return receiptsOfReviews(folder, localAnswers(folder));
  };
}

export async function localPrices(): Promise<Catalog> {
  const { loadCatalog } = await import('../models/catalog/catalog.js');
  return loadCatalog(process.env);
}

/** The embedding server the environment names, looked for when it is first needed and then kept. */
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
