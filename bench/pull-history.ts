// Real pull requests replayed push by push against the forge of galley/testing, with a reviewer that overlooks two findings of five,
// people who answer, and forced pushes made up. What is counted is seen from the forge.
// Usage: pull-history [--most n] [repository …]; GALLEY_MIRRORS names a folder of bare repositories with refs/pull/<n>/head
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGalleyError } from '../src/core/model/error.js';
import type { ForgeThread, PullState } from '../src/forges/forge.js';
import { readFinding } from '../src/review/pull/finding-marks.js';
import { readStanding } from '../src/review/pull/pull-standing.js';
import { addedLines, openPullGround, type PullGround } from '../test/pull/pull-ground.js';

const args = process.argv.slice(2);
const flag = args.indexOf('--most');
const most = flag < 0 ? 200 : Number(args.splice(flag, 2)[1]);
const mirrors = process.env.GALLEY_MIRRORS;
if (mirrors === undefined) {
  console.error('GALLEY_MIRRORS: name a folder of bare repositories.');
  process.exit(2);
}
const repositories = readdirSync(mirrors)
  .filter((name) => existsSync(join(mirrors, name, 'repo', 'HEAD')))
  .filter((name) => args.length === 0 || args.some((wanted) => name.endsWith(`+${wanted}`)));

interface History {
  readonly base: string;
  readonly commits: readonly string[];
}

const tally = {
  histories: 0,
  pushes: 0,
  forced: 0,
  findings: 0,
  refused: 0,
  twice: 0,
  lost: 0,
  wrongly: 0,
  clean: 0,
  noisy: 0,
};
const requests: number[] = [];
let seed = 0;

for (const name of repositories) {
  const git = (...rest: string[]) =>
    execFileSync('git', ['-C', join(mirrors, name, 'repo'), ...rest], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e9,
    }).trim();
  const share = Math.ceil(most / repositories.length);
  let done = 0;
  for (const history of histories(git, share * 3)) {
    if (done >= share || tally.histories >= most) break;
    try {
      await replay(join(mirrors, name, 'repo'), history);
    } catch (error) {
      // A mirror may lack objects.
      if (!isGalleyError(error) || error.code !== 'GIT_FAILED') throw error;
      continue;
    }
    done += 1;
    process.stderr.write(`${name} ${done}/${share} ${JSON.stringify(tally)}\n`);
  }
}
const few = requests.sort((left, right) => left - right);
console.log(
  JSON.stringify({ ...tally, requests: { median: few[few.length >> 1], most: few.at(-1) } }, null, 2),
);
if (tally.refused + tally.twice + tally.lost + tally.wrongly + tally.noisy > 0) process.exitCode = 1;

/** Pull requests of two to six commits in a row, spread over the repository's life. */
function* histories(git: (...rest: string[]) => string, wanted: number): Generator<History> {
  const heads = git('for-each-ref', '--format=%(objectname)', 'refs/pull/*/head').split('\n');
  const step = Math.max(1, Math.floor(heads.length / (wanted * 3)));
  for (let at = 0; at < heads.length; at += step) {
    const head = heads[at]!;
    try {
      const base = git('merge-base', 'HEAD', head);
      const commits = git('rev-list', '--reverse', '--first-parent', `${base}..${head}`)
        .split('\n')
        .filter(Boolean);
      const merges = git('rev-list', '--merges', `${base}..${head}`);
      const size = git('diff', '--shortstat', base, head);
      const lines = (size.match(/(\d+) (?:insertion|deletion)/g) ?? []).reduce(
        (sum, part) => sum + Number.parseInt(part, 10),
        0,
      );
      if (commits.length >= 2 && commits.length <= 6 && merges === '' && lines <= 1500)
        yield { base, commits };
    } catch {
      // Its commits are not in the mirror.
    }
  }
}

