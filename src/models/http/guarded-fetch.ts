// The only way out to a provider: no redirect that would carry the key elsewhere, no endless line, no page in place of a stream.
import { type CallTarget, callFailure } from './call-failure.js';
import type { Fetch } from './load-provider.js';

const mostLine = 20 * 1024 * 1024;
const mostComplaint = 256 * 1024;
const newline = 0x0a;

export function guardedFetch(target: CallTarget, inner: Fetch = globalThis.fetch): Fetch {
  return async (input, init) => {
    const response = await inner(input, { ...init, redirect: 'manual' });
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    if (!response.ok)
      return new Response(body.pipeThrough(atMost(mostComplaint)), { status, statusText, headers });
    if (/html|application\/json/i.test(headers.get('content-type') ?? '')) {
      await body.cancel().catch(() => undefined);
      throw callFailure(target, 'malformed', { status });
    }
    return new Response(body.pipeThrough(boundedLines(target)), { status, statusText, headers });
  };
}

/** Of what is said beside an error only so much is read. */
function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let taken = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const rest = limit - taken;
      taken += chunk.length;
      controller.enqueue(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
      if (taken >= limit) controller.terminate();
    },
  });
}

function boundedLines(target: CallTarget): TransformStream<Uint8Array, Uint8Array> {
  let line = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(newline);
      line = last === -1 ? line + chunk.length : chunk.length - last - 1;
      if (line > mostLine) controller.error(callFailure(target, 'too-large'));
      else controller.enqueue(chunk);
    },
  });
}
