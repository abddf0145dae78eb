// What could be shown beside the diff of some units, whatever the room: the answers to their requests, and what ranks around them.
import type { Repository } from '../../git/repository/open-repository.js';
import { changeQuery } from '../related/change-query.js';
import type { OpenLimit } from '../related/choose-files.js';
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
  /** Files of the change, which need not be read again. */
  readonly changed?: readonly ChangedFile[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GatheredContext extends RequestAnswers {
  readonly files: readonly ChangedFile[];
  readonly pieces: readonly RankedPiece[];
  /** The files of the ranked pieces. */
  readonly opened: ReadonlyMap<string, FileSide>;
}

export interface ContextSource {
  /** Lets git search for the words of these files meanwhile; what goes wrong is said when the answer is needed. */
  lookAhead(files: readonly ChangedFile[]): void;
  answer(units: readonly PlannedUnit[]): Promise<RequestAnswers>;
  /** Ranks what lies around the changes of these files; the more files are opened for it, the longer it takes. */
  rank(
    files: readonly ChangedFile[],
    opened?: OpenLimit,
  ): Promise<Pick<GatheredContext, 'pieces' | 'opened'>>;
}

export function contextSource(ground: RepositoryGround): ContextSource {
  const { repository, tree, past, changed = [], signal } = ground;
  const known = changed.flatMap(({ after }) => after ?? []);
  const library: TreeLibrary = treeLibrary(repository, { tree, known, signal });
  const lexicon = makeLexicon();
  const corpus = repositoryCorpus(repository, { library, lexicon, past, signal });
  return {
    lookAhead(files) {
      const words = changeQuery(visibleChangeOf(files)).map(({ word }) => word);
      corpus.grep(words).catch(() => {});
    },
    answer: (units) => answerRequests(units, { repository, library, tree, signal }),
    async rank(files, opened) {
      const pieces = await rankPieces({ change: visibleChangeOf(files), corpus, lexicon, opened });
      return { pieces, opened: await library.open([...new Set(pieces.map(({ path }) => path))]) };
    },
  };
}
