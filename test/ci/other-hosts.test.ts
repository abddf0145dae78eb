// The proposed jobs for GitLab and Gitea, run as shells run them, against their stand-ins.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ForgeKind } from '../../src/forges/forge.js';
import { scratchFolder } from '../../src/git/testing/scratch-repository.js';
import { type LoopbackForge, openForge } from '../../src/testing/forge/open-forge.js';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { packedProject } from '../packed/packed-program.js';
import { ciDocuments, type Workflow } from './ci-documents.js';
import { pageCalls } from './ci-ground.js';

interface Ground {
  readonly forge: LoopbackForge;
  readonly model: Loopback;
  readonly folder: string;
  readonly number: number;
  /** Exit code and everything that was said. */
  shell(
    script: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<readonly [number | null, string]>;
}

const key = 'sk-ant-of-the-owner';

async function openGround(kind: ForgeKind): Promise<Ground> {
  const folder = scratchFolder();
  const finding = {
    path: 'sum.ts',
    startLine: 1,
    endLine: 1,
    side: 'new',
    severity: 'high',
    category: 'bug',
  };
  const words = { title: 'Zero is lost', message: 'It is dropped.', confidence: 0.9 };
  const [forge, model] = await Promise.all([
    openForge({ kind, repository: 'acme/widgets' }),
    openLoopback({ script: { json: { findings: [{ ...finding, ...words }] } } }),
  ]);
  onTestFinished(async () => {
    await Promise.all([forge.close(), model.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  await forge.commit({ branch: 'main', files: { 'README.md': 'Widgets.\n' } });
  await forge.commit({ branch: 'topic', from: 'main', files: { 'sum.ts': 'export const sum = 0 || 1;\n' } });
  const number = await forge.openPull({ head: 'topic' });
  const { GITLAB_TOKEN: _, GITEA_TOKEN: __, GITHUB_TOKEN: ___, ...environment } = forge.env;
  const machine = { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C', ANTHROPIC_BASE_URL: model.url };
  return {
    ...{ forge, model, folder, number },
    shell: (script, own) =>
      new Promise((done, failed) => {
        const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
          cwd: folder,
          env: { ...machine, ...environment, ...own },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (part: string) => {
            said += part;
          });
        child.once('error', failed).once('close', (code) => done([code, said]));
      }),
  };
}

const posted = ({ forge, number }: Ground) => forge.pull(number).threads.map(({ path }) => path);
const program = () => join(packedProject(), 'node_modules', 'galley');

describe('the job for GitLab', () => {
  it('reviews with both variables, plans with the token alone, and ends well with neither', async () => {
    const ground = await openGround('gitlab');
    const [file] = await ciDocuments({ host: 'gitlab' });
    const { script, variables } = (file!.document as Record<string, { script: string[]; variables: object }>)
      .galley!;
    // As from the cache of an earlier job.
    mkdirSync(join(ground.folder, '.galley'));
    symlinkSync(program(), join(ground.folder, '.galley', 'program'));
    const job = {
      ...variables,
      GALLEY_ANSWERS: join(ground.folder, '.galley', 'answers'),
      CI_MERGE_REQUEST_IID: String(ground.number),
      CI_PIPELINE_SOURCE: 'merge_request_event',
    };
    const token = { GITLAB_TOKEN: ground.forge.env.GITLAB_TOKEN ?? '' };
    expect(await ground.shell(script.join('\n'), job)).toEqual([
      0,
      expect.stringContaining('GITLAB_TOKEN is not set'),
    ]);
    const [planned, plan] = await ground.shell(script.join('\n'), { ...job, ...token });
    expect([planned, plan]).toEqual([
      0,
      expect.stringMatching(/key of the model is not set.*ANTHROPIC_API_KEY/),
    ]);
    expect([posted(ground), ground.model.calls.length]).toEqual([[], 0]);
    const [reviewed] = await ground.shell(script.join('\n'), { ...job, ...token, ANTHROPIC_API_KEY: key });
    expect([reviewed, posted(ground), pageCalls(ground.model).length]).toEqual([0, ['sum.ts'], 1]);
  });
});

describe('the workflow for Gitea', () => {
  it('reviews with the secret, and plans without it', async () => {
    const ground = await openGround('gitea');
    const [file] = await ciDocuments({ host: 'gitea' });
    const steps = Object.values((file!.document as Workflow).jobs).flatMap((each) => each.steps);
    const { run = '', env = {} } = steps.at(-1)!;
    const event = join(ground.folder, 'event.json');
    writeFileSync(event, JSON.stringify({ pull_request: { number: ground.number } }));
    const given = Object.fromEntries(
      Object.entries(env).filter(([, value]) => !String(value).includes('${{')),
    );
    const job = {
      ...(given as Record<string, string>),
      ...{ GITHUB_EVENT_PATH: event, GITHUB_TOKEN: ground.forge.env.GITEA_TOKEN ?? '' },
    };
    const command = run.replaceAll('/opt/galley', program());
    const [planned, plan] = await ground.shell(command, job);
    expect([planned, plan]).toEqual([
      0,
      expect.stringMatching(/key of the model is not set.*ANTHROPIC_API_KEY/),
    ]);
    expect([posted(ground), ground.model.calls.length]).toEqual([[], 0]);
    const [reviewed] = await ground.shell(command, { ...job, ANTHROPIC_API_KEY: key });
    expect([reviewed, posted(ground), pageCalls(ground.model).length]).toEqual([0, ['sum.ts'], 1]);
  });
});
