import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../../git/testing/scratch-repository.js';
import { parseConfig } from '../../../review/change/review-config.js';
import { configNames, configText, initAnswer, initCommand } from './init-command.js';

let repository: ScratchRepository;
beforeEach(() => {
  repository = scratchRepository();
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
  repository.dispose();
});

async function init(options: object): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await initCommand({ repo: repository.folder, ...options });
  return text;
}

const files = () => readdirSync(repository.folder).filter((name) => name !== '.git');

describe('galley init', () => {
  it('shows both files and writes nothing on a dry run', async () => {
    const text = await init({ dryRun: true });
    expect(text.match(/would write/g)).toHaveLength(2);
    expect(text).toContain('maxChunkTokens');
    expect(files()).toEqual([]);
    expect(process.exitCode).toBeUndefined();
  });

  it('writes nothing where nobody can be asked, and says so with its exit code', async () => {
    await init({});
    expect(files()).toEqual([]);
    expect(process.exitCode).toBe(2);
  });

  it('writes two files at the root, wherever in the repository one stands', async () => {
    mkdirSync(join(repository.folder, 'deep', 'down'), { recursive: true });
    await init({ repo: join(repository.folder, 'deep', 'down'), yes: true });
    expect(files().sort()).toEqual(['.galley', 'deep', 'galley.config.yaml']);
    expect(readdirSync(join(repository.folder, '.galley'))).toEqual(['config.schema.json']);
  });

  it.each([...configNames])('keeps a %s that is there', async (name) => {
    writeFileSync(join(repository.folder, name), '{}');
    const text = await init({ yes: true });
    expect(text).toMatch(new RegExp(`keeps +${name}`));
    expect(readFileSync(join(repository.folder, name), 'utf8')).toBe('{}');
    expect(configNames.filter((other) => existsSync(join(repository.folder, other)))).toEqual([name]);
    await init({ yes: true });
    expect(await init({ yes: true })).toContain('Everything is there already.');
  });

  it('answers by its schema', async () => {
    const answers = [await init({ json: true, dryRun: true }), await init({ json: true, yes: true })];
    const validate = new Ajv2020({ strict: false }).compile(z.toJSONSchema(initAnswer) as object);
    for (const answer of answers)
      expect([validate(JSON.parse(answer)), validate.errors]).toEqual([true, null]);
    expect(answers.map((answer) => JSON.parse(answer).written)).toEqual([false, true]);
  });

  it('refuses outside of a repository', async () => {
    const nowhere = scratchFolder();
    try {
      await expect(init({ repo: nowhere, yes: true })).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
    } finally {
      rmSync(nowhere, { recursive: true, force: true });
    }
  });
});

describe('the proposed configuration', () => {
  it('changes nothing as it is, and is valid with every comment taken away', async () => {
    expect(await parseConfig('galley.config.yaml', configText())).toEqual({});
    const bare = configText().replaceAll(/^# (?=(?: {2}- |[a-zA-Z]+:(?: |$)))/gm, '');
    expect(Object.keys(parse(bare))).toEqual([
      'ignore',
      'maxChunkTokens',
      'maxPromptTokens',
      'maxPages',
      'meter',
      'skill',
      'linterScope',
      'coverageInPrompt',
      'lockfileSummary',
    ]);
    await expect(parseConfig('galley.config.yaml', bare)).resolves.toBeDefined();
  });
});
