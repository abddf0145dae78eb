// What stands on a pull request, shown, closed or taken back; and a report that was made elsewhere, posted.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { openRepository } from '../../git/repository/open-repository.js';
import type { ReviewFinding } from '../findings/finding.js';
import { exemptionsFile, parseExemptions, withExemptions } from '../report/exemptions.js';
import { readReport } from '../report/json-report.js';
import { markDismissal } from './finding-marks.js';
import { linePlaces } from './line-places.js';
import {
  type OpenPull,
  openPull,
  openPullRepository,
  type PullContext,
  readPullChange,
} from './open-pull.js';
import { checkName } from './plan-posting.js';
import { type PostedReview, postReview } from './post-review.js';
import type {
  PullExemptRequest,
  PullFields,
  PullPostRequest,
  PullResolveRequest,
  PullRetractRequest,
} from './pull-requests.js';
import { standingOf, threadsByFinding } from './pull-standing.js';

export interface StandingFinding {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly severity: ReviewFinding['severity'];
  readonly title: string;
  readonly standing: ReturnType<typeof standingOf>;
  readonly place: 'lines' | 'summary';
}

export interface PullStatus {
  readonly number: number;
  readonly url: string;
  readonly head: string;
  /** The last head that was reviewed; absent where nothing is known of one. */
  readonly reviewed?: string;
  readonly complete?: boolean;
  readonly summary: boolean;
  readonly findings: readonly StandingFinding[];
}

export async function pullStatus(request: PullFields, context: PullContext): Promise<PullStatus> {
  const { number, state, standing } = await openPull(request, context);
  const threads = threadsByFinding(standing);
  return {
    number,
    url: state.pull.url,
    head: state.pull.head.commit,
    ...(standing.state === undefined
      ? {}
      : { reviewed: standing.state.head, complete: standing.state.complete }),
    summary: standing.summary !== undefined,
    findings: standing.earlier.map((finding) => {
      const { id, path, startLine, severity, title } = finding;
      const own = threads.get(id);
      const place = own === undefined ? 'summary' : 'lines';
      return { id, path, line: startLine, severity, title, standing: standingOf(own), place };
    }),
  };
}

export async function postToPull(request: PullPostRequest, context: PullContext): Promise<PostedReview> {
  const report = readReport(request.report, 'report');
  const opened = await openPull(request, context);
  const { forge, number, state } = opened;
  const folder = resolve(context.folder, request.repo);
  const repository = await openPullRepository(opened, folder, context.signal);
  try {
    const { signal } = context;
    const change = await readPullChange(repository.folder, state.pull, { since: undefined, signal });
    const { key, failLevel, language, dryRun } = request;
    return await postReview(report, {
      ...{ forge, number, state, key, failLevel, language, dryRun },
      head: state.pull.head.commit,
      places: linePlaces(change.patches),
    });
  } finally {
    await repository.close();
  }
}

export interface PullChanges {
  readonly number: number;
  readonly resolved: number;
  readonly removed: number;
  /** Threads that people answered in; they stay unless everything is taken back. */
  readonly kept: number;
  readonly warnings: readonly Warning[];
}

export async function resolveOnPull(request: PullResolveRequest, context: PullContext): Promise<PullChanges> {
  const { forge, number, standing } = await openPull(request, context);
  if (!forge.abilities.resolvesThreads)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${forge.title} has no call that resolves a thread; resolve it on its page.`,
    );
  const chosen = request.findings.map((id) => known(standing.threads, id));
  const open = chosen.filter(({ thread }) => !thread.isResolved).map(({ thread }) => thread);
  // On the word of whoever asks, so that no later review raises it again.
  for (const { thread, isDismissed } of chosen)
    if (!isDismissed) await forge.reply(number, thread, markDismissal(dismissedByHand));
  await forge.resolveThreads(number, open);
  return { number, resolved: open.length, removed: 0, kept: 0, warnings: [] };
}

const dismissedByHand = 'Closed with `galley pr resolve`; it is not raised again.';

/** By the beginning of its id. */
function known<Item extends { readonly finding: ReviewFinding }>(items: readonly Item[], id: string): Item {
  const found = items.filter(({ finding }) => finding.id.startsWith(id));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const why =
    found.length === 0 ? 'no finding on this pull request has this id' : 'several findings begin so';
  throw new GalleyError('NOT_FOUND', `findings: ${why}; galley pr status lists them.`, {
    details: { field: 'findings' },
  });
}

export async function retractFromPull(
  request: PullRetractRequest,
  context: PullContext,
): Promise<PullChanges> {
  const { forge, number, state, standing }: OpenPull = await openPull(request, context);
  const own = [...standing.threads, ...standing.twice];
  const kept = own.filter(({ isAnswered }) => isAnswered && !request.all);
  const removed = own.filter((each) => !kept.includes(each));
  // Our word on a dismissal stands below the remark.
  for (const { thread } of removed)
    for (const comment of thread.comments.filter(({ isOurs }) => isOurs).toReversed())
      await forge.deleteLineComment(number, { ...thread, comments: [comment] });
  const summaries = [standing.summary, ...standing.moreSummaries].filter((each) => each !== undefined);
  for (const { id } of summaries) await forge.deleteComment(number, id);
  const warnings: Warning[] = [];
  const title = 'The review was taken back';
  await forge
    .setCheck(state.pull.head.commit, {
      ...{ name: checkName(request.key), conclusion: 'neutral', title, summary: title, annotations: [] },
    })
    .catch(() => {
      warnings.push({
        code: 'CHECK_NOT_SET',
        message: 'The check could not be changed; the comments are gone.',
      });
    });
  return { number, resolved: 0, removed: removed.length + summaries.length, kept: kept.length, warnings };
}

export interface PullExemptions {
  readonly number: number;
  /** Where the text belongs, in the repository. */
  readonly file: string;
  /** The whole file with what is new in it. */
  readonly text: string;
  readonly added: number;
}

/** What people dismissed, as a file to commit: later reviews of any pull request hold it back. */
export async function exemptFromPull(
  request: PullExemptRequest,
  context: PullContext,
): Promise<PullExemptions> {
  const { number, standing } = await openPull(request, context);
  const all = standing.earlier.map((finding) => ({ finding }));
  const chosen =
    request.findings?.map((id) => known(all, id).finding) ??
    standing.threads.filter(({ isDismissed }) => isDismissed).map(({ finding }) => finding);
  const existing = request.existing ?? (await fileOfClone(resolve(context.folder, request.repo)));
  const list = existing === undefined ? [] : parseExemptions(existing);
  return { number, file: exemptionsFile, ...withExemptions(list, chosen, `#${number}`) };
}

async function fileOfClone(folder: string): Promise<string | undefined> {
  const top = await topFolder(folder);
  return top === undefined ? undefined : readFile(join(top, exemptionsFile), 'utf8').catch(() => undefined);
}

/** Of the working tree; undefined where there is none. */
async function topFolder(folder: string): Promise<string | undefined> {
  const repository = await openRepository(folder).catch(() => undefined);
  await repository?.close();
  return repository?.topLevel;
}
