// Servers and workers as real processes of the built program on one store, reviews and books as jobs, and kills at seeded moments.
// The model is a loopback that notes when each prompt was asked for and when it was answered.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashText } from '../../src/meters/content-hash.js';
import type { AnswerOf } from '../../src/operations/table.js';
import { operationPath } from '../../src/surfaces/http/pages/open-api.js';
import { openLoopback } from '../../src/testing/loopback/open-loopback.js';

export interface ChaosPlan {
  readonly store: string;
  readonly servers: number;
  readonly workers: number;
  /** Jobs that each server runs itself. */
  readonly serverJobs: number;
  readonly reviews: number;
  readonly books: number;
  readonly kills: number;
  readonly betweenKillsMs: number;
  readonly answerMs: number;
  readonly seed: number;
  /** Instead of a kill, now and then. */
  restartStore?(): Promise<void>;
  say?(line: string): void;
}

type Shown = AnswerOf<'jobs:list'>['jobs'][number];

export interface ChaosOutcome {
  readonly started: number;
  readonly jobs: readonly Shown[];
  /** Prompts that were asked more than once although an earlier answer had arrived before any kill. */
  readonly paidTwice: number;
  readonly calls: number;
  readonly prompts: number;
  readonly kills: number;
  /** Pairs of jobs of one book of which the later began before the earlier ended. */
  readonly outOfOrder: number;
  readonly tookMs: number;
}

interface Asked {
  /** The number of the process that asked. */
  readonly by: number;
  readonly from: number;
  to: number;
}

interface Disruption {
  readonly from: number;
  readonly to: number;
  /** The number of the process that was killed; undefined when it was the store, which strikes all of them. */
  readonly killed?: number;
}

/** An answer is stored within this time after it arrived. */
const storedMs = 1500;
/** How long a process that waits for the store may sleep before it looks again. */
const napMs = 2000;
const leaseSeconds = 3;

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

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
    git('commit', '-qm', `change ${commit}`);
    return git('rev-parse', 'HEAD');
  }).slice(1);
}

