// Progress for callers who asked for it. Numbers only grow, and text that arrives while something is being sent travels together.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { EngineCall } from '../engine.js';

export interface ProgressDoor extends Pick<EngineCall, 'onText' | 'onProgress'> {
  /** When everything said so far is on its way. */
  settled(): Promise<void>;
}

interface Report {
  readonly kind: 'text' | 'stage';
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

export function progressDoor({ mcpReq }: ServerContext): ProgressDoor {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { settled: () => Promise.resolve() };
  const waiting: Report[] = [];
  let last = 0;
  let current = { stage: '', from: 0 };
  let sending: Promise<void> | undefined;

  const send = async () => {
    for (let report = waiting.shift(); report !== undefined; report = waiting.shift()) {
      const { kind: _, ...params } = report;
      // A caller that has gone away is told by its signal, not here.
      await mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, ...params } })
        .catch(() => undefined);
    }
    sending = undefined;
  };
  const say = (report: Report) => {
    last = report.progress;
    waiting.push(report);
    sending ??= send();
  };

  return {
    onText: (text) => {
      if (text === '') return;
      const before = waiting.at(-1)?.kind === 'text' ? waiting.pop()?.message : undefined;
      say({ kind: 'text', progress: last + text.length, message: (before ?? '') + text });
    },
    onProgress: ({ stage, done, total }) => {
      // Each stage counts from its start; what a client sees goes on from where the last one ended.
      if (stage !== current.stage) current = { stage, from: last };
      const progress = current.from + done;
      if (progress <= last) return;
      const ahead = total === undefined ? {} : { total: current.from + total };
      say({ kind: 'stage', progress, ...ahead, message: stage });
    },
    settled: async () => sending,
  };
}
