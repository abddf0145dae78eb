// What is handed to a user's own tools, and to models through them: pages and bundles at every door, with and without secrets.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import { call } from '../../src/operations/call.js';
import type { BundleAnswer } from '../../src/review/context/review-bundles.js';
import type { ReviewChunks } from '../../src/review/pages/page-set.js';
import { bareContext } from '../review-run/review-ground.js';

const bin = join(process.cwd(), 'bin/galley.js');
const key = ['gh', 'p_', 'aB3dE7gH1jK9mN5pQ2rS8tU4vW6xY0zCaB3d'].join('');
const bare = 'aB3dE7gH1jK9mN5p';
let repository: ScratchRepository;

beforeAll(() => {
  repository = scratchRepository();
  repository.write('CLAUDE.md', `Never use ${key} again.\n`);
  repository.write('src/a.ts', 'export function a() {\n  return 1;\n}\n');
  repository.write('src/plain.ts', 'export const plain = 1;\n');
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  repository.write('src/a.ts', `export function a() {\n  return '${key}';\n}\n`);
  repository.write('deploy/prod.env', `DB_PASSWORD=${bare}\n`);
  repository.write('src/plain.ts', 'export const plain = 2;\n');
  repository.commit('after');
});
afterAll(() => repository.dispose());

const change = { mode: 'pr', base: 'main' };
const asked = (id: string, request: object = {}) =>
  call(id, { ...change, ...request }, bareContext(repository.folder));
const codes = ({ warnings }: Pick<ReviewChunks, 'warnings'>) => warnings.map(({ code }) => code);
const isClean = (answer: unknown) => {
  const text = JSON.stringify(answer);
  return !text.includes(key) && !text.includes(bare);
};
const found = { total: 3, paths: ['deploy/prod.env', 'src/a.ts'] };

describe('an operation', () => {
  it('gives the pages as they are and says when that needs care [R17]', async () => {
    const answer = (await asked('review:chunks')) as ReviewChunks;
    expect(isClean(answer)).toBe(false);
    expect(answer.warnings).toMatchObject([{ code: 'NOT_REDACTED', details: found }]);
    expect(answer.receipt.accounting.notApplicable).toBe(0);
  });

  it('takes secrets out of the pages when asked, weighs them again and says what does not apply [R17]', async () => {
    const whole = (await asked('review:chunks')) as ReviewChunks;
    const answer = (await asked('review:chunks', { redact: true })) as ReviewChunks;
    expect(isClean(answer)).toBe(true);
    expect(answer.warnings).toMatchObject([{ code: 'SECRETS_REDACTED', details: found }]);
    const [chunk] = answer.chunks;
    expect(chunk?.text).toContain("return '[redacted:github-token]';");
    expect(chunk?.text).toContain('DB_PASSWORD=[redacted:assigned-secret]');
    expect(chunk?.text).toContain('Never use [redacted:github-token] again.');
    expect(chunk?.text.split('\n')).toHaveLength(whole.chunks[0]?.text.split('\n').length ?? 0);
    expect(chunk?.pieces.filter(({ applicable }) => !applicable).map(({ path }) => path)).toEqual(
      found.paths,
    );
    expect(answer.receipt.accounting.notApplicable).toBe(2);
    const meter = await loadMeter('o200k_base');
    const weigh = (text: string) => Math.ceil(meter.weigh(text) / meter.scale);
    expect(chunk?.tokens).toBe(
      (whole.chunks[0]?.tokens ?? 0) + weigh(chunk?.text ?? '') - weigh(whole.chunks[0]?.text ?? ''),
    );
  });

  it('does so for bundles [R17]', async () => {
    const whole = (await asked('review:bundles', { budget: { tokens: 4000 } })) as BundleAnswer;
    expect(isClean(whole.bundles)).toBe(false);
    expect(codes(whole)).toContain('NOT_REDACTED');
    const safe = (await asked('review:bundles', { budget: { tokens: 4000 }, redact: true })) as BundleAnswer;
    expect(isClean(safe)).toBe(true);
    expect(codes(safe)).toContain('SECRETS_REDACTED');
  });

  it('says nothing where there is nothing [R17]', async () => {
    const plain = { mode: 'pr', base: 'main', repo: repository.folder, head: 'main' };
    for (const id of ['review:chunks', 'review:bundles']) {
      for (const redact of [false, true]) {
        const answer = await call(id, { ...plain, redact }, bareContext(repository.folder));
        expect(codes(answer as ReviewChunks)).toEqual([]);
      }
    }
  });
});

describe('the command line', () => {
  const galley = (...args: string[]) =>
    spawnSync(process.execPath, [bin, 'review', '--base', 'main', ...args], {
      cwd: repository.folder,
      encoding: 'utf8',
    });

  it('prints no secrets as JSON unless told [R17]', () => {
    const safe = JSON.parse(galley('--json').stdout);
    expect(isClean(safe)).toBe(true);
    expect(codes(safe)).toContain('SECRETS_REDACTED');
    const whole = JSON.parse(galley('--json', '--no-redact').stdout);
    expect(isClean(whole)).toBe(false);
    expect(codes(whole)).toContain('NOT_REDACTED');
  });

  it('writes no secrets into files unless told, and their receipt says so [R17]', () => {
    for (const [flags, clean, code] of [
      [[], true, 'SECRETS_REDACTED'],
      [['--no-redact'], false, 'NOT_REDACTED'],
    ] as const) {
      const out = `pages-${code}`;
      const told = JSON.parse(galley('--out', out, '--json', ...flags).stdout);
      expect(codes(told)).toContain(code);
      const page = readFileSync(join(repository.folder, out, 'page-001.md'), 'utf8');
      expect(isClean(page)).toBe(clean);
      const record = JSON.parse(readFileSync(join(repository.folder, out, 'receipt.json'), 'utf8'));
      expect(codes(record)).toContain(code);
      expect(record.receipt.accounting.notApplicable).toBe(clean ? 2 : 0);
    }
  });

  it('refuses to leave secrets in what a model gets [R17]', () => {
    const { status, stderr } = galley('--dry-run', '--model', 'cli/nobody', '--no-redact');
    expect(status).toBe(2);
    expect(stderr).toContain('--no-redact');
  });
});

describe('MCP', () => {
  it('hands over no secrets unless told, in tools and in prompts [R17]', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'mcp', '--all'],
      cwd: repository.folder,
      env: { PATH: process.env.PATH ?? '', HOME: repository.folder },
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const tool = async (name: string, extra: object = {}) => {
      const result: unknown = await client.callTool({ name, arguments: { ...change, ...extra } });
      return JSON.parse((result as { content: [{ text: string }] }).content[0].text);
    };
    for (const name of ['review_chunks', 'review_bundles']) {
      const safe = await tool(name);
      expect(isClean(safe)).toBe(true);
      expect(codes(safe)).toContain('SECRETS_REDACTED');
      const whole = await tool(name, { redact: false });
      expect(isClean(whole)).toBe(false);
      expect(codes(whole)).toContain('NOT_REDACTED');
    }
    const prompt = await client.getPrompt({ name: 'review_change', arguments: { base: 'main' } });
    expect(isClean(prompt)).toBe(true);
    await client.close();
  });
});
