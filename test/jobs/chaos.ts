// Reviews and books as jobs, and kills: some strike a process that was paid for a part of a job and waits for the rest, the others
// come at seeded moments. The model is a loopback that notes who asked for each prompt, and when it was answered.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashText } from '../../src/meters/content-hash.js';
import type { AnswerOf } from '../../src/operations/table.js';
import { openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { type Crew, type CrewPlan, crewOf } from './crew.js';
import {
  type Asked,
  type Disruption,
  paidTwice,
  type Stored,
  slowestStoring,
  strikes,
} from './paid-twice.js';
import { numbered, type StoredAnswers, storedAnswers } from './stored-answers.js';

export interface ChaosPlan extends CrewPlan {
  readonly reviews: number;
  readonly books: number;
  /** So many reviews lose their process after its first answer was stored and before the next one comes. */
  readonly aimedKills: number;
  /** At seeded moments, when those have struck. */
  readonly kills: number;
  readonly betweenKillsMs: number;
  readonly answerMs: number;
  readonly seed: number;
  /** Instead of a kill, now and then. */
  restartStore?(): Promise<void>;
}

type Shown = AnswerOf<'jobs:list'>['jobs'][number];

export interface ChaosOutcome {
  readonly started: number;
  readonly jobs: readonly Shown[];
  /** Prompts that were asked again although no kill kept the answer from being stored: who asked, and when. */
  readonly paidTwice: readonly string[];
  readonly slowestStoringMs: number;
  readonly calls: number;
  readonly prompts: number;
  readonly kills: number;
  /** Of them, those that struck a process which was paid for a part of a job. */
  readonly aimed: number;
  /** Pairs of jobs of one book of which the later began before the earlier ended. */
  readonly outOfOrder: number;
  readonly tookMs: number;
}

/** How long a kill waits for an answer to be stored before it is aimed elsewhere. */
const aimMs = 30_000;

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Its name stands in every prompt of the review of this commit. */
const lotOf = (commit: number) => `lot-${commit}`;

function makeRepository(folder: string, commits: number): readonly string[] {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  mkdirSync(join(folder, 'src'));
  const write = (commit: number) => {
    for (const name of ['a', 'b', 'c']) {
      const lines = Array.from(
        { length: 40 },
        (_, at) => `export const ${name}${at} = ${commit * 100 + at};`,
      );
      writeFileSync(join(folder, 'src', `${name}.ts`), `${lines.join('\n')}\n`);
    }
  };
  return Array.from({ length: commits + 1 }, (_, commit) => {
    write(commit);
    git('add', '-A');
    git('commit', '-qm', lotOf(commit));
    return git('rev-parse', 'HEAD');
  }).slice(1);
}

/** A review whose first answer comes, and whose further ones do not before the process that asks for them is killed. */
interface Target {
  first?: Asked;
  isStruck: boolean;
}

export async function runChaos(plan: ChaosPlan): Promise<ChaosOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'galley-chaos-'));
  const asked = new Map<string, Asked[]>();
  const disruptions: Disruption[] = [];
  let calls = 0;
  let log: StoredAnswers | undefined;
  const targets = new Map<string, Target>(
    Array.from({ length: plan.aimedKills }, (_, nth) => [lotOf(nth + 1), { isStruck: false }]),
  );
  /** Each process has a provider of its own, so that it is known who asked. */
  const providerOf = (by: number) =>
    openLoopback({
      cache: false,
      script: async ({ bytes }) => {
        const words = bytes.toString('utf8');
        const one = { nth: calls++, by, from: Date.now(), to: Number.POSITIVE_INFINITY };
        asked.set(hashText(words), [...(asked.get(hashText(words)) ?? []), one]);
        await untilDue(one, targets.get(/lot-\d+/.exec(words)?.[0] ?? ''));
        one.to = Date.now();
        return { json: { summary: numbered(one.nth), findings: [] } };
      },
    });
  const providers = await Promise.all(
    Array.from({ length: plan.servers + plan.workers }, (_, by) => providerOf(by)),
  );
  const commits = makeRepository(folder, plan.reviews);
  const crew = crewOf(plan, { folder, models: providers.map(({ url }) => `${url}/v1`) });
  const kill = async (killed: number | undefined): Promise<void> => {
    if (killed === undefined) return;
    const at = Date.now();
    disruptions.push({ from: at, to: at, killed });
    await crew.kill(killed);
  };
  const stored = async (): Promise<Stored> => (await log?.all()) ?? new Map();
  const wasStruck = (one: Asked) => disruptions.some((each) => strikes(each, one, Number.POSITIVE_INFINITY));
  /** Resolves when the answer is due; what is held back is killed before. */
  const untilDue = async (one: Asked, target: Target | undefined): Promise<void> => {
    if (target === undefined || target.isStruck) return void (await sleep(plan.answerMs));
    if (target.first === undefined || (wasStruck(target.first) && !(await stored()).has(target.first.nth))) {
      target.first = one;
      return void (await sleep(plan.answerMs));
    }
    const { first } = target;
    while (!(await stored()).has(first.nth) && Date.now() < first.from + aimMs) await sleep(50);
    const isThere = crew.up().includes(one.by) && !wasStruck(one);
    if (target.isStruck || !isThere || !(await stored()).has(first.nth)) return;
    target.isStruck = true;
    await kill(one.by);
  };
  const begun = Date.now();
  try {
    await crew.start();
    log = await storedAnswers(plan.store);
    const started = await startJobs(plan, crew, commits);
    for (const [nth, target] of [...targets.values()].entries())
      while (!target.isStruck && !(await hasEnded(crew, `review-${nth}`))) await sleep(100);
    const random = randomFrom(plan.seed);
    for (let nth = 0; nth < plan.kills; nth += 1) {
      await sleep(plan.betweenKillsMs * (0.5 + random()));
      if (plan.restartStore !== undefined && nth % 5 === 3) {
        const from = Date.now();
        await plan.restartStore();
        disruptions.push({ from, to: Date.now() });
      } else {
        const up = crew.up();
        await kill(up[Math.floor(random() * up.length)]);
      }
    }
    plan.say?.(`the last kill after ${Math.round((Date.now() - begun) / 1000)} s`);
    const jobs = await untilEnded(crew, started, (line) => plan.say?.(line));
    const kept = await stored();
    return {
      started: started.jobs,
      jobs,
      paidTwice: paidTwice(asked, disruptions, kept, begun),
      slowestStoringMs: slowestStoring(asked, disruptions, kept),
      calls,
      prompts: asked.size,
      kills: disruptions.length,
      aimed: [...targets.values()].filter(({ isStruck }) => isStruck).length,
      outOfOrder: countDisorder(jobs),
      tookMs: Date.now() - begun,
    };
  } finally {
    await crew.end();
    await log?.close();
    await Promise.all(providers.map((provider) => provider.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function countDisorder(jobs: readonly Shown[]): number {
  const lanes = groups(jobs);
  let disorder = 0;
  for (const [name, lane] of lanes) {
    if (name.endsWith('undefined')) continue;
    const sorted = [...lane].sort((one, other) => one.createdAt - other.createdAt);
    for (const [at, { startedAt = 0 }] of sorted.entries()) {
      if (at > 0 && startedAt < (sorted[at - 1]?.endedAt ?? 0)) disorder += 1;
    }
  }
  return disorder;
}

function groups(jobs: readonly Shown[]): Map<string, Shown[]> {
  const found = new Map<string, Shown[]>();
  for (const job of jobs) {
    const name = `${job.projectId} ${job.lane}`;
    found.set(name, [...(found.get(name) ?? []), job]);
  }
  return found;
}

interface Started {
  readonly jobs: number;
  readonly projects: readonly string[];
}

async function startJobs(plan: ChaosPlan, { ask }: Crew, commits: readonly string[]): Promise<Started> {
  const model = 'custom/m';
  for (const [nth, commit] of commits.entries()) {
    const request = { repo: '.', mode: 'commit', commit, model, fresh: true, maxChunkTokens: 600 };
    await ask('jobs:start', {
      ...{ projectId: 'reviews', operation: 'review:run', request, key: `review-${nth}` },
      ...{ priority: nth < plan.aimedKills ? 9 : nth % 3, maxAttempts: 50 },
    });
  }
  const books = Array.from({ length: plan.books }, (_, nth) => `book-${nth}`);
  for (const projectId of books) {
    for (const chapter of [1, 2, 3]) {
      const text = `# Chapter ${chapter}\n\nIn ${projectId} it rained. Ada opened door ${chapter}.\n`;
      await ask('documents:put', { projectId, documentId: `c${chapter}`, order: chapter, text });
    }
    await ask('entities:put', { projectId, name: 'Ada', description: `lives in ${projectId}` });
    for (const pass of ['first', 'second']) {
      const request = pass === 'first' ? { model } : { model, documentIds: ['c1', 'c2'] };
      const job = { projectId, operation: 'book:check', request, key: pass, maxAttempts: 50 };
      await ask('jobs:start', job);
    }
  }
  return { jobs: commits.length + books.length * 2, projects: ['reviews', ...books] };
}

const jobsOf = async ({ ask }: Crew, projectId: string): Promise<readonly Shown[]> =>
  ((await ask('jobs:list', { projectId, limit: 1000 })) as { jobs: Shown[] }).jobs;

const hasEnded = async (crew: Crew, key: string): Promise<boolean> =>
  (await jobsOf(crew, 'reviews')).some((job) => job.key === key && job.endedAt !== undefined);

async function untilEnded(
  crew: Crew,
  { projects, jobs }: Started,
  say: (line: string) => void,
): Promise<readonly Shown[]> {
  for (;;) {
    const found: Shown[] = [];
    for (const projectId of projects) found.push(...(await jobsOf(crew, projectId)));
    const ended = found.filter(({ endedAt }) => endedAt !== undefined).length;
    say(`${ended} of ${jobs} ended`);
    if (ended >= jobs) return found;
    await sleep(1000);
  }
}
