// The caller's end of a port. Every call ends: with its answer, with its cancellation, or with the port.
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import type { EngineCall } from '../engine.js';
import { type IpcClient, openAnswer } from './ipc-answer.js';
import { type CallerMessage, engineMessage, type IpcPort, openPort } from './ipc-port.js';
import { plainData } from './plain-data.js';

export interface ConnectedIpc extends IpcClient {
  /** Ends every call that still waits; the port stays the caller's. */
  close(): void;
}

interface Waiting extends EngineCall {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

export function connectIpc(port: IpcPort): ConnectedIpc {
  const waiting = new Map<number, Waiting>();
  let count = 0;
  let isClosed = false;
  const open = openPort(port, { onMessage: take, onClose: endAll });
  const say = (message: CallerMessage) => open.send(message);

  function take(received: unknown): void {
    const read = engineMessage.safeParse(received);
    const call = read.success ? waiting.get(read.data.id) : undefined;
    if (!read.success || call === undefined) return;
    const message = read.data;
    try {
      if (message.kind === 'text') call.onText?.(message.text);
      else if (message.kind === 'event') call.onEvent?.(message.event);
      else if (message.kind === 'progress') {
        const { total, ...progress } = message.progress;
        call.onProgress?.({ ...progress, ...(total === undefined ? {} : { total }) });
      } else call.resolve(openAnswer(message.answer));
    } catch (error) {
      call.reject(error);
    }
  }

  function endAll(): void {
    isClosed = true;
    for (const call of [...waiting.values()]) call.reject(goneError());
  }

  async function call(operation: string, request: unknown, options: EngineCall = {}): Promise<unknown> {
    const { signal } = options;
    const data = plainData(request);
    if (signal?.aborted) throw cancelledError();
    if (isClosed) throw goneError();
    count += 1;
    const id = count;
    const cancel = () => {
      say({ galley: 1, kind: 'cancel', id });
      waiting.get(id)?.reject(cancelledError());
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { ...options, resolve, reject });
        say({ galley: 1, kind: 'call', id, operation, request: data });
      });
    } catch (error) {
      throw toGalleyError(error);
    } finally {
      waiting.delete(id);
      signal?.removeEventListener('abort', cancel);
    }
  }

  return {
    call: call as IpcClient['call'],
    close: () => {
      open.release();
      endAll();
    },
  };
}

const cancelledError = () => new GalleyError('CANCELLED', 'The call was cancelled.');

const goneError = () =>
  new GalleyError(
    'INCOMPLETE',
    'The other side of the channel has gone; start it again and repeat the call.',
  );
