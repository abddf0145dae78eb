// The pages of a change at once, for callers that want them in one answer.
import type { Warning } from '../../core/model/error.js';
import type { DependencyChange } from '../prune/lockfile-summary.js';
import type { Omission } from '../prune/omission.js';
import {
  type Chunk,
  type ChunkRequest,
  type PageOptions,
  type PageReceipt,
  type PageSet,
  withPages,
} from './page-set.js';

export interface ReviewChunks {
  readonly chunks: readonly Chunk[];
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly warnings: readonly Warning[];
  /** Present when a summary of lockfiles was asked for. */
  readonly dependencies?: readonly DependencyChange[];
  readonly receipt: PageReceipt;
}

export async function reviewChunks(request: ChunkRequest, options: PageOptions): Promise<ReviewChunks> {
  return withPages(request, options, async (set) => {
    const { receipt, ...pages } = await allChunks(set);
    const moved = request.lockfileSummary ? { dependencies: set.dependencies } : {};
    return { ...pages, ...moved, receipt };
  });
}

export async function allChunks(set: PageSet): Promise<ReviewChunks> {
  const chunks: Chunk[] = [];
  for await (const chunk of set.chunks()) chunks.push(chunk);
  const { omitted, coverage, warnings } = set;
  return { chunks, omitted, coverage, warnings, receipt: set.receipt() };
}
