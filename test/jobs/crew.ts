// Servers and workers as real processes of the built program on one store, each with a provider of its own; whoever is killed is
// started again, as a supervisor does.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationPath } from '../../src/surfaces/http/pages/open-api.js';

export interface CrewPlan {
  readonly store: string;
  readonly servers: number;
  readonly workers: number;
  /** Jobs that each server runs itself. */
  readonly serverJobs: number;
  say?(line: string): void;
}

export interface Crew {
  start(): Promise<void>;
  /** Of any server that answers; asked again until one does. */
  ask(id: string, request: object): Promise<unknown>;
  /** Numbers of those that can be killed: one that is just being started does nothing that could be lost. */
  up(): readonly number[];
  /** Resolves when it is gone; it is started again meanwhile. */
  kill(number: number): Promise<void>;
  end(): Promise<void>;
}

interface Member {
  readonly words: readonly string[];
  child?: ChildProcess;
  address?: string;
  isUp: boolean;
}

const leaseSeconds = 3;

export function crewOf(plan: CrewPlan, place: { folder: string; models: readonly string[] }): Crew {
  const bin = resolve('bin/galley.js');
  const env = { ...process.env, GALLEY_STORE: plan.store, GALLEY_API_KEY: 'key' };
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
    // A store that is away may keep one from starting.
    if (child.exitCode !== null && !isOver) {
      plan.say?.(said.slice(-300));
      await sleep(300);
      await launch(member);
    }
  };
  const launching = new Set<Promise<void>>();
  return {
    async ask(id, request) {
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
    },
    start: async () => {
      // The first one makes the tables.
      for (const member of all) await launch(member);
    },
    up: () => [...all.keys()].filter((number) => all[number]?.isUp),
    async kill(number) {
      const member = all[number] as Member;
      // Struck twice at once it would be started twice, and one of the two never ended.
      if (!member.isUp) return;
      member.isUp = false;
      const gone = once(member.child as ChildProcess, 'exit');
      member.child?.kill('SIGKILL');
      await gone;
      // The next one is killed while this one is still being started, as it happens.
      const start = launch(member);
      launching.add(start);
      void start.finally(() => launching.delete(start));
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
