// One exchange of node:http as the web's Request and Response. The body is read within a limit; a caller that goes away aborts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyRoom } from '../http/limits/body-room.js';
import { type JsonBody, parseJsonBody } from '../http/limits/json-body.js';
import { plainHeaders } from '../http/response-headers.js';

export interface Exchange {
  readonly request: Request;
  /** Of a POST; nothing otherwise. */
  readonly body: JsonBody;
  /** Gives the room of the body back. */
  release(): void;
}

export async function readExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bodies: BodyRoom,
): Promise<Exchange> {
  const { method = 'GET', url = '/', headers } = incoming;
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const read = method === 'POST' ? await bodies.read(incoming, outgoing) : undefined;
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
    signal: gone.signal,
    ...(read === undefined ? {} : { body: new Uint8Array(read.bytes) }),
  });
  const body: JsonBody = read === undefined ? { kind: 'value', value: undefined } : parseJsonBody(read.bytes);
  return { request, body, release: () => read?.release() };
}

export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  // Whether the connection is kept is for its two ends to agree on.
  const { connection: _, ...headers } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, { ...plainHeaders, ...headers });
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
