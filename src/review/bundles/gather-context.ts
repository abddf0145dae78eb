// What could be shown beside the diff of some units, whatever the room: the answers to their requests, and what ranks around them.
import type { Repository } from '../../git/repository/open-repository.js';
import { makeLexicon } from '../related/lexicon.js';
import { type RankedPiece, rankPieces } from '../related/rank-pieces.js';
import type { ChangedFile, FileSide } from '../units/changed-file.js';
import type { PlannedUnit } from './planned-unit.js';
import { repositoryCorpus } from './repository-corpus.js';
import { type TreeLibrary, treeLibrary } from './tree-library.js';
import { answerRequests, type RequestAnswers } from './unit-requests.js';
import { visibleChangeOf } from './visible-change-of.js';

export interface RepositoryGround {
  readonly repository: Repository;
  readonly tree: string;
  /** The commit whose history may be read. */
  readonly past: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GatheredContext extends RequestAnswers {
  readonly files: readonly ChangedFile[];
  readonly pieces: readonly RankedPiece[];
  /** The files of the ranked pieces. */
  readonly opened: ReadonlyMap<string, FileSide>;
}

export interface ContextSource {
  answer(units: readonly PlannedUnit[]): Promise<RequestAnswers>;
  /** Ranks what lies around the changes of these files. */
  rank(files: readonly ChangedFile[]): Promise<Pick<GatheredContext, 'pieces' | 'opened'>>;
}

export function contextSource(ground: RepositoryGround): ContextSource {
  const { repository, tree, past, signal } = ground;
  const library: TreeLibrary = treeLibrary(repository, { tree, signal });
  const lexicon = makeLexicon();
  const corpus = repositoryCorpus(repository, { library, lexicon, tree, past, signal });
  return {
    answer: (units) => answerRequests(units, { repository, library, tree, signal }),
    async rank(files) {
      const pieces = await rankPieces({ change: visibleChangeOf(files), corpus, lexicon });
      return { pieces, opened: await library.open([...new Set(pieces.map(({ path }) => path))]) };
    },
  };
}
