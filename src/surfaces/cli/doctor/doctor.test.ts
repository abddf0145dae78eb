import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { scratchFolder } from '../../../git/testing/scratch-repository.js';
import { openStore } from '../../../store/sqlite/open-store.js';
import { checkKeys, checkModels } from './check-models.js';
import { checkGit, checkNode } from './check-programs.js';
import { checkProxy } from './check-proxy.js';
import { checkConfig } from './check-repository.js';
import { checkStore } from './check-store.js';
import { doctorCommand } from './doctor-command.js';
import { doctorAnswer, type Patient } from './finding.js';

let folder = '';
const home = process.cwd();
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => {
  process.chdir(home);
  process.exitCode = undefined;
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const patient = (change: Partial<Patient> = {}): Patient => ({
  folder,
  env: { PATH: process.env.PATH },
  signal: new AbortController().signal,
  store: join(folder, '.galley', 'galley.db'),
  ...change,
});

function program(name: string, says: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\necho '${says}'\n`);
  chmodSync(join(bin, name), 0o755);
  return bin;
}

describe('programs', () => {
  it('knows an old Node and the command that helps', () => {
    expect(checkNode('18.20.0')).toMatchObject({
      status: 'fail',
      problem: 'old',
      repair: expect.any(String),
    });
    expect(checkNode('20.19.0')).toEqual({ id: 'node', status: 'ok', found: '20.19.0' });
    expect(checkNode()).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['git version 2.39.5', { status: 'ok', found: '2.39.5' }],
    ['git version 2.46.0.windows.1', { status: 'ok', found: '2.46.0' }],
    ['git version 2.25.1', { status: 'fail', problem: 'old', wanted: '2.36.0' }],
    ['hello', { status: 'fail', problem: 'missing' }],
  ])('reads %j', async (says, expected) => {
    const PATH = program('git', says);
    expect(await checkGit(patient({ env: { PATH } }))).toMatchObject(expected);
  });

  it('fails without git, and names the command that installs it', async () => {
    const finding = await checkGit(patient({ env: { PATH: folder } }));
    expect(finding).toMatchObject({
      status: 'fail',
      problem: 'missing',
      repair: expect.stringContaining('install git'),
    });
  });
});

describe('models', () => {
  it('finds agent CLIs and their versions, old ones and silent ones too', async () => {
    program('claude', '99.0.0 (Claude Code)');
    program('codex', 'codex-cli 0.0.1');
    const PATH = `${program('gemini', 'no number')}:/usr/bin:/bin`;
    const [claude, codex, gemini] = await checkModels(patient({ env: { PATH } }));
    expect(claude).toEqual({ id: 'claude', status: 'ok', found: '99.0.0' });
    expect(codex).toMatchObject({ status: 'warn', problem: 'old', found: '0.0.1' });
    expect(gemini).toMatchObject({ status: 'warn', problem: 'unanswered' });
  });

  it('says how to install what is absent, and that a wrong variable is wrong', async () => {
    const findings = await checkModels(patient({ env: { PATH: folder, GALLEY_CODEX: 'codex' } }));
    expect(findings).toMatchObject([
      { id: 'claude', status: 'ok', problem: 'absent', repair: expect.stringContaining('npm install -g') },
      { id: 'codex', status: 'warn', problem: 'misconfigured', found: 'GALLEY_CODEX' },
      { id: 'gemini', status: 'ok', problem: 'absent' },
      { id: 'keys', status: 'warn', problem: 'no-model' },
    ]);
  });

  it('names keys and never shows one', () => {
    const env = { OPENAI_API_KEY: 'sk-very-secret', GEMINI_API_KEY: 'also-secret' };
    const finding = checkKeys(env, false);
    expect(finding).toEqual({ id: 'keys', status: 'ok', found: 'GEMINI_API_KEY, OPENAI_API_KEY' });
    expect(checkKeys({ OPENAI_API_KEY: 'sk-secret\n' }, true)).toMatchObject({ problem: 'blank' });
    expect(checkKeys({ OPENAI_API_KEY: '' }, true)).toMatchObject({ status: 'warn', problem: 'blank' });
    expect(checkKeys({}, true)).toEqual({ id: 'keys', status: 'ok', problem: 'none' });
    expect(checkKeys({ GALLEY_BASE_URL: 'http://127.0.0.1:1' }, false)).toEqual({
      ...{ id: 'keys', status: 'ok', found: 'GALLEY_BASE_URL' },
    });
    expect(JSON.stringify([finding, checkKeys({ OPENAI_API_KEY: ' sk-secret' }, true)])).not.toContain(
      'secret',
    );
  });
});

describe('the proxy', () => {
  it('is named by its variables and never shown', () => {
    const env = { HTTPS_PROXY: 'http://me:secret@proxy.example:3128', no_proxy: 'inside.example' };
    expect(checkProxy(env)).toEqual({ id: 'proxy', status: 'ok', found: 'HTTPS_PROXY, no_proxy' });
    expect(checkProxy({ no_proxy: 'inside.example' })).toEqual({
      id: 'proxy',
      status: 'ok',
      problem: 'none',
    });
    expect(checkProxy({ ...env, http_proxy: 'socks5://me:secret@proxy.example' })).toEqual({
      ...{ id: 'proxy', status: 'warn', problem: 'no-address', found: 'http_proxy' },
      repair: 'unset http_proxy',
    });
  });
});

describe('the configuration', () => {
  it.each([
    [{}, { status: 'ok', problem: 'none' }],
    [{ 'galley.config.yaml': 'maxPages: 3\n' }, { status: 'ok', found: 'galley.config.yaml' }],
    [
      { 'galley.config.yaml': 'maxPagse: 3\n' },
      { status: 'fail', found: expect.stringContaining('"maxPages"') },
    ],
    [{ 'galley.config.json': '{' }, { status: 'fail', problem: 'invalid' }],
    [
      { 'galley.config.json': '{}', 'galley.config.yml': '' },
      { status: 'fail', problem: 'several' },
    ],
  ])('%j is seen', async (files, expected) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    expect(await checkConfig(folder)).toMatchObject(expected);
  });
});

describe('the store', () => {
  it('is not made by looking', async () => {
    expect(await checkStore(patient())).toEqual({ id: 'store', status: 'ok', problem: 'not-yet' });
    expect(existsSync(join(folder, '.galley'))).toBe(false);
  });

  it('is opened, with its version and journal', async () => {
    const { store: path } = patient();
    await (await openStore({ path, now: () => 0 })).close();
    const before = readFileSync(path);
    expect(await checkStore(patient())).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^schema \d+, wal, ok, (?:libsql|node:sqlite)$/),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('that is no database, or of another program, is broken', async () => {
    const store = join(folder, 'other.db');
    writeFileSync(store, 'not a database at all, but long enough to be looked at as one\n'.repeat(100));
    expect(await checkStore(patient({ store }))).toMatchObject({ status: 'fail', problem: 'broken' });
  });
});

describe('galley doctor', () => {
  async function run(options: object): Promise<string> {
    let text = '';
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
      text += String(part);
      return true;
    });
    await doctorCommand(options).finally(() => out.mockRestore());
    return text;
  }

  it('answers by its schema, without a path or a key, and exits with 5 when something needed is broken', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-secret');
    vi.stubEnv('GALLEY_STORE', undefined);
    vi.stubEnv('PATH', `${program('claude', '99.0.0')}:${process.env.PATH}`);
    spawnSync('git', ['init', '-q'], { cwd: folder });
    process.chdir(folder);
    const json = await run({ json: true });
    const validate = new Ajv2020({ strict: false }).compile(z.toJSONSchema(doctorAnswer) as object);
    expect([validate(JSON.parse(json)), validate.errors]).toEqual([true, null]);
    expect(JSON.parse(json).ok).toBe(true);
    expect(process.exitCode).toBeUndefined();
    writeFileSync(join(folder, 'galley.config.yaml'), 'ignor: []\n');
    const page = await run({});
    expect(process.exitCode).toBe(5);
    expect(page).toMatch(/✗ configuration .*did you mean "ignore"\?.*\n +galley schema config\n/);
    for (const text of [json, page]) {
      expect(text).not.toContain('sk-secret');
      expect(text).not.toContain(folder);
    }
  });
});
