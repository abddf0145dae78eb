// Progress for callers who asked for it. Numbers only grow, and pieces that arrive while one is being sent travel together.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { EngineCall } from '../engine.js';

export interface ProgressDoor extends Pick<EngineCall, 'onText' | 'onProgress'> {
  /** When everything said so far is on its way. */
  settled(): Promise<void>;
}

interface Report {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export function progressDoor({ mcpReq }: ServerContext): ProgressDoor {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { settled: () => Promise.resolve() };
  let sent = 0;
  let waiting: Report | undefined;
  let sending: Promise<void> | undefined;

  const send = async () => {
    while (waiting !== undefined) {
      const report = waiting;
      waiting = undefined;
      sent = report.progress;
      // A caller that has gone away is told by its signal, not here.
      await mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken: token, ...report } })
        .catch(() => undefined);
    }
    sending = undefined;
  };
  const report = (next: Report) => {
    waiting = next;
    sending ??= send();
  };
  const last = () => waiting?.progress ?? sent;

  return {
    onText: (text) => {
      if (text === '') return;
      report({ progress: last() + text.length, message: (waiting?.message ?? '') + text });
    },
    onProgress: (progress) => {
      const { done, total, message } = progress;
      report({
        progress: done > last() ? done : last() + 1,
        ...(total === undefined || total < done ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
    },
    settled: async () => sending,
  };
}
