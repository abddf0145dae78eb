// What could be shown beside the diff of some units, whatever the budget: the answers to their requests, and what ranks around them.
import type { Repository } from '../../git/repository/open-repository.js';
import { hashText } from '../../meters/content-hash.js';
import { groupBy } from '../change/group-by.js';
import { isReadBefore } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import type { Recall } from '../change/recall.js';
import type { RelatedRepository } from '../change/review-config.js';
import type { PlannedUnit, ReviewPlan } from '../plan/plan-review.js';
import { changeQuery, type VisibleChange, type VisibleHunk } from '../related/change-query.js';
import type { OpenLimit } from '../related/file-signals.js';
import { makeLexicon } from '../related/lexicon.js';
import { type RankedPiece, rankPieces } from '../related/rank-pieces.js';
import { answerRequests, type RequestAnswers } from '../requests/answer-requests.js';
import { type ChangedFile, type FileSide, type TreeLibrary, treeLibrary } from '../units/changed-file.js';
import { type ChangedLine, changedLines } from '../units/changed-lines.js';
import type { ShownRange } from '../units/snippet.js';
import type { ContextBudget } from './choose-context.js';
import { type ForeignSource, foreignSource } from './foreign-interfaces.js';
import { repositoryCorpus } from './repository-corpus.js';

interface ContextOrigin {
  readonly repository: Repository;
  readonly tree: string;
  /** The commit whose history may be read. */
  readonly past: string | undefined;
  /** Files of the change, which need not be read again. */
  readonly changed?: readonly ChangedFile[] | undefined;
  readonly related?: readonly RelatedRepository[] | undefined;
  /** Changed paths nobody reviews: beside a diff their lines would pass for unchanged ones. */
  readonly unread?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundContext extends RequestAnswers {
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
  rank(files: readonly ChangedFile[], opened?: OpenLimit): Promise<Pick<FoundContext, 'pieces' | 'opened'>>;
  /** What these files use of other repositories. */
  readonly foreign: ForeignSource;
}

/** Where context comes from; unless there is none to rank, git begins to search at once. */
export function contextSourceOf(
  { repository, change, config, omitted, signal, recall }: ReviewContext,
  { files }: ReviewPlan,
  budget: ContextBudget,
): ContextSource {
  const unread = new Set(omitted.flatMap((omission) => (isReadBefore(omission) ? [] : [omission.path])));
  const source = contextSource({
    ...{ repository, tree: change.newTree, past: change.baseCommit },
    ...{ changed: files, unread, signal, related: config.related },
  });
  if (budget !== 'plan' && budget !== 'none') source.lookAhead(files);
  return remembered(source, recall);
}

/** The same files lie among the same neighbours, whatever the budget. */
function remembered(source: ContextSource, recall: Recall): ContextSource {
  const named = (kind: string, ids: readonly unknown[]) => `${kind} ${hashText(JSON.stringify(ids))}`;
  return {
    ...source,
    async answer(units) {
      const asked = units.map(({ unit, row }) => [unit.id, row.extra_requests]);
      const found = await recall(named('requests', asked), () => source.answer(units));
      if (units.every((one) => found.answers.has(one))) return found;
      // The same units, of a plan with other levels.
      const byId = new Map([...found.answers].map(([{ unit }, answer]) => [unit.id, answer]));
      return {
        ...found,
        answers: new Map(units.flatMap((one) => [[one, byId.get(one.unit.id)!] as const])),
      };
    },
    rank: (files, opened) => {
      const paths = files.map(({ patch }) => patch.entry.path);
      return recall(named(`ranked ${JSON.stringify(opened ?? null)}`, paths), () =>
        source.rank(files, opened),
      );
    },
  };
}

export function contextSource({
  repository,
  tree,
  past,
  changed = [],
  unread,
  related = [],
  signal,
}: ContextOrigin): ContextSource {
  const known = changed.flatMap(({ after }) => after ?? []);
  const library: TreeLibrary = treeLibrary(repository, { tree, known, unread, signal });
  const lexicon = makeLexicon();
  const corpus = repositoryCorpus(repository, { library, lexicon, past, signal });
  return {
    lookAhead(files) {
      const words = changeQuery(visibleChangeOf(files)).map(({ word }) => word);
      corpus.grep(words).catch(() => {});
    },
    foreign: foreignSource(repository, { related, library, tree, signal }),
    answer: (units) => answerRequests(units, { repository, library, tree, signal }),
    async rank(files, opened) {
      const pieces = await rankPieces({ change: visibleChangeOf(files), corpus, lexicon, opened });
      return { pieces, opened: await library.open([...new Set(pieces.map(({ path }) => path))]) };
    },
  };
}

/** The change as ranking sees it: every run of changed lines without its context. */
function visibleChangeOf(files: readonly ChangedFile[]): VisibleChange {
  return {
    hunks: files.flatMap(({ patch }) => {
      const runs = groupBy(changedLines(patch), ({ run }) => run);
      return [...runs.values()].map((run) => hunkOf(patch.entry.path, run));
    }),
  };
}

function hunkOf(path: string, run: readonly ChangedLine[]): VisibleHunk {
  const added = run.filter(({ kind }) => kind === 'added');
  const removed = run.filter(({ kind }) => kind === 'removed');
  return {
    path,
    oldLines: removed.map(({ text }) => text),
    newLines: added.map(({ text }) => text),
    newStart: added[0]?.number ?? (removed[0]?.opposite ?? 1) - 1,
  };
}

/** Both sides of every hunk, context included. */
export function shownByDiff(files: readonly ChangedFile[]): ShownRange[] {
  return files.flatMap(({ patch }) =>
    patch.hunks.flatMap(({ oldStart, oldCount, newStart, newCount }): ShownRange[] => [
      {
        path: patch.entry.oldPath ?? patch.entry.path,
        side: 'old',
        startLine: oldStart,
        endLine: oldStart + oldCount - 1,
      },
      { path: patch.entry.path, side: 'new', startLine: newStart, endLine: newStart + newCount - 1 },
    ]),
  );
}
