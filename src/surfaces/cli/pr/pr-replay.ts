// galley pr replay: what a review would have seen and found on the team's own merged pull requests. Each as it comes on stderr, then
// one table and the sum on stdout.
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf } from '../../../operations/table.js';
import type { Replay, ReplayedPull } from '../../../review/replay/replay-result.js';
import { contextWishOf, dollarsOf } from '../review/review-request.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { warningText } from '../terminal/explain-receipt.js';
import { writeJson } from '../terminal/json-output.js';
import { pullCounter } from '../terminal/progress.js';
import { grouped, textTable } from '../terminal/table.js';
import { percent } from '../terminal/talk.js';
import { type PlainWord, word } from '../words/word.js';

export interface PrReplayOptions {
  readonly repo: string;
  readonly last?: string;
  readonly local?: boolean;
  readonly model?: string;
  readonly maxCost?: string;
  readonly maxPages?: string;
  readonly context?: string;
  readonly followUps?: string;
  readonly verify?: boolean;
  readonly verifyModel?: string;
  readonly minSeverity?: string;
  readonly most?: string;
  readonly skill?: string;
  readonly concurrency?: string;
  readonly timeout?: string;
  readonly fresh?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `seam` stands in for what the machine has; for tests. */
export async function prReplay(
  options: PrReplayOptions,
  seam: Pick<Partial<OperationContext>, 'model' | 'forge'> = {},
): Promise<void> {
  const model = options.model ?? (process.env.GALLEY_MODEL || undefined);
  const dryRun = options.dryRun === true || model === undefined;
  const context = localContext();
  const say = (line: string) => process.stderr.write(`galley: ${line}\n`);
  const progress = pullCounter(process.stderr);
  try {
    const replay = (await call('forge:replay', requestOf(options, { model, dryRun }), {
      ...context,
      ...seam,
      signal: runSignal(context.signal),
      onProgress: progress.show,
      onReplayed: (pull) => {
        if (dryRun) return;
        progress.clear();
        say(oneLine(pull));
      },
    })) as AnswerOf<'forge:replay'>;
    progress.clear();
    for (const warning of replay.warnings) say(`${warningText(warning)} (${warning.code})`);
    if (model === undefined && options.dryRun !== true) say(word('pr.replay.no-model'));
    if (options.json) await writeJson(replay);
    else process.stdout.write(replayText(replay, process.stdout.columns || 160));
    if (replay.skipped.length > 0) {
      const codes = [...new Set(replay.skipped.map(({ code }) => code))].join(', ');
      say(word('pr.replay.skipped', { n: replay.skipped.length, codes }));
    }
    if (replay.left > 0) {
      say(word('pr.replay.left', { n: replay.left }));
      process.exitCode = 3;
    }
  } finally {
    progress.clear();
    await context.close();
  }
}

function requestOf(
  options: PrReplayOptions,
  { model, dryRun }: { readonly model: string | undefined; readonly dryRun: boolean },
): Record<string, unknown> {
  const whole = (text: string | undefined, name: string, times = 1) =>
    text === undefined ? undefined : wholeNumber(text, name, 1) * times;
  const given = {
    ...{ model, dryRun, repo: options.repo, local: options.local, fresh: options.fresh },
    last: whole(options.last, '--last'),
    maxCost: options.maxCost === undefined ? undefined : dollarsOf(options.maxCost),
    maxPages: whole(options.maxPages, '--max-pages'),
    context: contextWishOf(options.context),
    followUps:
      options.followUps === undefined ? undefined : wholeNumber(options.followUps, '--follow-ups', 0),
    ...{ verify: options.verify, verifyModel: options.verifyModel },
    minSeverity: options.minSeverity,
    most: whole(options.most, '--most'),
    skill: options.skill,
    concurrency: whole(options.concurrency, '--concurrency'),
    timeoutMs: whole(options.timeout, '--timeout', 1000),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function nameOf({ number, head }: ReplayedPull): string {
  return number === undefined ? head.slice(0, 8) : `#${number}`;
}

function oneLine(pull: ReplayedPull): string {
  const hits = (side: 'withContext' | 'withoutContext') => {
    const { onPlaces = 0, findings = 0 } = pull[side].review ?? {};
    return word('pr.replay.hits', { hits: onPlaces, findings });
  };
  return word('pr.replay.one', {
    ...{ pull: nameOf(pull), with: hits('withContext'), without: hits('withoutContext') },
  });
}

export function replayText(replay: Replay, width: number): string {
  if (replay.pulls.length === 0) return `${word('pr.replay.empty')}\n`;
  const isReviewed = replay.total.withContext.review !== undefined;
  const all = isReviewed ? reviewColumns : seenColumns;
  const columns = all.filter(({ cell }) => replay.pulls.some((pull) => cell(pull) !== ''));
  const table = textTable(
    columns.map(({ title, cell: _, ...column }) => ({ title: word(title), ...column })),
    replay.pulls.map((pull) => columns.map(({ cell }) => cell(pull))),
    { width },
  );
  return `${table}\n${sumWords(replay, isReviewed)}\n`;
}

interface PullColumn {
  readonly title: PlainWord;
  readonly align?: 'right';
  readonly shrink?: boolean;
  cell(pull: ReplayedPull): string;
}

type SideName = 'withContext' | 'withoutContext';

const placesOf = ({ places }: ReplayedPull) => places.comments + places.fixes;
const right = (title: PlainWord, cell: PullColumn['cell']): PullColumn => ({ title, align: 'right', cell });
const orNothing = (n: number) => (n === 0 ? '' : String(n));
const hitsOf = (side: SideName) => (pull: ReplayedPull) => {
  const { review } = pull[side];
  return review === undefined ? '' : word('pr.replay.of', { n: review.onPlaces, all: review.findings });
};
const seenOf = (side: SideName) => (pull: ReplayedPull) =>
  placesOf(pull) === 0 ? '' : word('pr.replay.of', { n: pull[side].shown, all: placesOf(pull) });
const costOf = (side: SideName) => (pull: ReplayedPull) => inDollars(pull[side].review?.dollars ?? 0);

const common: readonly PullColumn[] = [
  { title: 'pr.replay.col.pull', cell: nameOf },
  {
    title: 'pr.replay.col.change',
    shrink: true,
    cell: ({ title, number }) =>
      title
        .replaceAll(/[^\P{C}]/gu, ' ')
        .replace(number === undefined ? '' : `(#${number})`, '')
        .trim()
        .slice(0, 72),
  },
  right('pr.replay.col.comments', ({ places }) => orNothing(places.comments)),
  right('pr.replay.col.fixes', ({ fixes }) => orNothing(fixes)),
];

const seenColumns: readonly PullColumn[] = [
  ...common,
  right('pr.replay.col.seen-with', seenOf('withContext')),
  right('pr.replay.col.seen-without', seenOf('withoutContext')),
  right('pr.replay.col.tokens-with', ({ withContext }) => grouped(withContext.inputTokens)),
  right('pr.replay.col.tokens-without', ({ withoutContext }) => grouped(withoutContext.inputTokens)),
];

const reviewColumns: readonly PullColumn[] = [
  ...common,
  right('pr.replay.col.places', (pull) => orNothing(placesOf(pull))),
  right('pr.replay.col.hits-with', hitsOf('withContext')),
  right('pr.replay.col.hits-without', hitsOf('withoutContext')),
  right('pr.replay.col.cost-with', costOf('withContext')),
  right('pr.replay.col.cost-without', costOf('withoutContext')),
];

function inDollars(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

/** A price to compare by where no model is named; most good ones are near it. */
const dollarsPerToken = 3 / 1_000_000;

function sumWords({ total, source }: Replay, isReviewed: boolean): string {
  const { pulls, touched, places, withContext: one, withoutContext: other } = total;
  const all = places.comments + places.fixes;
  // A history knows nothing of comments.
  const happened = word(source === 'host' ? 'pr.replay.was-touched' : 'pr.replay.was-fixed');
  const what = word(source === 'host' ? 'pr.replay.touched' : 'pr.replay.fixed');
  const isPriced = one.inputDollars !== undefined && other.inputDollars !== undefined;
  const priced = (side: typeof one) => inDollars(side.inputDollars ?? side.inputTokens * dollarsPerToken);
  const tokens = word('pr.replay.tokens', {
    ...{ tokens: grouped(one.inputTokens), other: grouped(other.inputTokens) },
    ...{ cost: priced(one), othercost: priced(other) },
    price: isPriced ? '' : word('pr.replay.price'),
  });
  if (all === 0) return `${word('pr.replay.untouched', { pulls, what: happened })} ${tokens}`;
  const [mine, theirs] = [one.review, other.review];
  const told =
    isReviewed && mine !== undefined && theirs !== undefined
      ? [
          word('pr.replay.found', {
            what,
            ...{ hits: mine.onPlaces, findings: mine.findings, found: mine.placesFound, places: all },
            ...{ otherhits: theirs.onPlaces, otherfindings: theirs.findings },
            otherfound: theirs.placesFound,
          }),
          // Answers that were kept cost nothing this time: what a first run takes says more then.
          mine.calls < one.pages || theirs.calls < other.pages
            ? tokens
            : word('pr.replay.spent', {
                cost: inDollars(mine.dollars ?? 0),
                othercost: inDollars(theirs.dollars ?? 0),
              }),
        ]
      : [
          word('pr.replay.seen', {
            what,
            ...{ seen: one.shown, places: all, share: percent(one.shown / all) },
            ...{ other: other.shown, othershare: percent(other.shown / all) },
          }),
          tokens,
        ];
  return `${word('pr.replay.measured', { pulls, touched, what: happened })}\n${told.join(' ')}`;
}
