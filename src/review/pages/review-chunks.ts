// The pages of a change at once, for callers that want them in one answer.
import type { Warning } from '../../core/model/warning.js';
import type { ReviewRequest } from '../changes/review-request.js';
import type { Omission } from '../prune/omission.js';
import { type Chunk, type PageOptions, type PageReceipt, withPages } from './page-set.js';

export interface ReviewChunks {
  readonly chunks: readonly Chunk[];
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly warnings: readonly Warning[];
  readonly receipt: PageReceipt;
}

export async function reviewChunks(request: ReviewRequest, options: PageOptions): Promise<ReviewChunks> {
  return withPages(request, options, async (set) => {
    const chunks: Chunk[] = [];
    for await (const chunk of set.chunks()) chunks.push(chunk);
    const { omitted, coverage, warnings } = set;
    return { chunks, omitted, coverage, warnings, receipt: set.receipt() };
  });
}
