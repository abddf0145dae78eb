// Sends an answer step by step and stops when the caller goes away: nothing is left waiting behind a closed connection.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Step =
  | { readonly kind: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'write'; readonly bytes: string | Uint8Array }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'repeat'; readonly bytes: string | Uint8Array; readonly everyMs: number }
  | { readonly kind: 'hang' }
  /** The connection ends without the end of the answer; `reset` throws away what is on its way. */
  | { readonly kind: 'drop' | 'reset' };

/** `sent`: every step was made. `left`: the caller went away first. */
export async function deliver(
  response: ServerResponse,
  steps: readonly Step[],
  onHead: (status: number) => void,
): Promise<'sent' | 'left'> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.on('error', () => gone.abort());
  try {
    for (const step of steps) {
      gone.signal.throwIfAborted();
      if (step.kind === 'head') onHead(step.status);
      await take(response, step, gone.signal);
    }
    if (!response.destroyed) {
      response.end();
      if (!response.writableFinished) await once(response, 'finish', { signal: gone.signal });
    }
    return 'sent';
  } catch {
    return 'left';
  }
}

async function take(response: ServerResponse, step: Step, signal: AbortSignal): Promise<void> {
  switch (step.kind) {
    case 'head':
      response.writeHead(step.status, step.headers).flushHeaders();
      return;
    case 'write':
      return await write(response, step.bytes, signal);
    case 'pause':
      return await wait(step.ms, undefined, { signal });
    case 'hang':
      await once(response, 'close');
      return signal.throwIfAborted();
    case 'repeat':
      for (;;) {
        await write(response, step.bytes, signal);
        await wait(step.everyMs, undefined, { signal });
      }
    case 'drop':
      await new Promise((resolve) => response.write('', resolve));
      response.socket?.destroy();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
  }
}

async function write(
  response: ServerResponse,
  bytes: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  if (bytes.length > 0 && !response.write(bytes)) await once(response, 'drain', { signal });
}