export async function runChaos(plan: ChaosPlan): Promise<ChaosOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'galley-chaos-'));
  const asked = new Map<string, Asked[]>();
  const disruptions: Disruption[] = [];
  /** Each process has a provider of its own, so that it is known who asked. */
  const providerOf = (by: number) =>
    openLoopback({
      cache: false,
      script: async ({ bytes }) => {
        const prompt = hashText(bytes.toString('utf8'));
        const one = { by, from: performance.now(), to: Number.POSITIVE_INFINITY };
        asked.set(prompt, [...(asked.get(prompt) ?? []), one]);
        await sleep(plan.answerMs);
        one.to = performance.now();
        return { json: { summary: 'Fine.', findings: [] } };
      },
    });
  const providers = await Promise.all(
    Array.from({ length: plan.servers + plan.workers }, (_, by) => providerOf(by)),
  );
  const commits = makeRepository(folder, plan.reviews);
  const crew = crewOf(plan, { folder, models: providers.map(({ url }) => `${url}/v1`) });
  const begun = performance.now();
  try {
    await crew.start();
    const kinds = await startJobs(plan, crew, commits);
    const random = randomFrom(plan.seed);
    for (let nth = 0; nth < plan.kills; nth += 1) {
      await sleep(plan.betweenKillsMs * (0.5 + random()));
      if (plan.restartStore !== undefined && nth % 5 === 4) {
        const from = performance.now();
        await plan.restartStore();
        disruptions.push({ from, to: performance.now() + napMs });
      } else {
        const disruption = await crew.kill(random());
        if (disruption !== undefined) disruptions.push(disruption);
      }
    }
    plan.say?.(`the last kill after ${Math.round((performance.now() - begun) / 1000)} s`);
    const jobs = await crew.untilEnded(kinds, (line) => plan.say?.(line));
    return {
      started: kinds.jobs,
      jobs,
      paidTwice: [...asked.values()].filter((times) => isWaste(times, disruptions)).length,
      calls: [...asked.values()].reduce((sum, times) => sum + times.length, 0),
      prompts: asked.size,
      kills: disruptions.length,
      outOfOrder: countDisorder(jobs),
      tookMs: performance.now() - begun,
    };
  } finally {
    await crew.end();
    await Promise.all(providers.map((provider) => provider.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every call but the last must have been under way, or just answered, when whoever made it was killed. */
function isWaste(times: readonly Asked[], disruptions: readonly Disruption[]): boolean {
  const sorted = [...times].sort((one, other) => one.from - other.from);
  return sorted
    .slice(0, -1)
    .some(
      ({ by, from, to }) =>
        !disruptions.some(
          (each) =>
            (each.killed === undefined || each.killed === by) &&
            each.to >= from - 50 &&
            each.from <= to + storedMs,
        ),
    );
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
      ...{ priority: nth % 3, maxAttempts: 50 },
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

interface Crew {
  start(): Promise<void>;
  /** Of any server that answers; asked again until one does. */
  ask(id: string, request: object): Promise<unknown>;
  /** Undefined when none is there to be killed. */
  kill(choice: number): Promise<Disruption | undefined>;
  untilEnded(started: Started, say: (line: string) => void): Promise<readonly Shown[]>;
  end(): Promise<void>;
}

function crewOf(plan: ChaosPlan, place: { folder: string; models: readonly string[] }): Crew {
  const bin = resolve('bin/galley.js');
  const env = {
    ...process.env,
    GALLEY_STORE: plan.store,
    GALLEY_API_KEY: 'key',
  };
  interface Member {
    readonly words: readonly string[];
    child?: ChildProcess;
    address?: string;
    isUp: boolean;
  }
  const servers: Member[] = Array.from({ length: plan.servers }, () => ({
    words: ['serve', '--port', '0', '--jobs', String(plan.serverJobs), '--patience', '30000'],
    isUp: false,
  }));
  const workers: Member[] = Array.from({ length: plan.workers }, () => ({
    words: ['worker', '--at-once', '3', '--lease', String(leaseSeconds)],
    isUp: false,
  }));
  const all = [...servers, ...workers];
  let isOver = false;
  const launch = async (member: Member): Promise<void> => {
    const child = spawn(process.execPath, [bin, ...member.words], {
      cwd: place.folder,
      env: { ...env, GALLEY_BASE_URL: place.models[all.indexOf(member)] },
    });
    member.child = child;
    delete member.address;
    child.stdout?.resume();
    let said = '';
    const ready = new Promise<void>((ok) => {
      child.stderr?.on('data', (bytes: Buffer) => {
        said += bytes.toString('utf8');
        const found = /listening on (\S+)/.exec(said)?.[1];
        if (found !== undefined) member.address = found;
        if (found !== undefined || /jobs at once/.test(said)) ok();
      });
      child.once('exit', () => ok());
    });
    await ready;
    member.isUp = child.exitCode === null;
    // A store that is away may keep one from starting; it is started again, as a supervisor does.
    if (child.exitCode !== null && !isOver) {
      plan.say?.(said.slice(-300));
      await sleep(300);
      await launch(member);
    }
  };
  const launching = new Set<Promise<void>>();
  const ask = async (id: string, request: object): Promise<unknown> => {
    for (let tries = 0; ; tries += 1) {
      const { address } = servers[tries % servers.length] as Member;
      if (address === undefined) {
        if (tries % servers.length === servers.length - 1) await sleep(100);
        continue;
      }
      try {
        const response = await fetch(`${address}${operationPath(id)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
          signal: AbortSignal.timeout(20_000),
        });
        const answer: unknown = await response.json();
        if (response.ok) return answer;
        if (response.status < 429) throw new Error(`${id}: ${JSON.stringify(answer)}`);
      } catch (error) {
        if (tries > 200 || String(error).startsWith('Error: ')) throw error;
      }
      await sleep(100);
    }
  };
  return {
    ask,
    start: async () => {
      // The first one makes the tables.
      for (const member of all) await launch(member);
    },
    async kill(choice) {
      // One that is just being started is left alone: a start that is killed does nothing that could be lost.
      const up = all.filter(({ isUp }) => isUp);
      const member = up[Math.floor(choice * up.length)];
      if (member === undefined) return undefined;
      const killed = all.indexOf(member);
      member.isUp = false;
      const at = performance.now();
      const disruption = { from: at, to: at, killed };
      const gone = once(member.child as ChildProcess, 'exit');
      member.child?.kill('SIGKILL');
      await gone;
      // The next one is killed while this one is still being started, as it happens.
      const start = launch(member);
      launching.add(start);
      void start.finally(() => launching.delete(start));
      return disruption;
    },
    async untilEnded({ projects, jobs }, say) {
      for (;;) {
        const found: Shown[] = [];
        for (const projectId of projects) {
          const answer = (await ask('jobs:list', { projectId, limit: 1000 })) as { jobs: Shown[] };
          found.push(...answer.jobs);
        }
        const ended = found.filter(({ endedAt }) => endedAt !== undefined).length;
        say(`${ended} of ${jobs} ended`);
        if (ended >= jobs) return found;
        await sleep(1000);
      }
    },
    async end() {
      isOver = true;
      await Promise.all(launching);
      await Promise.all(
        all.map(async ({ child }) => {
          if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
          const gone = once(child, 'exit');
          child.kill('SIGTERM');
          await Promise.race([gone, sleep(8000, undefined, { ref: false })]);
          child.kill('SIGKILL');
        }),
      );
    },
  };
}
