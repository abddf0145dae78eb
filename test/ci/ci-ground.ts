// A repository on a host of this machine with the workflows that galley init proposes, a model of this machine, and runs of them for
// pull requests: what the host would start, in its order.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { scratchFolder, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import {
  type Account,
  type LoopbackForge,
  openForge,
  type Right,
} from '../../src/testing/forge/open-forge.js';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { packedProject, runPacked } from '../packed/packed-program.js';
import { type CacheStore, cacheStore, defaultRef } from './cache-store.js';
import { from } from './ci-documents.js';
import { commentEvent, pullRequestEvent, workflowRunEvent } from './github-events.js';
import { type RanWorkflow, type RunnerWorld, runWorkflow } from './runner.js';

export const modelKey = 'sk-ant-key-of-the-owner-5d1c';

/** What the host lets a token of a job do, by the least that the permissions of ours ask for. */
const rightsOf = (permissions: Readonly<Record<string, string>>): Right[] => [
  ...(permissions['pull-requests'] !== undefined && permissions.contents !== undefined
    ? (['read'] as const)
    : []),
  ...(permissions['pull-requests'] === 'write' ? (['comment'] as const) : []),
  ...(permissions.contents === 'write' ? (['resolve'] as const) : []),
  ...(permissions.checks === 'write' ? (['check'] as const) : []),
];
const tokenOf = (rights: readonly Right[]) => `ghs_${rights.join('_')}_token`;
const account = (rights: readonly Right[]): Account => ({
  login: 'github-actions[bot]',
  isApp: true,
  rights,
});
const tokens: readonly (readonly Right[])[] = [['read'], ['read', 'comment', 'check']];

/** Calls that ask about a page for the first time; findings are looked at again in the same conversation. */
export function pageCalls({ calls }: Loopback): Loopback['calls'] {
  return calls.filter(({ body }) => (body as { messages: readonly unknown[] }).messages.length === 1);
}

export interface CiGround {
  readonly forge: LoopbackForge;
  readonly model: Loopback;
  readonly caches: CacheStore;
  readonly world: RunnerWorld;
  /** Everything the host starts for a pull request as it is now; of two workflows the one without secrets first. */
  runs(number: number): Promise<readonly RanWorkflow[]>;
  /** Somebody comments, and what the host starts for it. */
  comments(number: number, comment: Comment): Promise<RanWorkflow>;
}

interface Comment {
  readonly body: string;
  readonly author: string;
  readonly association: string;
}

export interface GroundOptions {
  /** Of the base, beside what init writes. */
  readonly files?: Readonly<Record<string, string>>;
  readonly init?: readonly string[];
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the owner changes in the proposed workflow before it is committed. */
  readonly edit?: (workflow: string) => string;
}

export async function ciGround(options: GroundOptions = {}): Promise<CiGround> {
  const root = scratchFolder();
  const accounts = Object.fromEntries(tokens.map((rights) => [tokenOf(rights), account(rights)]));
  const [forge, model] = await Promise.all([
    openForge({
      kind: 'github',
      repository: 'acme/widgets',
      accounts,
      roles: { grace: 'write', mallory: 'read' },
    }),
    openLoopback({ script: { json: { findings: [] } } }),
  ]);
  onTestFinished(async () => {
    await Promise.all([forge.close(), model.close()]);
    rmSync(root, { recursive: true, force: true });
  });
  await proposeWorkflows(forge, options);

  const action = join(root, 'galley', 'action');
  mkdirSync(join(root, 'galley'));
  cpSync('action', action, { recursive: true });
  cpSync('package.json', join(root, 'galley', 'package.json'));
  const program = join(packedProject(), 'node_modules', 'galley');
  const caches = cacheStore(root, (key) => (key.startsWith('galley-program-') ? program : undefined));
  const { GITHUB_TOKEN: _, GH_HOST: __, GH_ENTERPRISE_TOKEN: ___, ...environment } = forge.env;
  const world: RunnerWorld = {
    ...{ root, caches, environment },
    secrets: options.secrets ?? { ANTHROPIC_API_KEY: modelKey },
    machine: { ANTHROPIC_BASE_URL: model.url, LC_ALL: 'C' },
    actions: { 'acme/galley/action': action },
    tokenFor: (permissions) => tokenOf(rightsOf(permissions)),
    checkOut: async (folder, ref, token) => checkOut(forge, { folder, ref, token }),
  };
  return {
    ...{ forge, model, caches, world },
    runs: (number) => runsOf(number, { forge, world }),
    comments: (number, comment) => answersTo(number, comment, { forge, world }),
  };
}