async function replay(mirror: string, { base, commits }: History): Promise<void> {
  seed += 1;
  const mine = seed;
  // One history of four has nothing to find.
  const isClean = mine % 4 === 0;
  let head = '';
  const ground = await openPullGround({
    finds: (prompt) =>
      isClean
        ? []
        : addedLines(prompt)
            .flatMap(({ path, line }) =>
              isFaulty(line) && !isOverlooked(line, head) ? [findingFor(path, line)] : [],
            )
            .slice(0, 12),
  });
  const work = mkdtempSync(join(tmpdir(), 'galley-history-'));
  try {
    execFileSync('git', ['clone', '-q', '--shared', '--bare', mirror, join(work, 'repo')]);
    const folder = join(work, 'repo');
    const { forge } = ground;
    await forge.push({ branch: 'main', commit: base, folder });
    await forge.push({ branch: 'topic', commit: commits[0]!, folder });
    const number = await forge.openPull({ head: 'topic' });
    tally.histories += 1;
    for (const [at, original] of commits.entries()) {
      const isForced = at > 0 && (mine + at) % 3 === 0;
      const commit = isForced ? squashed(folder, base, original) : original;
      if (at > 0) await forge.push({ branch: 'topic', commit, folder, force: true });
      head = commit;
      if (isForced) tally.forced += 1;
      await pushed(ground, number, mine * 100 + at);
    }
    if (isClean) {
      tally.clean += 1;
      const { comments, threads } = forge.pull(number);
      tally.noisy += comments.length + threads.length;
      for (const { body } of comments)
        process.stderr.write(
          `noise: ${body
            .replaceAll(/<!--.*?-->/g, '')
            .trim()
            .slice(0, 300)}\n`,
        );
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
    await ground.close();
  }
}

function squashed(folder: string, base: string, commit: string): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  return execFileSync(
    'git',
    ['-C', folder, ...who, 'commit-tree', `${commit}^{tree}`, '-p', base, '-m', 'squashed'],
    { encoding: 'utf8' },
  ).trim();
}

async function pushed(ground: PullGround, number: number, luck: number): Promise<void> {
  const { forge } = ground;
  const before = new Map(forge.pull(number).threads.map((thread) => [thread.id, thread]));
  const from = forge.requests.length;
  const result = await ground.review(number, { format: 'json' });
  tally.pushes += 1;
  const report = JSON.parse(result.report) as { findings: { id: string }[]; held: unknown[] };
  const made = report.findings.length;
  tally.findings += made;
  tally.refused += result.posted?.refused ?? 0;
  const calls = forge.requests.slice(from).filter(({ kind }) => kind === 'api').length;
  if (made <= 30) requests.push(calls);
  const { threads, comments } = forge.pull(number);
  const ids = threads.flatMap(({ comments: [first] }) => readFinding(first?.body ?? '')?.id ?? []);
  tally.twice += ids.length - new Set(ids).size;
  tally.twice += Math.max(0, comments.filter(({ body }) => body.startsWith('<!-- galley:review')).length - 1);
  const known = new Set(readStanding(stateOf(forge.pull(number)), 'default').earlier.map(({ id }) => id));
  tally.lost += result.review === undefined ? 0 : report.findings.filter(({ id }) => !known.has(id)).length;
  const said = new Set(result.review === undefined ? [] : report.findings.map(({ id }) => id));
  for (const { id, isResolved, isOutdated, comments: all } of threads) {
    if (!isResolved || before.get(id)?.isResolved !== false) continue;
    const isAllowed =
      isOutdated && all.length === 1 && made > 0 && !said.has(readFinding(all[0]!.body)?.id ?? '');
    if (!isAllowed) tally.wrongly += 1;
  }
  act(ground, number, luck);
}

/** People answer some of the threads that are new. */
function act({ forge }: PullGround, number: number, luck: number): void {
  const person = forge.as('ada');
  for (const [at, thread] of forge.pull(number).threads.entries()) {
    const dice = hash(`${luck} ${at}`) % 20;
    if (thread.isResolved || thread.comments.length > 1) continue;
    if (dice === 0) person.reply(thread.id, 'I will look at it.');
    if (dice === 1) person.reply(thread.id, 'This is intended.');
    if (dice === 2) person.resolve(thread.id);
    if (dice === 3) person.react(thread.comments[0]!.id, '-1');
  }
}

function stateOf(view: ReturnType<PullGround['forge']['pull']>): PullState {
  const ours = (author: string) => author.includes('[bot]') || author.includes('github-actions');
  const comment = ({ id, author, body, against }: (typeof view.comments)[number]) => ({
    id: String(id),
    author,
    body,
    against,
    isOurs: ours(author),
  });
  return {
    pull: {} as never,
    comments: view.comments.map(comment),
    threads: view.threads.map(
      ({ id, path, isResolved, isOutdated, comments }): ForgeThread => ({
        ...{ id, path, isResolved, isOutdated, isResolvedByPeople: false },
        comments: comments.map(comment),
      }),
    ),
  };
}

function isFaulty(line: string): boolean {
  return line.trim().length > 12 && hash(line.trim()) % 3 === 0;
}

function isOverlooked(line: string, head: string): boolean {
  return hash(`${head} ${line}`) % 5 < 2;
}

function findingFor(path: string, line: string): object {
  const word = hash(line.trim()).toString(36);
  return {
    ...{
      path,
      side: 'new',
      startLine: 1,
      endLine: 1,
      category: 'correctness',
      confidence: 0.9,
      severity: 'medium',
    },
    title: `Fault ${word}`,
    message: `The ${word} of this line breaks ${word}s.`,
    evidence: line,
  };
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
