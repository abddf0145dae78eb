// Laws of a posting, over any findings and whatever people did: taken to its end it leaves nothing to do, says everything once, and
// touches nothing it may not touch.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import type { ForgeComment, ForgeThread, PullRequest, PullState } from '../../forges/forge.js';
import { type ReviewFinding, severities } from '../findings/finding.js';
import { changeOf } from '../findings/testing/change-of.js';
import { someFinding } from '../findings/testing/some-finding.js';
import type { Report, ReportedFinding } from '../report/report.js';
import { hostileText, reported, reportOf } from '../report/testing/some-report.js';
import { linePlaces } from './line-places.js';
import { type Posting, planPosting } from './plan-posting.js';
import { readStanding } from './pull-standing.js';
import type { PostingOptions } from './sort-findings.js';

const head = 'a'.repeat(40);
const lines = 200;
const files = ['src/a.ts', 'src/b.ts'];

const text = Array.from({ length: lines }, (_, at) => `line ${at}\n`).join('');
const patches = await changeOf({ 'README.md': 'x\n' }, Object.fromEntries(files.map((path) => [path, text])));

const pull: PullRequest = {
  ...{ number: 7, title: 't', description: '', author: 'dev', isDraft: false, state: 'open', isFork: false },
  base: { branch: 'main', commit: 'b'.repeat(40) },
  head: { branch: 'topic', commit: head },
  ...{ url: 'https://forge.test/o/r/pull/7', issues: [] },
};

const options: PostingOptions = {
  forge: {
    abilities: {
      ...{ commentCharacters: 65_536, linesAtOnce: 30, ranges: true, resolvesThreads: true },
      suggestionFence: () => 'suggestion',
    },
    fileBase: (commit) => `https://forge.test/o/r/blob/${commit}`,
  },
  ...{ head, places: linePlaces(patches), refused: new Set(), key: 'default', failLevel: 'high' },
};

const empty: PullState = { pull, comments: [], threads: [] };

/** What a host holds after the steps of a posting. */
function applied(state: PullState, plan: Posting): PullState {
  const closed = new Set(plan.resolve.map(({ id }) => id));
  const gone = new Set(plan.removeLines.map(({ id }) => id));
  const removed = new Set(plan.removeComments.map(({ id }) => id));
  const { summary } = plan;
  const kept = state.comments
    .filter(({ id }) => !removed.has(id))
    .map((each) =>
      summary.kind === 'edit' && summary.id === each.id ? { ...each, body: summary.body } : each,
    );
  const added = summary.kind === 'add' ? [ours(`c${state.comments.length}`, summary.body)] : [];
  return {
    pull,
    comments: [...kept, ...added],
    threads: [
      ...state.threads
        .filter(({ id }) => !gone.has(id))
        .map((each) => (closed.has(each.id) ? { ...each, isResolved: true } : each)),
      ...plan.lines.map(({ path, body }, at): ForgeThread => {
        const id = `t${state.threads.length + at}`;
        const standing = { isResolved: false, isResolvedByPeople: false, isOutdated: false };
        return { id, path, ...standing, comments: [ours(`${id}-0`, body)] };
      }),
    ],
  };
}

function ours(id: string, body: string): ForgeComment {
  return { id, body, author: 'galley[bot]', isOurs: true, against: 0 };
}

function settle(report: Report, state: PullState, with_: PostingOptions = options): PullState {
  return applied(state, planPosting(report, readStanding(state, 'default'), with_));
}

const finding: fc.Arbitrary<ReportedFinding> = fc
  .record({
    ...{ path: fc.constantFrom(...files), line: fc.integer({ min: 1, max: lines + 20 }) },
    severity: fc.constantFrom(...severities),
    word: fc.stringMatching(/^[a-z]{12}$/),
    text: hostileText,
  })
  .map(({ path, line, severity, word, text }) =>
    reported(
      {
        ...{
          path,
          severity,
          startLine: line,
          endLine: line,
          title: `${word} ${text}`.slice(0, 200).toWellFormed(),
        },
        ...{ message: `${word} ${word}x ${word}y`, evidence: `${word}(${line});` },
      },
      {
        place:
          line > lines ? { kind: 'summary', reason: 'outside-hunks' } : { kind: 'anchored', by: 'given' },
      },
    ),
  );
const findings = fc.uniqueArray(finding, { maxLength: 40, selector: ({ finding: { id } }) => id });

type Act = 'nothing' | 'outdated' | 'reply' | 'intended' | 'against' | 'resolve';
const acts = fc.array(
  fc.constantFrom<Act>('nothing', 'nothing', 'outdated', 'reply', 'intended', 'against', 'resolve'),
  { minLength: 40, maxLength: 40 },
);

