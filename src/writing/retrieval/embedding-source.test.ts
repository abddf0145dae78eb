import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEmbeddingSource, type EmbeddingOptions, embeddingsFrom } from './embedding-source.js';
import { fuseRanks } from './rank-chunks.js';
import { createVectorTable } from './search-vectors.js';

type Answer = (input: string[], response: ServerResponse, request: IncomingMessage) => void;

let server: Server | undefined;

async function serve(answer: Answer, path = '/v1/embeddings'): Promise<string> {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input: string[] };
      answer(input, response, request);
    });
  });
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

afterEach(async () => {
  const open = server;
  server = undefined;
  open?.closeAllConnections();
  if (open !== undefined) await new Promise((closed) => open.close(closed));
});

const source = (endpoint: string, more: Partial<EmbeddingOptions> = {}) =>
  createEmbeddingSource({ endpoint, model: 'small', timeLimitMs: 2_000, ...more });
const refused = (code: string) => expect.objectContaining({ code });
const rows = (input: string[]) => input.map((text, index) => ({ index, embedding: [text.length, 1] }));

describe('the client of an embedding server', () => {
  it('gives vectors in the order of the texts, whatever the order of the answer', async () => {
    const endpoint = await serve((input, response) => {
      response.end(JSON.stringify({ data: rows(input).reverse(), usage: {} }));
    });
    const vectors = await source(endpoint).embed(['一', '二二', '三三三']);
    expect(vectors.map((vector) => vector[0])).toEqual([1, 2, 3]);
  });

  it('speaks to Ollama', async () => {
    const endpoint = await serve((input, response) => {
      response.end(JSON.stringify({ embeddings: input.map((text) => [text.length, 0]) }));
    }, '/api/embed');
    expect(await source(endpoint).embed(['ab'])).toEqual([Float32Array.from([2, 0])]);
  });

  it('sends the key and never repeats it in an error', async () => {
    let seen: string | undefined;
    const endpoint = await serve((_, response, request) => {
      seen = request.headers.authorization;
      response.writeHead(401).end('no');
    });
    const failure = await source(endpoint, { apiKey: 'sk-secret' })
      .embed(['a'])
      .catch((error: unknown) => error);
    expect(seen).toBe('Bearer sk-secret');
    expect(failure).toEqual(refused('MODEL_UNAVAILABLE'));
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it.each<[string, string, Answer]>([
    [
      'vectors of different sizes',
      'MODEL_ANSWER_INVALID',
      (_, response) =>
        response.end('{"data":[{"index":0,"embedding":[1,2,3]},{"index":1,"embedding":[1,2]}]}'),
    ],
    [
      'an empty vector',
      'MODEL_ANSWER_INVALID',
      (_, response) => response.end('{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}'),
    ],
    [
      'a number no vector can hold',
      'MODEL_ANSWER_INVALID',
      (_, response) => response.end('{"data":[{"index":0,"embedding":[1e300]},{"index":1,"embedding":[1]}]}'),
    ],
    [
      'one text answered twice',
      'MODEL_ANSWER_INVALID',
      (_, response) => response.end('{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}'),
    ],
    [
      'everything answered twice',
      'MODEL_ANSWER_INVALID',
      (input, response) => response.end(JSON.stringify({ data: [...rows(input), ...rows(input)] })),
    ],
    [
      'half a batch',
      'MODEL_ANSWER_INVALID',
      (input, response) => response.end(JSON.stringify({ data: rows(input).slice(1) })),
    ],
    ['a missing vector', 'MODEL_ANSWER_INVALID', (_, response) => response.end('{"data":[]}')],
    [
      'one text answered for another',
      'MODEL_ANSWER_INVALID',
      (_, response) => response.end('{"data":[{"index":1,"embedding":[1,2]},{"index":2,"embedding":[1,2]}]}'),
    ],
    [
      'something that is not a number',
      'MODEL_ANSWER_INVALID',
      (_, response) =>
        response.end('{"data":[{"index":0,"embedding":[1,null]},{"index":1,"embedding":[1,2]}]}'),
    ],
    ['something that is not JSON', 'MODEL_ANSWER_INVALID', (_, response) => response.end('<html>')],
    ['a server error', 'MODEL_UNAVAILABLE', (_, response) => response.writeHead(500).end()],
    ['a broken connection', 'MODEL_UNAVAILABLE', (_, response) => response.destroy()],
  ])('refuses %s', async (_, code, answer) => {
    const endpoint = await serve(answer);
    await expect(source(endpoint).embed(['a', 'b'])).rejects.toEqual(refused(code));
  });

  it('gives up on a server that hangs, also in the middle of an answer', async () => {
    const silent = await serve(() => undefined);
    await expect(source(silent, { timeLimitMs: 50 }).embed(['a'])).rejects.toEqual(refused('TIMEOUT'));
    server?.closeAllConnections();
    server?.close();
    const halting = await serve((_, response) => response.write('{"data":'));
    await expect(source(halting, { timeLimitMs: 50 }).embed(['a'])).rejects.toEqual(refused('TIMEOUT'));
  });

  it('tells a cancelled search from a slow server', async () => {
    const endpoint = await serve(() => undefined);
    const caller = new AbortController();
    const asked = source(endpoint).embed(['a'], { signal: caller.signal });
    caller.abort();
    await expect(asked).rejects.toEqual(refused('CANCELLED'));
  });

  it('refuses options that cannot work and names the field', () => {
    expect(() => source('file:///etc/passwd')).toThrowError(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field: 'embeddings.endpoint' } }),
    );
  });
});

