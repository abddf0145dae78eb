// What stands on a pull request from earlier runs, and what people said to it. A dismissal is final: a thread that people resolved, a
// thumb down, or a reply that says it is meant so.
import { byCodePoint } from '../../core/model/code-points.js';
import type { ForgeComment, ForgeThread, PullState } from '../../forges/forge.js';
import type { ReviewFinding } from '../findings/finding.js';
import { readMarker } from '../report/review-comments.js';
import { commandOf, isAnswer } from './commands.js';
import { isDismissal, readFinding, readState, type SummaryState } from './finding-marks.js';

export interface OwnThread {
  readonly thread: ForgeThread;
  readonly finding: ReviewFinding;
  /** Somebody wrote in it: under our name only a person can, who lends us the token. */
  readonly isAnswered: boolean;
  readonly isDismissed: boolean;
  /** A thumb down, or words that it is meant so. */
  readonly isObjectedTo: boolean;
  /** Dismissed by thumbs alone, which anybody can give. */
  readonly isVotedDown: boolean;
}

export interface PullStanding {
  /** One for each finding. */
  readonly threads: readonly OwnThread[];
  /** The same finding once more: two runs at once. */
  readonly twice: readonly OwnThread[];
  readonly summary: ForgeComment | undefined;
  readonly state: SummaryState | undefined;
  /** Further summaries under the same key. */
  readonly moreSummaries: readonly ForgeComment[];
  /** Everything that was said before, dismissed or not. */
  readonly earlier: readonly ReviewFinding[];
}

/** `counts`: whose word that something is intended dismisses it. */
export function readStanding(
  { comments, threads }: PullState,
  key: string,
  counts: (login: string) => boolean = () => true,
): PullStanding {
  const own = threads.flatMap((thread): OwnThread[] => {
    const [first, ...replies] = thread.comments;
    const finding = first?.isOurs ? readFinding(first.body, key) : undefined;
    if (finding === undefined) return [];
    const isSaid = replies.some(
      (reply) => isDismissal(reply) || (isObjection(reply) && counts(reply.author)),
    );
    const isObjectedTo = first!.against > 0 || isSaid;
    const isDismissed = thread.isResolvedByPeople || isObjectedTo;
    const isVotedDown = isDismissed && !isSaid && !thread.isResolvedByPeople;
    const isAnswered = replies.some((reply) => !isTalk(reply));
    return [{ thread, finding, isAnswered, isDismissed, isObjectedTo, isVotedDown }];
  });
  const byId = new Map<string, OwnThread[]>();
  for (const each of own) byId.set(each.finding.id, [...(byId.get(each.finding.id) ?? []), each]);
  // Where people spoke is the one to keep, then the oldest.
  const sorted = [...byId.values()].map((same) =>
    same.toSorted((left, right) => weight(right) - weight(left) || byAge(left.thread.id, right.thread.id)),
  );
  const summaries = comments.filter(({ isOurs, body }) => isOurs && readMarker(body)?.key === key);
  const [summary, ...moreSummaries] = summaries;
  const state = summary === undefined ? undefined : readState(summary.body);
  const kept = sorted.map(([first]) => first!);
  const known = new Set(kept.map(({ finding }) => finding.id));
  return {
    threads: kept,
    twice: sorted.flatMap(([, ...rest]) => rest.filter((each) => weight(each) === 0)),
    ...{ summary, state, moreSummaries },
    earlier: [
      ...kept.map(({ finding }) => finding),
      ...(state?.findings.filter(({ id }) => !known.has(id)) ?? []),
    ],
  };
}

/** Who says that one of our remarks is about something intended. */
export function objectorsOn({ threads }: PullState, key: string): string[] {
  const replies = threads.flatMap(({ comments: [first, ...rest] }) =>
    first?.isOurs && readFinding(first.body, key) !== undefined ? rest : [],
  );
  return [...new Set(replies.filter(isObjection).map(({ author }) => author))];
}

function isObjection(reply: ForgeComment): boolean {
  return !isTalk(reply) && saysIntended(reply.body);
}

/** What is asked of us, and what we answer, decides nothing. */
function isTalk(reply: ForgeComment): boolean {
  return isAnswer(reply) || commandOf(reply.body) !== undefined;
}

/** Threads by the id of their finding. */
export function threadsByFinding({ threads }: PullStanding): Map<string, OwnThread> {
  return new Map(threads.map((own) => [own.finding.id, own]));
}

/** What people made of a finding; one without a thread is open. */
export function standingOf(own: OwnThread | undefined): 'open' | 'answered' | 'dismissed' | 'resolved' {
  if (own === undefined) return 'open';
  if (own.isDismissed) return 'dismissed';
  if (own.thread.isResolved) return 'resolved';
  return own.isAnswered ? 'answered' : 'open';
}

function weight({ isDismissed, isAnswered, thread }: OwnThread): number {
  return Number(isDismissed) * 4 + Number(isAnswered) * 2 + Number(thread.isResolved);
}

/** Ids grow with time where they are numbers. */
function byAge(left: string, right: string): number {
  return left.length - right.length || byCodePoint(left, right);
}

const intended =
  /\b(?:intended|intentional(?:ly)?|by design|on purpose|won['’]?t fix|wontfix|works as (?:designed|intended)|false positive|not a (?:bug|problem|real issue)|known (?:and accepted|limitation))\b|有意(?:为之|如此)|故意|本意如此|不(?:会|打算|需要)?改|误报|不是问题|预期(?:行为|如此)/i;

const denied =
  /\b(?:not|isn['’]?t|wasn['’]?t|never) (?:intended|intentional|by design|on purpose)\b|不是(?:有意|故意)/i;

/** The first words of a reply decide: a long answer may discuss what is intended elsewhere. A question decides nothing. */
function saysIntended(reply: string): boolean {
  const said = reply.replaceAll(/^>.*$/gm, '').trim().slice(0, 200);
  const sentences = said.match(/[^.!?。！？\n]+[.!?。！？]?/g) ?? [];
  return sentences.some(
    (sentence) => !/[?？]$/.test(sentence) && intended.test(sentence) && !denied.test(sentence),
  );
}
