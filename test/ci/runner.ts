// A machine that runs workflows as the host does, as far as ours need it: jobs under the token their permissions give, steps as real
// shells with the host's files for outputs and summaries, composite actions, caches by ref, and lines of the log that are commands.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type CacheStore, clear } from './cache-store.js';
import type { Action, Job, Step, Workflow } from './ci-documents.js';
import { type Contexts, fill, holds } from './expressions.js';

export interface RunnerWorld {
  /** For everything that runs writes. */
  readonly root: string;
  readonly caches: CacheStore;
  readonly secrets: Readonly<Record<string, string>>;
  /** As the host sets it, without a token. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the machine itself sets. */
  readonly machine: Readonly<Record<string, string>>;
  /** The actions there are, by what stands before the `@`. */
  readonly actions: Readonly<Record<string, string>>;
  tokenFor(permissions: Readonly<Record<string, string>>): string;
  checkOut(folder: string, ref: string, token: string): Promise<void>;
}

export interface Trigger {
  readonly name: 'pull_request' | 'workflow_run' | 'issue_comment';
  readonly payload: Readonly<Record<string, unknown>>;
  /** The ref the run belongs to. */
  readonly ref: string;
  /** The run is that of a fork: no secrets, and a token that only reads. */
  readonly isFork: boolean;
}

export interface RanStep {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;
  readonly exit: number;
}

export interface RanWorkflow {
  readonly conclusion: 'success' | 'failure' | 'skipped';
  readonly summary: string;
  readonly steps: readonly RanStep[];
  /** Lines of the log that the host took for commands. */
  readonly commands: readonly string[];
  /** Everything the job wrote or checked out. */
  readonly folder: string;
}

let runs = 1000;

export async function runWorkflow(text: string, trigger: Trigger, world: RunnerWorld): Promise<RanWorkflow> {
  const { jobs, permissions } = parse(text) as Workflow;
  const [job, ...others] = Object.values(jobs);
  if (job === undefined || others.length > 0) throw new TypeError('one job at a time');
  runs += 1;
  return startJob({ ...job, permissions: job.permissions ?? permissions ?? {} }, trigger, world);
}

interface Machine {
  readonly trigger: Trigger;
  readonly world: RunnerWorld;
  readonly temp: string;
  readonly workspace: string;
  readonly token: string;
  readonly environment: Record<string, string>;
  readonly ran: RanStep[];
  readonly commands: string[];
  readonly files: { readonly summary: string };
}

async function startJob(
  job: Job & Required<Pick<Job, 'permissions'>>,
  trigger: Trigger,
  world: RunnerWorld,
): Promise<RanWorkflow> {
  const folder = mkdtempSync(join(world.root, 'job-'));
  // One place for all jobs, as on the host: caches are kept by it.
  const temp = join(world.root, 'runner-temp');
  mkdirSync(temp, { recursive: true });
  clear(join(temp, 'galley'));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  mkdirSync(join(folder, 'home'));
  const event = join(folder, 'event.json');
  writeFileSync(event, JSON.stringify(trigger.payload));
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  const reads = Object.fromEntries(Object.keys(job.permissions).map((name) => [name, 'read']));
  const token = world.tokenFor(trigger.isFork ? reads : job.permissions);
  const machine: Machine = {
    ...{ trigger, world, temp, workspace, token, ran: [], commands: [], files: { summary } },
    environment: {
      PATH: process.env.PATH ?? '',
      HOME: join(folder, 'home'),
      CI: 'true',
      RUNNER_TEMP: temp,
      RUNNER_OS: 'Linux',
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_PATH: event,
      GITHUB_EVENT_NAME: trigger.name,
      GITHUB_REF: trigger.ref,
      GITHUB_RUN_ID: String(runs),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_STEP_SUMMARY: summary,
      ...world.environment,
      ...world.machine,
    },
  };
  const contexts = {
    github: githubOf(machine),
    secrets: trigger.isFork ? {} : world.secrets,
    runner: { temp },
  };
  const isWanted = holds(job.if, contexts, { failed: false });
  const succeeded = isWanted && (await runSteps(job.steps, contexts, machine));
  return {
    conclusion: !isWanted ? 'skipped' : succeeded ? 'success' : 'failure',
    summary: readFileSync(summary, 'utf8'),
    steps: machine.ran,
    commands: machine.commands,
    folder,
  };
}

function githubOf({ trigger, token, environment }: Machine): Record<string, unknown> {
  return {
    event: trigger.payload,
    event_name: trigger.name,
    ref: trigger.ref,
    token,
    repository: environment.GITHUB_REPOSITORY,
    server_url: environment.GITHUB_SERVER_URL,
  };
}

