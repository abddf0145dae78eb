// Vectors from a server the user configured: OpenAI-compatible `/v1/embeddings` or Ollama `/api/embed`. Off unless asked for.
// Every answer is checked for number, order, size and finiteness; a failure is a code, never a silent zero vector.
import * as z from 'zod';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { type Fetch, outgoingFetch } from '../../network/outgoing-fetch.js';

export const embeddingOptionsSchema = z.strictObject({
  /** The full address of the embeddings endpoint. */
  endpoint: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  apiKey: z.string().min(1).optional(),
  timeLimitMs: z.int().positive().default(30_000),
  batchSize: z.int().positive().default(32),
});

export type EmbeddingOptions = z.input<typeof embeddingOptionsSchema>;

export interface EmbeddingSource {
  readonly model: string;
  /** One vector for each text, in the order of the texts, all of one size. At most a batch. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** How many texts are sent at once. */
  readonly batchSize: number;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** Shorter than usual, for someone who waits. */
  readonly timeLimitMs?: number;
}

const mostAnswerBytes = 64 * 1024 * 1024;

const openAiAnswer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});
const ollamaAnswer = z.object({ embeddings: z.array(z.array(z.number())) });

export function createEmbeddingSource(
  options: EmbeddingOptions,
  fetch: Fetch = globalThis.fetch,
): EmbeddingSource {
  const checked = embeddingOptionsSchema.safeParse(options);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const field = `embeddings.${issue?.path.join('.') ?? ''}`;
    throw new GalleyError('INVALID_ARGUMENT', `${field}: ${issue?.message ?? 'is not valid'}.`, {
      details: { field },
    });
  }
  const { timeLimitMs, ...data } = checked.data;
  const settings = { ...data, fetch };
  return {
    model: settings.model,
    batchSize: settings.batchSize,
    embed: (texts, given = {}) => embedBatch(texts, settings, { timeLimitMs, ...given }),
  };
}

interface Settings extends Omit<z.output<typeof embeddingOptionsSchema>, 'timeLimitMs'> {
  readonly fetch: Fetch;
}

interface Patience {
  readonly timeLimitMs: number;
  readonly signal?: AbortSignal;
}

async function embedBatch(
  texts: readonly string[],
  settings: Settings,
  patience: Patience,
): Promise<Float32Array[]> {
  if (texts.length === 0) return [];
  const answer = await post({ model: settings.model, input: texts }, settings, patience);
  const rows = isOllama(settings) ? readOllama(answer) : readOpenAi(answer);
  if (rows === undefined) throw invalid('is not in the expected shape');
  if (rows.length !== texts.length) throw invalid(`holds ${rows.length} vectors for ${texts.length} texts`);
  const size = rows[0]?.length ?? 0;
  return rows.map((row) => {
    if (row === undefined) throw invalid('leaves out a text or answers one twice');
    if (row.length !== size || size === 0)
      throw invalid('holds vectors of different sizes or without numbers');
    const vector = Float32Array.from(row);
    if (!vector.every(Number.isFinite)) throw invalid('holds a number that is too large');
    return vector;
  });
}

async function post(body: unknown, settings: Settings, { timeLimitMs, signal }: Patience): Promise<unknown> {
  const limit = AbortSignal.timeout(timeLimitMs);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (settings.apiKey !== undefined) headers.authorization = `Bearer ${settings.apiKey}`;
  try {
    const response = await settings.fetch(settings.endpoint, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      redirect: 'error',
    });
    const text = await textOf(response);
    if (!response.ok) {
      throw new GalleyError(
        'MODEL_UNAVAILABLE',
        `The embedding server answered with status ${response.status}.`,
        {
          details: { status: response.status },
        },
      );
    }
    return parsed(text);
  } catch (cause) {
    if (isGalleyError(cause)) throw cause;
    if (signal?.aborted === true) throw new GalleyError('CANCELLED', 'The search was cancelled.', { cause });
    if (limit.aborted) {
      throw new GalleyError('TIMEOUT', `The embedding server did not answer within ${timeLimitMs} ms.`, {
        cause,
      });
    }
    throw new GalleyError('MODEL_UNAVAILABLE', 'The embedding server cannot be reached; check its address.', {
      cause,
    });
  }
}

/** A server that never stops talking is not listened to for ever. */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > mostAnswerBytes) throw invalid('is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function isOllama(settings: Settings): boolean {
  return new URL(settings.endpoint).pathname.endsWith('/api/embed');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('is not JSON');
  }
}

function readOpenAi(answer: unknown): (number[] | undefined)[] | undefined {
  const checked = openAiAnswer.safeParse(answer);
  if (!checked.success) return undefined;
  const byIndex = new Map(checked.data.data.map((row) => [row.index, row.embedding]));
  return checked.data.data.map((_, index) => byIndex.get(index));
}

function readOllama(answer: unknown): number[][] | undefined {
  const checked = ollamaAnswer.safeParse(answer);
  return checked.success ? checked.data.embeddings : undefined;
}

function invalid(why: string): GalleyError {
  return new GalleyError('MODEL_ANSWER_INVALID', `The answer of the embedding server ${why}.`);
}

// Which embedding server did the user name? Only the environment says so: a store or a folder may come from strangers, and
// whoever names the server reads every text. Nothing named, nothing sent.
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
  return createEmbeddingSource(
    { endpoint: endpointOf(url), model, ...(apiKey === '' ? {} : { apiKey }) },
    outgoingFetch(environment, 'MODEL_UNAVAILABLE'),
  );
}

/** The address of the endpoint itself, or the base that OpenAI-compatible servers are known by. */
function endpointOf(url: string): string {
  const bare = url.trim().replace(/\/+$/, '');
  return /\/v\d+$/.test(bare) ? `${bare}/embeddings` : bare;
}
