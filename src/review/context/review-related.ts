// The answer of review:related: files that belong to given ones, ranked.

import { resolve } from 'node:path';
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { openRepository } from '../../git/repository/open-repository.js';
import { resolveCommit } from '../../git/repository/resolve-commit.js';
import type { OpenReviewOptions } from '../change/open-review.js';
import { makeLexicon } from '../related/lexicon.js';
import { type RelatedFile, rankFiles } from '../related/rank-files.js';
import { treeLibrary } from '../units/changed-file.js';
import { repositoryCorpus } from './repository-corpus.js';

const path = textField(4096).min(1);

export const relatedRequest = z.strictObject({
  repo: path.default('.'),
  /** The commit in whose tree and past one looks. */
  at: textField(1000).min(1).default('HEAD'),
  paths: z.array(path).min(1).max(1000).describe('files to start from'),
  limit: z.int().min(1).max(1000).default(10),
});

type RelatedRequest = z.output<typeof relatedRequest>;

export async function findRelated(
  request: RelatedRequest,
  { folder, signal }: OpenReviewOptions,
): Promise<{ readonly files: readonly RelatedFile[] }> {
  const repository = await openRepository(resolve(folder, request.repo));
  try {
    const { id, tree } = await resolveCommit(repository, request.at);
    const library = treeLibrary(repository, { tree, signal });
    const lexicon = makeLexicon();
    const corpus = repositoryCorpus(repository, { library, lexicon, past: id, signal });
    return { files: await rankFiles({ paths: request.paths, corpus, lexicon, limit: request.limit }) };
  } finally {
    await repository.close();
  }
}
