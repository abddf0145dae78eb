// Serves an engine over a port: worker threads and child processes call it as if it were theirs.
import type { Engine } from '../engine.js';
import { answerIpcCall } from './ipc-answer.js';
import { callerMessage, type EngineMessage, type IpcPort, openPort } from './ipc-port.js';
import { runningCalls } from './running-calls.js';

export interface ServedIpc {
  /** Stops listening and cancels what runs; the port stays the caller's. */
  close(): void;
}

export function serveIpc(port: IpcPort, engine: Engine): ServedIpc {
  const calls = runningCalls();
  const open = openPort(port, {
    onMessage: (message) => void take(message),
    onClose: () => calls.cancelAll(),
  });
  const say = (message: EngineMessage) => open.send(message);

  async function take(received: unknown): Promise<void> {
    const read = callerMessage.safeParse(received);
    if (!read.success) return;
    const { id, ...message } = read.data;
    if (message.kind === 'cancel') {
      calls.cancel(id);
      return;
    }
    const signal = calls.begin(id);
    if (signal === undefined) return;
    const answer = await answerIpcCall(engine, message, {
      signal,
      onText: (text) => say({ galley: 1, kind: 'text', id, text }),
      onEvent: (event) => say({ galley: 1, kind: 'event', id, event }),
      onProgress: (progress) => say({ galley: 1, kind: 'progress', id, progress }),
    });
    calls.end(id);
    say({ galley: 1, kind: 'answer', id, answer });
  }

  return {
    close: () => {
      open.release();
      calls.cancelAll();
    },
  };
}