async function runSteps(steps: readonly Step[], contexts: Contexts, machine: Machine): Promise<boolean> {
  const done: Record<string, { outputs: Record<string, string> }> = {};
  let failed = false;
  for (const [at, step] of steps.entries()) {
    const known = { ...contexts, steps: done };
    if (!holds(step.if, known, { failed })) continue;
    const name = step.id ?? step.uses ?? `step ${at + 1}`;
    const { exit, outputs } = await runStep(step, name, known, machine);
    if (step.id !== undefined) done[step.id] = { outputs };
    failed ||= exit !== 0;
  }
  return !failed;
}

interface StepEnd {
  readonly exit: number;
  readonly outputs: Record<string, string>;
}

async function runStep(step: Step, name: string, contexts: Contexts, machine: Machine): Promise<StepEnd> {
  const filled = (values: Readonly<Record<string, unknown>> = {}) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value, contexts)]));
  if (step.run !== undefined) return runShell(step.run, name, filled(step.env), machine);
  const [action = '', revision = ''] = (step.uses ?? '').split('@');
  if (!/^[0-9a-f]{40}$/.test(revision)) throw new TypeError(`${step.uses} is not pinned`);
  return runAction(action, filled(step.with), contexts, machine);
}

async function runAction(
  name: string,
  inputs: Record<string, string>,
  contexts: Contexts,
  machine: Machine,
): Promise<StepEnd> {
  const { trigger, world, workspace, token } = machine;
  const done = (outputs: Record<string, string> = {}): StepEnd => ({ exit: 0, outputs });
  switch (name) {
    case 'actions/setup-node':
      return done();
    case 'actions/checkout':
      await world.checkOut(workspace, inputs.ref ?? trigger.ref, token);
      return done();
    case 'actions/cache/restore': {
      const { key = '', path = '' } = inputs;
      const prefixes = (inputs['restore-keys'] ?? '').split('\n').filter((prefix) => prefix !== '');
      const found = world.caches.restore(trigger.ref, { key, path, prefixes });
      return done({ 'cache-hit': found === undefined ? '' : String(found === key) });
    }
    case 'actions/cache/save':
      world.caches.save(trigger.ref, { key: inputs.key ?? '', path: inputs.path ?? '' });
      return done();
    default:
      return runComposite(name, inputs, contexts, machine);
  }
}

async function runComposite(
  name: string,
  given: Record<string, string>,
  contexts: Contexts,
  machine: Machine,
): Promise<StepEnd> {
  const folder = machine.world.actions[name];
  if (folder === undefined) throw new TypeError(`there is no action ${name}`);
  const { inputs, runs: body } = parse(readFileSync(join(folder, 'action.yml'), 'utf8')) as Action;
  const github = { ...(contexts.github as object), action_path: folder };
  const unknown = Object.keys(given).filter((input) => !(input in inputs));
  if (unknown.length > 0) throw new TypeError(`${name} takes no ${unknown.join(', ')}`);
  const presets = Object.entries(inputs).map(([input, row]) => [input, fill(row.default ?? '', { github })]);
  // A composite action sees neither the secrets nor the steps of whoever calls it.
  const own = { github, runner: contexts.runner, inputs: { ...Object.fromEntries(presets), ...given } };
  return { exit: (await runSteps(body.steps, own, machine)) ? 0 : 1, outputs: {} };
}

async function runShell(
  command: string,
  name: string,
  own: Record<string, string>,
  machine: Machine,
): Promise<StepEnd> {
  const folder = mkdtempSync(join(machine.temp, '_runner-'));
  const script = join(folder, 'script.sh');
  const output = join(folder, 'output');
  const variables = join(folder, 'env');
  writeFileSync(script, command);
  for (const file of [output, variables]) writeFileSync(file, '');
  const environment = { ...machine.environment, GITHUB_OUTPUT: output, GITHUB_ENV: variables, ...own };
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd: machine.workspace,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      log += part;
    });
  const exit = await new Promise<number>((ended, broken) => {
    child.once('error', broken).once('close', (code) => ended(code ?? 1));
  });
  machine.ran.push({ name, environment, log, exit });
  machine.commands.push(...commandsIn(log));
  Object.assign(machine.environment, pairsIn(readFileSync(variables, 'utf8')));
  return { exit, outputs: pairsIn(readFileSync(output, 'utf8')) };
}

function pairsIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Both forms that the host reads, but for what stands between a stop and its word. */
function commandsIn(log: string): string[] {
  const found: string[] = [];
  let until: string | undefined;
  for (const line of log.split('\n')) {
    const text = line.trim();
    if (until !== undefined) {
      if (text === `::${until}::`) until = undefined;
    } else if (text.startsWith('::stop-commands::')) until = text.slice('::stop-commands::'.length);
    else if (/^::[\w-]+.*::/.test(text) || text.includes('##[')) found.push(text);
  }
  return found;
}
