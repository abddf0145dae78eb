import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type ScratchRepository, scratchRepository } from '../../../git/testing/scratch-repository.js';
import { type InitOptions, initAnswer, initCommand } from './init-command.js';

let repository: ScratchRepository;
beforeEach(() => {
  repository = scratchRepository();
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
  repository.dispose();
});

const from = `acme/galley@${'5'.repeat(40)}`;

async function init(options: Partial<InitOptions>): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await initCommand({ repo: repository.folder, from, ...options });
  return text;
}

const at = (path: string) => join(repository.folder, path);
const plan = '.github/workflows/galley.yml';
const review = '.github/workflows/galley-review.yml';

describe('galley init --ci', () => {
  it('shows every file whole with the secret to set, and writes nothing without a yes', async () => {
    const text = await init({ ci: 'github' });
    expect(text.match(/would write/g)).toHaveLength(3);
    expect(text).toContain('gh secret set ANTHROPIC_API_KEY');
    expect(text).toContain(`acme/galley/action@${'5'.repeat(40)}`);
    expect(text).not.toContain('more lines');
    expect([existsSync(at('.github')), process.exitCode]).toEqual([false, 2]);
  });

  it('writes them with --yes, and the second time there is nothing to do', async () => {
    await init({ ci: 'github', yes: true });
    const written = [plan, review].map((path) => readFileSync(at(path), 'utf8'));
    const again = await init({ ci: 'github', yes: true });
    expect(again).toContain('Everything is there already.');
    expect(again).not.toMatch(/writes|changes|Set the|Then commit/);
    expect([plan, review].map((path) => readFileSync(at(path), 'utf8'))).toEqual(written);
  });

  it('says line by line what it would change in a file that people changed', async () => {
    await init({ ci: 'github', yes: true });
    const changed = readFileSync(at(review), 'utf8').replace('max-cost: "1"', 'max-cost: "25"');
    writeFileSync(at(review), changed);
    const shown = await init({ ci: 'github', dryRun: true });
    expect(shown).toMatch(/keeps +\.github\/workflows\/galley\.yml/);
    expect(shown).toMatch(/would change +\.github\/workflows\/galley-review\.yml/);
    expect(shown).toMatch(/│ - +max-cost: "25"\n.*│ \+ +max-cost: "1"/);
    expect(readFileSync(at(review), 'utf8')).toBe(changed);
    const made = await init({ ci: 'github', yes: true });
    expect(made).toMatch(/changes +\.github\/workflows\/galley-review\.yml/);
    expect(readFileSync(at(review), 'utf8')).not.toBe(changed);
  });

  it('writes one file where the repository takes no forks', async () => {
    await init({ ci: 'github', forks: false, yes: true });
    expect([existsSync(at(plan)), existsSync(at(review))]).toEqual([true, false]);
    expect(readFileSync(at(plan), 'utf8')).toContain('secrets.ANTHROPIC_API_KEY');
  });

  it.each([
    [
      'gitlab',
      'openai/gpt-5.2',
      ['OPENAI_API_KEY', 'GITLAB_TOKEN'],
      ['.gitlab/galley.yml', '.gitlab-ci.yml'],
    ],
    ['gitea', 'deepseek/deepseek-chat', ['DEEPSEEK_API_KEY'], ['.gitea/workflows/galley.yml']],
    ['gitea', 'vllm/own', [], ['.gitea/workflows/galley.yml']],
  ] as const)(
    'on %s with %s names the variables %j and answers by its schema',
    async (ci, model, secrets, paths) => {
      const answer = JSON.parse(await init({ ci, model, json: true, yes: true }));
      const validate = new Ajv2020({ strict: false }).compile(z.toJSONSchema(initAnswer) as object);
      expect([validate(answer), validate.errors]).toEqual([true, null]);
      expect(answer).toMatchObject({
        secrets,
        written: true,
        files: paths.map((path) => ({ path, isNew: true })),
      });
      for (const { path, content } of answer.files) expect(readFileSync(at(path), 'utf8')).toBe(content);
      for (const name of secrets) expect(answer.files[0].content).toContain(name);
    },
  );

  it('leaves the file GitLab starts from alone, and says what to add until it is there', async () => {
    writeFileSync(at('.gitlab-ci.yml'), 'stages: [test]\n');
    expect(await init({ ci: 'gitlab', yes: true })).toContain('- local: .gitlab/galley.yml');
    expect(readFileSync(at('.gitlab-ci.yml'), 'utf8')).toBe('stages: [test]\n');
    expect(await init({ ci: 'gitlab', yes: true })).toContain('- local: .gitlab/galley.yml');
    writeFileSync(at('.gitlab-ci.yml'), 'include:\n  - local: .gitlab/galley.yml\n');
    expect(await init({ ci: 'gitlab', yes: true })).not.toContain('- local');
  });

  it('takes any address of a repository, and no login with it', async () => {
    const address = `https://ada:hunter2@code.example.org/tools/galley.git@${'5'.repeat(40)}`;
    const answer = await init({ ci: 'gitea', from: address, json: true, yes: true });
    expect(answer).toContain('SOURCE: https://code.example.org/tools/galley\\n');
    expect(answer).not.toContain('hunter2');
  });

  it.each<[string, Partial<InitOptions>]>([
    ['a model without a host', { model: 'openai/gpt-5.2' }],
    ['forks without a host', { forks: false }],
  ])('refuses %s', async (_, options) => {
    await expect(initCommand({ repo: repository.folder, ...options })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'ci' },
    });
  });

  it('refuses a file that cannot be read', async () => {
    mkdirSync(at(plan), { recursive: true });
    await expect(init({ ci: 'github', yes: true })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    rmSync(dirname(at(plan)), { recursive: true });
  });
});