function acted(thread: ForgeThread, act: Act | undefined): ForgeThread {
  const said = (body: string): ForgeThread => ({
    ...thread,
    comments: [...thread.comments, { id: `${thread.id}-1`, body, author: 'dev', isOurs: false, against: 0 }],
  });
  if (act === 'outdated') return { ...thread, isOutdated: true };
  if (act === 'reply') return { ...said('Looking into it.'), isOutdated: true };
  if (act === 'intended') return said('This is intended.');
  if (act === 'resolve') return { ...thread, isResolved: true, isResolvedByPeople: true };
  if (act !== 'against') return thread;
  const [first, ...rest] = thread.comments;
  return { ...thread, comments: [{ ...first!, against: 1 }, ...rest] };
}

/** What stands on the pull request for people to see: findings by id. */
function visible(state: PullState): string[] {
  const standing = readStanding(state, 'default');
  return standing.earlier.map(({ id }) => id);
}

const numRuns = sweepSize('postings', { everyRun: 60, nightly: 2000 });
const runs = { numRuns, seed: 14 };

describe('a posting', () => {
  it('taken to its end leaves nothing to do, and every finding stands in one place', () => {
    fc.assert(
      fc.property(findings, (found) => {
        const report = reportOf(found);
        const state = settle(report, empty);
        const again = planPosting(report, readStanding(state, 'default'), options);
        expect([again.lines, again.summary.kind, again.resolve]).toEqual([[], 'none', []]);
        expect(visible(state).sort()).toEqual(found.map(({ finding: { id } }) => id).sort());
        expect(new Set(visible(state)).size).toBe(found.length);
      }),
      runs,
    );
  });

  it('keeps to the rules for threads, and to what people decided', () => {
    fc.assert(
      fc.property(
        findings,
        acts,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (found, did, again) => {
          const first = settle(reportOf(found), empty);
          const before = { ...first, threads: first.threads.map((thread, at) => acted(thread, did[at])) };
          const repeated = found.filter((_, at) => again[at]);
          const rest = found.filter((_, at) => !again[at]).map((item) => item.finding);
          const report = reportOf(repeated, { resolved: rest });
          const standing = readStanding(before, 'default');
          const plan = planPosting(report, standing, options);
          const said = new Set(repeated.map((item) => item.finding.id));
          const known = new Map(standing.threads.map((own) => [own.thread.id, own]));
          for (const { id, isOutdated } of plan.resolve) {
            const own = known.get(id)!;
            expect([isOutdated, own.isAnswered, own.isDismissed]).toEqual([true, false, false]);
            expect(said.has(own.finding.id)).toBe(false);
            expect(repeated.length).toBeGreaterThan(0);
          }
          expect(
            plan.lines.filter(({ key }) => standing.threads.some((own) => own.finding.id === key)),
          ).toEqual([]);
          const dismissed = standing.threads.filter((own) => own.isDismissed);
          expect(plan.tally.dismissed).toBe(dismissed.length);
          const after = settle(report, before);
          const last = planPosting(report, readStanding(after, 'default'), options);
          expect([last.lines, last.summary.kind, last.resolve]).toEqual([[], 'none', []]);
          // What was said is still there, with its thread or in the summary.
          for (const id of said) expect(visible(after)).toContain(id);
          // A dismissed finding fails no build, however bad it is.
          const blocking = repeated.filter(
            (item) =>
              item.place.kind === 'anchored' &&
              ['critical', 'high'].includes(item.finding.severity) &&
              !dismissed.some((own) => own.finding.id === item.finding.id),
          );
          if (blocking.length > 0) expect(plan.check.conclusion).toBe('failure');
        },
      ),
      runs,
    );
  });

  it('of a clean change says nothing', () => {
    const plan = planPosting(reportOf([]), readStanding(empty, 'default'), options);
    expect(plan.summary).toEqual({ kind: 'none' });
    expect(plan.check).toMatchObject({ conclusion: 'success', title: 'Nothing to fix' });
  });

  it('shows at most twelve lines before the fold, and no more than the host takes', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(finding, { minLength: 1, maxLength: 400, selector: (item) => item.finding.id }),
        (found) => {
          const { summary } = planPosting(reportOf(found), readStanding(empty, 'default'), options);
          if (summary.kind !== 'add') throw new Error('no summary');
          const [shown = ''] = summary.body.split('<details>');
          const seen = shown.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('<!--'));
          expect(seen.length).toBeLessThanOrEqual(12);
          expect(summary.body.length).toBeLessThanOrEqual(65_536);
        },
      ),
      { ...runs, numRuns: 20 },
    );
  });

  it('drops the replacement of a remark that is too long for the host, never the remark', () => {
    const long = (text: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${text}${at}`).join('\n');
    const huge = reported({
      ...{
        startLine: 3,
        endLine: 3,
        message: long('许多话', 1300).slice(0, 8000),
        evidence: long('码', 900).slice(0, 4000),
      },
      suggestion: { replacement: long('x', 3000).slice(0, 20_000), startLine: 3, endLine: 3 },
    });
    const tight = {
      ...options,
      forge: { ...options.forge, abilities: { ...options.forge.abilities, commentCharacters: 20_000 } },
    };
    const { lines: sent } = planPosting(reportOf([huge]), readStanding(empty, 'default'), tight);
    expect(sent.map(({ body }) => [body.length <= 20_000, body.includes('suggestion')])).toEqual([
      [true, false],
    ]);
  });

  it('suggests only what stands on the very lines of the remark', () => {
    const at = (startLine: number, endLine: number, place: { startLine: number; endLine: number }) => {
      const item = reported({ startLine, endLine, suggestion: { replacement: 'x', ...place } });
      return planPosting(reportOf([item]), readStanding(empty, 'default'), options).lines[0]!.body;
    };
    expect(at(3, 4, { startLine: 3, endLine: 4 })).toContain('```suggestion\nx\n```');
    expect(at(3, 4, { startLine: 3, endLine: 3 })).not.toContain('```suggestion');
  });

  it('takes away what two runs at once said twice, but not where people spoke', () => {
    const item = reported({ startLine: 5, endLine: 5 });
    const once = settle(reportOf([item]), empty);
    const [thread] = once.threads;
    const copy = (id: string): ForgeThread => ({ ...thread!, id });
    const state = {
      ...once,
      threads: [copy('t9'), copy('t10'), acted(copy('t11'), 'reply')],
      comments: [...once.comments, { ...once.comments[0]!, id: 'c9' }],
    };
    const plan = planPosting(reportOf([item]), readStanding(state, 'default'), options);
    expect(plan.removeLines.map(({ id }) => id)).toEqual(['t9', 't10']);
    expect(plan.removeComments.map(({ id }) => id)).toEqual(['c9']);
    expect(plan.lines).toEqual([]);
  });

  it('reads no mark in comments of others', () => {
    const item = reported({ startLine: 5, endLine: 5 });
    const once = settle(reportOf([item]), empty);
    const theirs = (each: ForgeComment) => ({ ...each, isOurs: false, author: 'mallory' });
    const forged = {
      ...once,
      comments: once.comments.map(theirs),
      threads: once.threads.map((thread) => ({ ...thread, comments: thread.comments.map(theirs) })),
    };
    const plan = planPosting(reportOf([item]), readStanding(forged, 'default'), options);
    expect(plan.lines.map(({ key }) => key)).toEqual([item.finding.id]);
    expect(plan.summary.kind).toBe('add');
  });
});

