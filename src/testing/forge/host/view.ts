// Everything that stands on a pull request, as a test wants to see it: a copy, the same for every host.
import { GalleyError } from '../../../core/model/error.js';
import type { Comment, Review } from './records.js';
import type { World } from './world.js';

export interface PullView {
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly state: 'open' | 'merged' | 'closed';
  readonly base: { readonly branch: string; readonly commit: string };
  readonly head: { readonly branch: string; readonly commit: string };
  readonly comments: readonly CommentView[];
  readonly threads: readonly ThreadView[];
  readonly reviews: readonly Pick<Review, 'id' | 'author' | 'body' | 'state' | 'commit'>[];
}

export interface CommentView {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly against: number;
}

export interface ThreadView {
  readonly id: string;
  readonly path: string;
  readonly side: 'old' | 'new';
  /** Where it was made. */
  readonly line: number;
  readonly startLine: number;
  /** Where that line is now; absent once it is outdated. */
  readonly lineNow?: number;
  readonly isOutdated: boolean;
  readonly isResolved: boolean;
  readonly resolvedBy?: string;
  readonly comments: readonly CommentView[];
}

export function viewPull(world: World, number: number): PullView {
  const pull = world.pulls.get(number);
  if (pull === undefined) throw new GalleyError('INVALID_ARGUMENT', 'There is no such pull request.');
  const { title, description, state, base, head } = pull;
  return {
    ...{ number, title, description, state },
    base: { branch: base.branch, commit: base.commit },
    head: { branch: head.branch, commit: head.commit },
    comments: pull.comments.map(view),
    threads: pull.threads.map(
      ({ id, path, side, line, startLine, now, isResolved, resolvedBy, comments }) => ({
        ...{ id, path, side, line, startLine, isResolved },
        ...(now === undefined ? {} : { lineNow: now.line }),
        isOutdated: now === undefined,
        ...(resolvedBy === undefined ? {} : { resolvedBy }),
        comments: comments.map(view),
      }),
    ),
    reviews: pull.reviews.map(({ id, author, body, state: verdict, commit }) => ({
      ...{ id, author, body, commit },
      state: verdict,
    })),
  };
}

function view({ id, author, body, reactions }: Comment): CommentView {
  return { id, author, body, against: reactions.filter(({ content }) => content === '-1').length };
}
