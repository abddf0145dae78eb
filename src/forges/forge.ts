// A place where pull requests live, as far as a review needs it. Three hosts keep to this contract: what is read comes in one state,
// and every change of it is one call whose effect the next reading shows.

export type ForgeKind = 'github' | 'gitlab' | 'gitea';

export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly description: string;
  /** Login of who opened it. */
  readonly author: string;
  readonly isDraft: boolean;
  readonly state: 'open' | 'merged' | 'closed';
  readonly base: PullSide;
  readonly head: PullSide;
  /** The head lies in another repository than the base. */
  readonly isFork: boolean;
  /** For people. */
  readonly url: string;
  /** Issues that merging it closes. */
  readonly issues: readonly LinkedIssue[];
  /** When it was merged, and as which commit of the base branch, as far as the host says. */
  readonly merged?: { readonly at: string; readonly commit?: string };
}

export interface PullSide {
  readonly branch: string;
  readonly commit: string;
}

export interface LinkedIssue {
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

export interface ForgeComment {
  readonly id: string;
  readonly body: string;
  /** Login. */
  readonly author: string;
  /** Written by the account whose token is used: a mark in anybody else's comment means nothing. */
  readonly isOurs: boolean;
  /** Thumbs down, of anybody. */
  readonly against: number;
  /** When it was written. */
  readonly at?: string;
  /** Written by an app, as far as the host tells. */
  readonly isByApp?: boolean;
}

/** A remark on lines, with what was answered to it; the first comment is the remark. */
export interface ForgeThread {
  readonly id: string;
  readonly path: string;
  readonly isResolved: boolean;
  /** Resolved by another account than ours, or by ours where a person uses it, too. */
  readonly isResolvedByPeople: boolean;
  /** Its lines are no longer part of the change, says the host. */
  readonly isOutdated: boolean;
  /** Where it stands at the head, or on the old side; absent where the host does not say. */
  readonly lines?: { readonly side: 'new' | 'old'; readonly startLine: number; readonly endLine: number };
  readonly comments: readonly ForgeComment[];
}

/** Everything a run reads before it writes. */
export interface PullState {
  readonly pull: PullRequest;
  /** Comments on the pull request as a whole, oldest first. */
  readonly comments: readonly ForgeComment[];
  readonly threads: readonly ForgeThread[];
}

/** Where a remark stands in the diff. Unchanged lines have both numbers, added and removed ones theirs. */
export interface DiffLine {
  readonly oldLine?: number;
  readonly newLine?: number;
  /** Lines counted so far on either side: GitLab names a line by both, whatever its kind. */
  readonly position: { readonly old: number; readonly new: number };
}

export interface LineComment {
  /** What the caller knows the remark by. */
  readonly key: string;
  readonly path: string;
  /** Before the change, where it has another name. */
  readonly oldPath: string;
  readonly first: DiffLine;
  readonly last: DiffLine;
  readonly side: 'new' | 'old';
  readonly body: string;
}

export type CheckConclusion = 'success' | 'neutral' | 'failure';

export interface Check {
  /** A check of the same name replaces the one before. */
  readonly name: string;
  readonly conclusion: CheckConclusion;
  /** One line. */
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  readonly annotations: readonly CheckAnnotation[];
}

export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
}

/** What a host can do, and how much of it. */
export interface ForgeAbilities {
  /** Characters of one comment. */
  readonly commentCharacters: number;
  /** Remarks that go out in one call. */
  readonly linesAtOnce: number;
  /** Remarks on several lines are shown on all of them. */
  readonly ranges: boolean;
  readonly resolvesThreads: boolean;
  /** Words that open a block of code which a reader can commit with one click; undefined where there is no such thing. */
  suggestionFence?(lines: number): string;
}

export interface Forge {
  readonly kind: ForgeKind;
  /** As people call it. */
  readonly title: string;
  readonly repository: string;
  readonly abilities: ForgeAbilities;
  /** Where git fetches from, and under which ref the host keeps the head of a pull request. */
  readonly git: { readonly url: string; readonly header?: string };
  headRef(number: number): string;
  /** Address of a file at a commit, for links. */
  fileBase(commit: string): string;
  /** The open pull request of a branch, at GitHub `owner:branch` for one of a fork; of a commit where no branch is given. */
  pullOf(branch: { readonly name?: string; readonly commit?: string }): Promise<number | undefined>;
  /** Newest first. */
  mergedPulls(most: number): Promise<readonly PullRequest[]>;
  /** Open and merged ones, newest first. */
  recentPulls(most: number): Promise<readonly PullRequest[]>;
  read(number: number): Promise<PullState>;
  addComment(number: number, body: string): Promise<void>;
  editComment(number: number, id: string, body: string): Promise<void>;
  deleteComment(number: number, id: string): Promise<void>;
  /** One review with all of them, or a call for each where the host has no such thing. */
  addLineComments(
    number: number,
    head: string,
    comments: readonly LineComment[],
  ): Promise<LineCommentsOutcome>;
  deleteLineComment(number: number, thread: ForgeThread): Promise<void>;
  reply(number: number, thread: ForgeThread, body: string): Promise<void>;
  resolveThreads(number: number, threads: readonly ForgeThread[]): Promise<void>;
  /** A check run, or a status where the host or the token has no check runs. */
  setCheck(head: string, check: Check): Promise<void>;
  setDescription(number: number, description: string): Promise<void>;
  /** Whether that account may push to the repository. */
  mayWrite(login: string): Promise<boolean>;
}

export type LineCommentsOutcome =
  | { readonly posted: true }
  /** Keys of the comments the host does not take where they are meant, all others are posted; empty where it does not say which, and none is. */
  | { readonly posted: false; readonly refused: readonly string[] };