describe('the embedding server of the environment', () => {
  it('knows of no server unless the environment names one', () => {
    expect(embeddingsFrom({})).toBeUndefined();
    expect(embeddingsFrom({ GALLEY_EMBEDDINGS_MODEL: 'small' })).toBeUndefined();
  });

  it('names the variable that is missing or wrong', () => {
    const url = 'http://127.0.0.1:9/v1';
    expect(() => embeddingsFrom({ GALLEY_EMBEDDINGS_URL: url })).toThrowError(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field: 'GALLEY_EMBEDDINGS_MODEL' } }),
    );
  });

  it('takes the base of a server for its endpoint', async () => {
    let seen = '';
    const base = await serve((input, response, request) => {
      seen = `${request.url} ${request.headers.authorization}`;
      response.end(JSON.stringify({ data: rows(input) }));
    }, '/v1/');
    const environment = { GALLEY_EMBEDDINGS_MODEL: 'small', GALLEY_EMBEDDINGS_KEY: 'k' };
    await embeddingsFrom({ ...environment, GALLEY_EMBEDDINGS_URL: base })?.embed(['a']);
    expect(seen).toBe('/v1/embeddings Bearer k');
  });
});

describe('vectors and ranks', () => {
  it('finds the nearest by direction', () => {
    const table = createVectorTable([
      { id: 'b', vector: Float32Array.from([0, 5]) },
      { id: 'a', vector: Float32Array.from([1, 1]) },
      { id: 'c', vector: Float32Array.from([9, 1]) },
    ]);
    expect(table.dimensions).toBe(2);
    expect(table.nearest(Float32Array.from([2, 2]), 2).map((found) => found.id)).toEqual(['a', 'c']);
  });

  it('is no table of vectors of several sizes', () => {
    const rows = [Float32Array.of(1), Float32Array.of(1, 2)].map((vector) => ({ id: 'a', vector }));
    expect(createVectorTable(rows).dimensions).toBeUndefined();
    expect(createVectorTable([]).dimensions).toBeUndefined();
  });

  it('fuses rankings by place, ties by id', () => {
    const ranking = (...ids: string[]) => ids.map((id) => ({ id }));
    expect(fuseRanks([ranking('b', 'a'), ranking('a', 'b')]).map((found) => found.id)).toEqual(['a', 'b']);
    expect(fuseRanks([ranking('x', 'y'), ranking('y', 'z')])[0]?.id).toBe('y');
  });
});
