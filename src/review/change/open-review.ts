// Everything a review starts from: the repository, the change, the project's settings, and what is left after pruning.
import { resolve } from 'node:path';
import type { Warning } from '../../core/model/error.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { matchPaths } from '../../git/changes/match-paths.js';
import { type ChangeSet, readChangeSet } from '../../git/changes/read-change-set.js';
import {
  type LentRepository,
  openRepository,
  type Repository,
} from '../../git/repository/open-repository.js';
import type { Omission } from './omission.js';
import { prune, type SpareFiles } from './prune.js';
import { readConfig, type SettledConfig } from './read-config.js';
import { findAnew, type Recall } from './recall.js';
import { changeRequestOf, type ReviewRequest } from './review-request.js';
import { trustedTree } from './trusted-files.js';

/** Who knows the words of tickets. */
export interface TicketSource {
  /** How tickets are written here. */
  readonly pattern: RegExp;
  /** The words of a ticket; undefined where it cannot be read. */
  read(id: string, signal: AbortSignal | undefined): Promise<string | undefined>;
}

export interface OpenReviewOptions {
  /** Where relative paths of a request start. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Told once the repository is there, while git still looks for the change: the time to load what will be needed. */
  readonly onOpen?: (() => void) | undefined;
  /** Undefined where the user has named no program that knows tickets. */
  readonly tickets?: (() => Promise<TicketSource | undefined>) | undefined;
  /** The repository of the request where the caller has it open; it stays the caller's to close. */
  readonly lent?: LentRepository | undefined;
}

/** How far a review has come, for those who wait. */
export interface ReviewProgress<Stage extends string = 'reading' | 'setting'> {
  readonly stage: Stage;
  readonly done: number;
  readonly total: number;
}

export interface ReviewContext {
  readonly repository: Repository;
  readonly change: ChangeSet;
  readonly config: SettledConfig;
  /** The request with the project's settings where the caller left a field open. */
  readonly request: ReviewRequest;
  readonly kept: readonly ChangeEntry[];
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
  readonly spare: SpareFiles;
  readonly signal: AbortSignal | undefined;
  readonly tickets?: OpenReviewOptions['tickets'];
  /** What was found for this change already, where it is set more than once. */
  readonly recall: Recall;
  /** It stays open between two settings; what was recalled is closed with it. */
  readonly isHeld: boolean;
}

export async function openReview<Result>(
  request: ReviewRequest,
  context: OpenReviewOptions,
  work: (opened: ReviewContext) => Promise<Result>,
): Promise<Result> {
  const { signal, lent } = context;
  const folder = resolve(context.folder, request.repo);
  const repository = await (lent?.open() ?? openRepository(folder));
  try {
    context.onOpen?.();
    const change = await readChangeSet(repository, changeRequestOf(request), { signal });
    const config = await readConfig(repository, trustedTree(change));
    const { paths: pathspecs } = request;
    const asked =
      pathspecs === undefined
        ? undefined
        : await matchPaths(repository, change, { pathspecs, folder, signal });
    const { kept, omitted, warnings, spare } = await prune(repository, change, {
      asked,
      ...(request.reviewedBefore === undefined ? {} : { readBefore: new Set(request.reviewedBefore) }),
      ...(config.ignore === undefined ? {} : { ignore: config.ignore }),
      signal,
    });
    return await work({
      repository,
      change,
      config,
      request: withDefaults(request, config),
      kept,
      omitted,
      warnings: [...change.warnings, ...warnings],
      spare: {
        entries: spare.entries,
        warningsBeside: (shown) => [...change.warnings, ...spare.warningsBeside(shown)],
      },
      signal,
      tickets: context.tickets,
      recall: findAnew,
      isHeld: false,
    });
  } finally {
    if (lent === undefined) await repository.close();
  }
}

/** The skill is not among them: whoever asks may name any file, a repository only its own. */
function withDefaults(request: ReviewRequest, config: SettledConfig): ReviewRequest {
  const {
    $schema: _,
    ignore: __,
    rules: ___,
    skill: ____,
    skillFrom: _____,
    related: ______,
    ...settings
  } = config;
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(given) } as ReviewRequest;
}
