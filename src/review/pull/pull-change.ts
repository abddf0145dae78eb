// The change of a pull request, for whoever asks a model about it: fetched, with what its author says of it, and what may be spent.
import { resolve } from 'node:path';
import type { PullRequest } from '../../forges/forge.js';
import { withoutDescription } from '../ask/description-text.js';
import type { ReviewRunRequest } from '../run/run-request.js';
import type { RunContext } from '../run/run-review.js';
import {
  type ChangeFacts,
  type OpenPull,
  openPullRepository,
  type PullContext,
  type PullRepository,
  readPullChange,
} from './open-pull.js';
import type { PullAnswerRequest, PullDescribeRequest, PullReviewRequest } from './pull-requests.js';
import { openSpending } from './spending.js';

type Asked = PullAnswerRequest | PullDescribeRequest | PullReviewRequest;

export interface PullChange {
  readonly request: ReviewRunRequest;
  readonly context: RunContext;
  readonly facts: ChangeFacts;
  readonly repository: PullRepository;
}

interface ChangeOptions<Request extends Asked> {
  readonly request: Request;
  readonly context: PullContext & RunContext;
  /** The head that was reviewed before. */
  readonly since?: string | undefined;
  /** Nobody is asked, so no cap counts. */
  readonly isFree?: boolean | undefined;
}

export async function withPullChange<Request extends Asked, Result>(
  opened: OpenPull,
  { request, context, since, isFree = false }: ChangeOptions<Request>,
  work: (change: PullChange) => Promise<Result>,
): Promise<Result> {
  const { signal } = context;
  const { pull } = opened.state;
  const repository = await openPullRepository(opened, resolve(context.folder, request.repo), signal);
  try {
    const facts = await readPullChange(repository.folder, pull, { since, signal });
    const answers = context.answers ?? repository.home;
    const spending = await openSpending(isFree ? {} : request, {
      ...{ folder: answers, repository: opened.forge.repository, number: opened.number },
      ...{ now: context.now ?? Date.now, catalog: context.catalog },
    });
    const { pull: _, key: __, maxPullCost: ___, maxMonthCost: ____, ...rest } = request;
    return await work({
      ...{ facts, repository },
      context: {
        ...context,
        answers,
        model: async (name) => spending.recorded(await context.model(name)),
      },
      request: {
        ...{ format: 'json', failLevel: 'none', dryRun: false },
        ...rest,
        verify: 'verify' in rest ? rest.verify === true : false,
        maxCost: spending.maxCost,
        repo: repository.folder,
        mode: 'pr',
        base: pull.base.commit,
        head: pull.head.commit,
        intent: intentOf(pull, facts.commits),
      },
    });
  } finally {
    await repository.close();
  }
}

/** Our own part of a description is nothing its author says. */
export function intentOf({ title, description, issues }: PullRequest, commits: readonly string[]) {
  const linked = issues.map((issue) => `Issue ${issue.number}: ${issue.title}\n${issue.text}`.trim());
  const said = [withoutDescription(description), ...linked].join('\n\n').trim();
  return { title, description: said, commits: [...commits] };
}
