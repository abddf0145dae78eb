// How many assemblies run at once: four for a document and, since one processor does the work, four in all. More wait their
// turn, document by document; when too many wait they are refused; those that run are never hurried.
import PQueue from 'p-queue';
import { GalleyError } from '../../core/model/error.js';

export interface QueueLimits {
  readonly perDocument: number;
  readonly waitingPerDocument: number;
  readonly atOnce: number;
  readonly waiting: number;
}

export interface AssemblyQueue {
  run<T>(document: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

const usual: QueueLimits = { perDocument: 4, waitingPerDocument: 60, atOnce: 4, waiting: 2_000 };

export function createAssemblyQueue(limits: QueueLimits = usual): AssemblyQueue {
  const documents = new Map<string, PQueue>();
  const all = new PQueue({ concurrency: limits.atOnce });
  let waiting = 0;
  return {
    async run(document, signal, work) {
      const queue = documents.get(document) ?? new PQueue({ concurrency: limits.perDocument });
      documents.set(document, queue);
      if (queue.size >= limits.waitingPerDocument || waiting >= limits.waiting) throw busy(limits);
      waiting += 1;
      try {
        // A document holds at most its four places in the common line, so others get through.
        return await queue.add(() => all.add(work, { signal }), { signal });
      } finally {
        waiting -= 1;
        if (queue.size === 0 && queue.pending === 0) documents.delete(document);
      }
    },
  };
}

function busy(limits: QueueLimits): GalleyError {
  return new GalleyError(
    'CONTEXT_BACKPRESSURE',
    'Too many assemblies are waiting for this document; try again in a moment.',
    { details: { running: limits.perDocument, waiting: limits.waitingPerDocument } },
  );
}
