// Needs its peers beside it: npm install pg pg-boss@10.4.2 graphile-worker@0.17.3 @dbos-inc/dbos-sdk@5.3.0, in a folder of its own.
// Five thousand empty jobs, and a worker that is killed in the middle: how fast, how soon its jobs come back, what runs twice.
// node measure.mjs <pg-boss|graphile|dbos> <url>
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , engine, url, role, name] = process.argv;
const jobs = 5000;
const leaseSeconds = 10;
const say = (message) => process.send?.(message);

async function job(number, ms) {
  say({ began: number });
  if (ms > 0) await sleep(ms);
  say({ ended: number });
}

const engines = {
  'pg-boss': {
    async boss() {
      const { default: PgBoss } = await import('pg-boss');
      const boss = new PgBoss({ connectionString: url, maintenanceIntervalSeconds: 1, max: 10 });
      boss.on('error', (error) => console.error(error.message));
      await boss.start();
      return boss;
    },
    async offer(from, count, ms) {
      const boss = await this.boss();
      await boss.createQueue('work');
      const rows = Array.from({ length: count }, (_, nth) => ({
        name: 'work',
        data: { number: from + nth, ms },
        retryLimit: 5,
        expireInSeconds: leaseSeconds,
      }));
      const begun = performance.now();
      for (let at = 0; at < count; at += 1000) await boss.insert(rows.slice(at, at + 1000));
      const took = performance.now() - begun;
      await boss.stop({ graceful: false });
      return took;
    },
    async serve() {
      const boss = await this.boss();
      for (;;) {
        const batch = await boss.fetch('work', { batchSize: 50 });
        if (batch.length === 0) {
          await sleep(200);
          continue;
        }
        const queue = [...batch];
        const one = async () => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            await job(next.data.number, next.data.ms);
            await boss.complete('work', next.id);
          }
        };
        await Promise.all(Array.from({ length: 10 }, one));
      }
    },
  },
  graphile: {
    async offer(from, count, ms) {
      const { makeWorkerUtils } = await import('graphile-worker');
      const utils = await makeWorkerUtils({ connectionString: url });
      await utils.migrate();
      const begun = performance.now();
      await utils.addJobs(
        Array.from({ length: count }, (_, nth) => ({
          identifier: 'work',
          payload: { number: from + nth, ms },
        })),
      );
      const took = performance.now() - begun;
      await utils.release();
      return took;
    },
    async serve() {
      const { run, Logger } = await import('graphile-worker');
      await run({
        connectionString: url,
        concurrency: 10,
        pollInterval: 500,
        noHandleSignals: true,
        maxPoolSize: 10,
        logger: new Logger(() => () => {}),
        taskList: { work: ({ number, ms }) => job(number, ms) },
      });
    },
  },
  dbos: {
    async offer(from, count, ms) {
      const { DBOSClient } = await import('@dbos-inc/dbos-sdk');
      const client = await DBOSClient.create({ systemDatabaseUrl: url });
      const begun = performance.now();
      const numbers = Array.from({ length: count }, (_, nth) => from + nth);
      const one = async () => {
        for (let next = numbers.shift(); next !== undefined; next = numbers.shift())
          await client.enqueue(
            { workflowName: 'work', queueName: 'work', workflowID: `w${next}`, appVersion: 'v1' },
            next,
            ms,
          );
      };
      await Promise.all(Array.from({ length: 10 }, one));
      const took = performance.now() - begun;
      await client.destroy();
      return took;
    },
    async serve() {
      const { DBOS } = await import('@dbos-inc/dbos-sdk');
      DBOS.setConfig({
        name: 'bench',
        systemDatabaseUrl: url,
        executorID: name,
        applicationVersion: 'v1',
        logLevel: 'error',
        useListenNotify: false,
        runAdminServer: false,
      });
      DBOS.registerWorkflow(async (number, ms) => job(number, ms), { name: 'work' });

      await DBOS.launch();
      await DBOS.registerQueue('work', {
        workerConcurrency: 10,
        minPollingIntervalMs: 100,
        onConflict: 'always_update',
      });
    },
  },
};

if (role === 'worker') {
  await engines[engine].serve();
} else {
  const state = { began: new Map(), ended: new Map(), by: new Map(), firstAt: 0 };
  const waiting = [];
  const check = () => {
    for (const { until, done } of [...waiting])
      if (until()) {
        waiting.splice(
          waiting.findIndex((w) => w.done === done),
          1,
        );
        done();
      }
  };
  const reach = (until, ms) =>
    Promise.race([
      new Promise((done) => {
        waiting.push({ until, done });
        check();
      }),
      sleep(ms),
    ]);
  const start = (worker) => {
    const child = fork(process.argv[1], [engine, url, 'worker', worker], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const own = { child, open: new Set() };
    child.on('message', ({ began, ended }) => {
      if (began !== undefined) {
        state.firstAt ||= performance.now();
        own.open.add(began);
        state.began.set(began, [...(state.began.get(began) ?? []), performance.now()]);
      } else {
        own.open.delete(ended);
        state.ended.set(ended, (state.ended.get(ended) ?? 0) + 1);
      }
      check();
    });
    return own;
  };
  // Tables first, for engines whose workers make them.
  if (engine === 'dbos') {
    const w = start('setup');
    await sleep(6000);
    w.child.kill('SIGKILL');
  }
  const offered = await engines[engine].offer(0, jobs, 0);
  const alone = start('a');
  await reach(() => state.ended.size >= jobs, 240_000);
  const took = performance.now() - state.firstAt;
  console.log(
    JSON.stringify({
      engine,
      offeredPerSecond: Math.round(jobs / (offered / 1000)),
      done: state.ended.size,
      jobsPerSecond: Math.round(state.ended.size / (took / 1000)),
    }),
  );
  alone.child.kill('SIGKILL');
  await sleep(500);
  state.began.clear();
  state.ended.clear();
  await engines[engine].offer(10_000, jobs, 20);
  const workers = [start('b'), start('c')];
  await reach(() => state.ended.size >= jobs / 2 || state.ended.size > 1000, 120_000);
  const [victim] = workers;
  await reach(() => victim.open.size > 0, 10_000);
  victim.child.kill('SIGKILL');
  const killedAt = performance.now();
  await sleep(300);
  const open = [...victim.open];
  let restarted = 'no';
  await reach(() => state.ended.size >= jobs, 60_000);
  const back = open
    .map((number) => (state.began.get(number) ?? []).find((at) => at > killedAt))
    .filter(Boolean)
    .map((at) => at - killedAt);
  const lostAlone = jobs - state.ended.size;
  if (lostAlone > 0) {
    restarted = 'yes';
    workers.push(start('b'));
    await reach(() => state.ended.size >= jobs, 20_000);
  }
  console.log(
    JSON.stringify({
      engine,
      openAtKill: open.length,
      lostAfter60s: lostAlone,
      backAfterMs: back.length ? [Math.round(Math.min(...back)), Math.round(Math.max(...back))] : null,
      restartedUnderSameName: restarted,
      lostAtEnd: jobs - state.ended.size,
      ranTwice: [...state.began.values()].filter((all) => all.length > 1).length,
      endedTwice: [...state.ended.values()].filter((n) => n > 1).length,
    }),
  );
  for (const { child } of workers) child.kill('SIGKILL');
  process.exit(0);
}
