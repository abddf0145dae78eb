// Vectors from a server the user configured: OpenAI-compatible `/v1/embeddings` or Ollama `/api/embed`. Off unless asked for.
// Every answer is checked for number, order, size and finiteness; a failure is a code, never a silent zero vector.
import { z } from 'zod';
import { GalleyError, isGalleyError } from '../../core/model/error.js';

export const embeddingOptionsSchema = z.strictObject({
  /** The full address of the embeddings endpoint. */
  endpoint: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  dimensions: z.int().positive(),
  apiKey: z.string().min(1).optional(),
  timeLimitMs: z.int().positive().default(10_000),
  batchSize: z.int().positive().default(64),
});

export type EmbeddingOptions = z.input<typeof embeddingOptionsSchema>;

export interface EmbeddingSource {
  readonly model: string;
  readonly dimensions: number;
  /** One vector for each text, in the order of the texts. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

const openAiAnswer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});
const ollamaAnswer = z.object({ embeddings: z.array(z.array(z.number())) });

type Settings = z.output<typeof embeddingOptionsSchema>;

export function createEmbeddingSource(options: EmbeddingOptions): EmbeddingSource {
  const checked = embeddingOptionsSchema.safeParse(options);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const field = `embeddings.${issue?.path.join('.') ?? ''}`;
    throw new GalleyError('INVALID_ARGUMENT', `${field}: ${issue?.message ?? 'is not valid'}.`, {
      details: { field },
    });
  }
  const settings = checked.data;
  return {
    model: settings.model,
    dimensions: settings.dimensions,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += settings.batchSize) {
        const batch = texts.slice(start, start + settings.batchSize);
        vectors.push(...(await embedBatch(batch, settings, signal)));
      }
      return vectors;
    },
  };
}

async function embedBatch(
  texts: readonly string[],
  settings: Settings,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const answer = await post({ model: settings.model, input: texts }, settings, signal);
  const rows = isOllama(settings) ? readOllama(answer) : readOpenAi(answer);
  if (rows === undefined) throw invalid('is not in the expected shape');
  if (rows.length !== texts.length) throw invalid(`holds ${rows.length} vectors for ${texts.length} texts`);
  return rows.map((row) => {
    if (row === undefined) throw invalid('leaves out a text or answers one twice');
    if (row.length !== settings.dimensions) {
      throw invalid(
        `has ${row.length} dimensions instead of ${settings.dimensions}; set embeddings.dimensions to the model's`,
      );
    }
    return Float32Array.from(row);
  });
}

async function post(body: unknown, settings: Settings, signal: AbortSignal | undefined): Promise<unknown> {
  const limit = AbortSignal.timeout(settings.timeLimitMs);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (settings.apiKey !== undefined) headers.authorization = `Bearer ${settings.apiKey}`;
  try {
    const response = await fetch(settings.endpoint, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      redirect: 'error',
    });
    const text = await response.text();
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
      throw new GalleyError(
        'TIMEOUT',
        `The embedding server did not answer within ${settings.timeLimitMs} ms.`,
        { cause },
      );
    }
    throw new GalleyError(
      'MODEL_UNAVAILABLE',
      'The embedding server cannot be reached; check embeddings.endpoint.',
      { cause },
    );
  }
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
