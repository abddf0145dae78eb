// The contents of blobs, none larger than asked for. An object that is not in this clone is an answer, not a failure.
import { toGalleyError } from '../../core/model/error.js';
import type { Repository } from '../repository/open-repository.js';

export type BlobAnswer =
  | { readonly kind: 'content'; readonly bytes: Buffer }
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-blob'; readonly type: string };

export interface BlobLimits {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const batch = 256;

/** By id. Sizes are asked first, so that a large blob is never read. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
  limits: BlobLimits,
): Promise<Map<string, BlobAnswer>> {
  const answers = new Map<string, BlobAnswer>();
  const unique = [...new Set(ids)];
  for (let from = 0; from < unique.length; from += batch) {
    if (limits.signal?.aborted) throw toGalleyError(limits.signal.reason, 'CANCELLED');
    const part = unique.slice(from, from + batch);
    const found = await repository.objects.ask('info', part);
    const readable: string[] = [];
    part.forEach((id, index) => {
      const object = found[index];
      if (object === undefined) answers.set(id, { kind: 'missing' });
      else if (object.type !== 'blob') answers.set(id, { kind: 'not-a-blob', type: object.type });
      else if (object.size > limits.maxBytes) answers.set(id, { kind: 'too-large', size: object.size });
      else readable.push(id);
    });
    const contents = await repository.objects.ask('contents', readable);
    readable.forEach((id, index) => {
      const bytes = contents[index]?.bytes;
      answers.set(id, bytes === undefined ? { kind: 'missing' } : { kind: 'content', bytes });
    });
  }
  return answers;
}
