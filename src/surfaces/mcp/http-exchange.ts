// One exchange of node:http as the web's Request and Response. The body is read within a limit; a caller that goes away aborts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GalleyError } from '../../core/model/error.js';

export interface Exchange {
  readonly request: Request;
  /** The parsed body of a POST. */
  readonly body: unknown;
  /** Whether the body could not be read as JSON in UTF-8. */
  readonly isBroken: boolean;
}

export async function readExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  mostBytes: number,
): Promise<Exchange> {
  const { method = 'GET', url = '/', headers } = incoming;
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const bytes = method === 'POST' ? await readBody(incoming, mostBytes) : undefined;
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
    signal: gone.signal,
    ...(bytes === undefined ? {} : { body: bytes }),
  });
  return { request, ...(bytes === undefined ? { body: undefined, isBroken: false } : parseBody(bytes)) };
}

async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const refusal = () => new GalleyError('PAYLOAD_TOO_LARGE', `A request is larger than ${mostBytes} bytes.`);
  if (Number(incoming.headers['content-length'] ?? 0) > mostBytes) throw refusal();
  const parts: Buffer[] = [];
  let size = 0;
  // Destroying the request would take the answer with it.
  for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) throw refusal();
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function parseBody(bytes: Uint8Array): Omit<Exchange, 'request'> {
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { body, isBroken: false };
  } catch {
    return { body: undefined, isBroken: true };
  }
}

export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  // A caller that leaves in the middle is no failure.
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(
    () => undefined,
  );
}