/** As somebody would: init in a clone, one commit, pushed. */
async function proposeWorkflows(
  forge: LoopbackForge,
  { files = {}, init = [], edit }: GroundOptions,
): Promise<void> {
  const clone = scratchRepository();
  try {
    clone.write('README.md', 'Widgets.\n');
    for (const [path, text] of Object.entries(files)) clone.write(path, text);
    clone.commit('start');
    const asked = ['init', '--ci', 'github', '--from', from, '--yes', ...init];
    const { exit, stderr } = await runPacked(asked, { cwd: clone.folder });
    if (exit !== 0) throw new TypeError(`init failed: ${stderr}`);
    const first = '.github/workflows/galley.yml';
    if (edit !== undefined) clone.write(first, edit(readFileSync(join(clone.folder, first), 'utf8')));
    const commit = clone.commit('Review pull requests');
    await forge.push({ branch: 'main', commit, folder: clone.folder });
  } finally {
    clone.dispose();
  }
}

/** With the token, which is not kept. */
async function checkOut(
  { url, env }: LoopbackForge,
  { folder, ref, token }: { readonly folder: string; readonly ref: string; readonly token: string },
): Promise<void> {
  const login = Buffer.from(`x-access-token:${token}`).toString('base64');
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', `http.extraHeader=Authorization: Basic ${login}`, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
    });
  await git('init', '--quiet', '.');
  await git('fetch', '--quiet', `${url}/${env.GITHUB_REPOSITORY}.git`, ref);
  await git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
}

async function answersTo(
  number: number,
  comment: Comment,
  { forge, world }: { readonly forge: LoopbackForge; readonly world: RunnerWorld },
): Promise<RanWorkflow> {
  forge.as(comment.author).comment(number, comment.body);
  const event = await pullRequestEvent(forge, tokenOf(['read']), number);
  const place = `${event.pull_request.base.ref}:.github/workflows/galley-answer.yml`;
  const workflow = execFileSync('git', ['--git-dir', forge.gitDirectory, 'show', place], {
    encoding: 'utf8',
  });
  const payload = commentEvent(event, comment);
  return runWorkflow(workflow, { name: 'issue_comment', payload, ref: defaultRef, isFork: false }, world);
}

async function runsOf(
  number: number,
  { forge, world }: { readonly forge: LoopbackForge; readonly world: RunnerWorld },
): Promise<readonly RanWorkflow[]> {
  const event = await pullRequestEvent(forge, tokenOf(['read']), number);
  const { head, base } = event.pull_request;
  const isFork = head.repo.id !== event.repository.id;
  const fileAt = (commit: string, path: string) => {
    const args = ['--git-dir', forge.gitDirectory, 'show', `${commit}:${path}`];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  };
  // A pull request runs as it says itself; what follows runs as the default branch says.
  const plan = await runWorkflow(
    fileAt(head.sha, '.github/workflows/galley.yml'),
    { name: 'pull_request', payload: event, ref: `refs/pull/${number}/merge`, isFork },
    world,
  );
  let second: string;
  try {
    second = fileAt(base.ref, '.github/workflows/galley-review.yml');
  } catch {
    return [plan];
  }
  const payload = workflowRunEvent(event, plan.conclusion);
  const review = { name: 'workflow_run', payload, ref: defaultRef, isFork: false } as const;
  return [plan, await runWorkflow(second, review, world)];
}
