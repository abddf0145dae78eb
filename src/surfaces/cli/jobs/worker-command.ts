// galley worker: runs jobs until it is told to end; then what runs ends its calls, and the rest goes back at once.
import * as z from 'zod';
import { parseInput } from '../../../core/model/input.js';
import type { JobNews } from '../../../jobs/serve-jobs.js';
import type { JobOutcome } from '../../../store/tables/job-claims.js';
import { startTraceExport } from '../../http/trace-export.js';
import { realRoots } from '../../real-roots.js';
import { sharedStore, storePath } from '../../shared-store.js';
import { startLocalWorker } from '../../worker/local-worker.js';
import { untilTold } from '../serve/until-told.js';
import { shellLog } from '../shell/local-context.js';
import { say } from '../terminal/talk.js';
import { refusalWords, word } from '../words/word.js';

const workerFlags = z.object({
  atOnce: z.coerce.number().int().min(1).max(1000),
  lease: z.coerce.number().min(1).max(3600),
  root: z.array(z.string()),
  store: z.string().optional(),
  untilIdle: z.boolean().optional(),
});

/** Which job, and what of it; its project, request and answer may be anything. */
function newsLine(news: JobNews): string {
  const { id, operation, attempts, maxAttempts } = news.job;
  const name = `${id.slice(0, 8)}  ${operation}`;
  if (news.kind === 'begun')
    return `${name}  ${word('worker.begun', { attempt: attempts, most: maxAttempts })}`;
  const { outcome } = news;
  if (outcome === undefined) return `${name}  ${word('worker.lost')}`;
  if (outcome.status === 'queued')
    return `${name}  ${word('worker.later', { seconds: Math.ceil(outcome.afterMs / 1000) })}${why(outcome)}`;
  return `${name}  ${word(`jobs.status.${outcome.status}`)}${why(outcome)}`;
}

const refused = z.object({ code: z.string(), message: z.string() });

function why(outcome: JobOutcome): string {
  const { data } = refused.safeParse('refusal' in outcome ? outcome.refusal : undefined);
  return data === undefined ? '' : `  ${data.code}: ${refusalWords(data.message)}`;
}

export async function workerCommand(options: unknown): Promise<void> {
  const { atOnce, lease, root, store: named, untilIdle } = parseInput(workerFlags, options);
  // A worker whose folder is not there would take jobs away from those that can run them.
  const roots = realRoots(root.length === 0 ? [process.cwd()] : root);
  const path = storePath(roots[0] ?? '.', named);
  const traces = await startTraceExport(process.env, (line) => process.stderr.write(`galley: ${line}\n`));
  const { store, close } = sharedStore(roots[0] ?? '.', { path });
  let isSaid = false;
  const worker = await startLocalWorker({
    ...{ roots, store, atOnce, untilIdle },
    storePath: path,
    leaseMs: lease * 1000,
    log: shellLog,
    onNews: (news) => say(`${newsLine(news)}\n`),
    onWait: ({ code, message }) => {
      if (!isSaid) say(`${word('worker.waits')}  ${code}: ${refusalWords(message)}\n`);
      isSaid = true;
    },
  });
  say(`${word('worker.runs', { n: atOnce })}\n`);
  await Promise.race([untilTold(() => undefined), worker.ended]);
  await worker.drain();
  await close();
  await traces?.close();
  // A listener for signals, and connections that are being closed, would keep it for a while.
  process.exit();
}