describe('a reply', () => {
  const dismissedBy = (body: string) => {
    const item = reported({ startLine: 5, endLine: 5 });
    const once = settle(reportOf([item]), empty);
    const [thread] = once.threads;
    const reply: ForgeComment = { id: 'r', body, author: 'dev', isOurs: false, against: 0 };
    const state = { ...once, threads: [{ ...thread!, comments: [...thread!.comments, reply] }] };
    return readStanding(state, 'default').threads[0]!.isDismissed;
  };
  it.each([
    'This is intended.',
    'Intentional, see the design note.',
    "won't fix",
    'By design: the caller checks it.',
    'False positive',
    '这是有意为之。',
    '误报',
    '> Division by zero\n\nThis is on purpose.',
  ])('that says it is meant so dismisses: %s', (body) => {
    expect(dismissedBy(body)).toBe(true);
  });
  it.each([
    'Fixed in the next commit.',
    'This is not intended, good catch!',
    'Is that intended?',
    '> is this intended?\n\nNo, thanks.',
    "That wasn't intentional.",
    '不是故意的，谢谢。',
  ])('that says otherwise does not: %s', (body) => {
    expect(dismissedBy(body)).toBe(false);
  });
});

describe('what stood before', () => {
  it('stays open while its lines are unchanged, though nobody says it again', () => {
    const item = reported({ startLine: 5, endLine: 5, severity: 'high' });
    const other = reported({ startLine: 50, endLine: 50, message: 'Something else entirely.' });
    const before = settle(reportOf([item]), empty);
    const report = reportOf([other], { resolved: [item.finding] });
    const plan = planPosting(report, readStanding(before, 'default'), options);
    expect(plan.resolve).toEqual([]);
    expect(plan.check.conclusion).toBe('failure');
    const silent: ReviewFinding = someFinding({ startLine: 5, endLine: 5 });
    expect(silent.id).toBe(item.finding.id);
  });
});
