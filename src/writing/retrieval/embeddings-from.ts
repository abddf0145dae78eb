// Which embedding server did the user name? Only the environment says so: a store or a folder may come from strangers, and
// whoever names the server reads every text. Nothing named, nothing sent.
import { GalleyError } from '../../core/model/error.js';
import { createEmbeddingSource, type EmbeddingSource } from './embedding-source.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `GALLEY_EMBEDDINGS_URL` and `GALLEY_EMBEDDINGS_MODEL`, with `GALLEY_EMBEDDINGS_KEY` where the server wants one. */
export function embeddingsFrom(environment: Environment): EmbeddingSource | undefined {
  const {
    GALLEY_EMBEDDINGS_URL: url = '',
    GALLEY_EMBEDDINGS_MODEL: model = '',
    GALLEY_EMBEDDINGS_KEY: apiKey = '',
  } = environment;
  if (url === '') return undefined;
  if (model === '') {
    const field = 'GALLEY_EMBEDDINGS_MODEL';
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${field} is missing; name the model of the embedding server.`,
      {
        details: { field },
      },
    );
  }
  return createEmbeddingSource({ endpoint: endpointOf(url), model, ...(apiKey === '' ? {} : { apiKey }) });
}

/** The address of the endpoint itself, or the base that OpenAI-compatible servers are known by. */
function endpointOf(url: string): string {
  const bare = url.trim().replace(/\/+$/, '');
  return /\/v\d+$/.test(bare) ? `${bare}/embeddings` : bare;
}
