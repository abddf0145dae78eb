import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { GalleyError } from '../core/model/error.js';
import { findModel } from './find-model.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-find-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const key = 'sk-very-secret';
const find = (name: string | undefined, environment: NodeJS.ProcessEnv = {}) =>
  findModel(name, { folder, environment });
const refusal = async (name: string | undefined, environment: NodeJS.ProcessEnv = {}) => {
  const error = await find(name, environment).then(
    () => expect.unreachable('a refusal was due'),
    (reason: unknown) => reason as GalleyError,
  );
  expect(JSON.stringify(error)).not.toContain(key);
  return error;
};

describe('the name of a model', () => {
  it('finds every family, by request or by GALLEY_MODEL', async () => {
    const environment = {
      ANTHROPIC_API_KEY: key,
      OPENAI_API_KEY: key,
      GEMINI_API_KEY: key,
      DEEPSEEK_API_KEY: key,
    };
    for (const name of [
      'anthropic/claude-sonnet-4-5',
      'openai/gpt-5.6',
      'google/gemini-2.5-pro',
      'deepseek/deepseek-chat',
      'ollama/qwen3:8b',
      'vllm/Qwen/Qwen3-8B',
    ])
      expect(await find(name, environment)).toMatchObject({ id: name, family: 'http' });
    expect(await find(undefined, { ...environment, GALLEY_MODEL: 'openai/gpt-4o' })).toMatchObject({
      id: 'openai/gpt-4o',
    });
    for (const [name, id] of [
      ['gemini/gemini-2.5-pro', 'google/gemini-2.5-pro'],
      ['glm/glm-5', 'zhipu/glm-5'],
      ['qwen/qwen3-max', 'dashscope/qwen3-max'],
    ] as const)
      expect(await find(name, { ...environment, ZAI_API_KEY: key, DASHSCOPE_API_KEY: key })).toMatchObject({
        id,
      });
    writeFileSync(join(folder, 'answers.jsonl'), '{"galley":"replay","version":1,"by":"order"}\n');
    expect(await find('replay/answers.jsonl')).toMatchObject({
      id: 'replay/answers.jsonl',
      family: 'replay',
    });
  });

  it('that is missing or unknown is refused with the names there are, and the one that was meant', async () => {
    for (const name of [undefined, '', '  '])
      expect(await refusal(name)).toMatchObject({
        code: 'MODEL_NOT_CONFIGURED',
        message: expect.stringContaining('GALLEY_MODEL'),
      });
    const near: [string, string][] = [
      ['antropic/claude', 'anthropic/<model>'],
      ['opnai/gpt-4o', 'openai/<model>'],
      ['OpenAI/gpt-4o', 'openai/<model>'],
      ['claude', 'cli/claude'],
      ['cli/codxe', 'cli/codex'],
      ['olama/x', 'ollama/<model>'],
    ];
    for (const [name, meant] of near) {
      const { code, message } = await refusal(name);
      expect(code).toBe('MODEL_NOT_CONFIGURED');
      expect(message, name).toContain(`Did you mean ${meant}?`);
    }
    expect((await refusal('zzzz/yyyy')).message).not.toContain('Did you mean');
    expect(await refusal('openai/')).toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
    expect(await refusal('openai/a b')).toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
    expect(await refusal('replay/')).toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
    expect(await refusal('replay/nowhere.jsonl')).toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
  });

  it('needs its key, and the refusal names the variable', async () => {
    const variables = {
      anthropic: 'ANTHROPIC_API_KEY',
      openai: 'OPENAI_API_KEY',
      google: 'GEMINI_API_KEY',
      moonshot: 'MOONSHOT_API_KEY',
    };
    for (const [family, variable] of Object.entries(variables))
      expect(await refusal(`${family}/any`)).toMatchObject({
        code: 'MODEL_NOT_CONFIGURED',
        message: expect.stringContaining(variable),
        details: { reason: 'key-missing', variable },
      });
    expect(await refusal('openai/any', { OPENAI_API_KEY: `${key}\nmore` })).toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
      details: { reason: 'key-malformed' },
    });
    expect(await refusal('custom/any')).toMatchObject({ details: { variable: 'GALLEY_BASE_URL' } });
  });

  it('never sends a key in the clear, but to this machine', async () => {
    const at = (OPENAI_BASE_URL: string) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL });
    for (const address of [
      'http://127.0.0.1:1/v1',
      'http://localhost:1/v1',
      'http://[::1]:1/v1',
      'https://example.com/v1',
    ])
      expect((await find('openai/any', at(address))).id).toBe('openai/any');
    for (const [address, reason] of [
      ['http://example.com/v1', 'address-unsafe'],
      ['http://127.0.0.1.example.com/v1', 'address-unsafe'],
      ['ftp://example.com', 'address-malformed'],
      ['example.com', 'address-malformed'],
      [`https://user:${key}@example.com`, 'address-malformed'],
      [`https://example.com/?key=${key}`, 'address-malformed'],
    ] as const)
      expect(await refusal('openai/any', at(address)), address).toMatchObject({
        code: 'MODEL_NOT_CONFIGURED',
        details: { reason, variable: 'OPENAI_BASE_URL' },
      });
    expect((await find('custom/any', { GALLEY_BASE_URL: 'http://example.com/v1' })).id).toBe('custom/any');
  });
});

describe('the families of models', () => {
  it('of recorded answers stays in the folder when a stranger asks', async () => {
    for (const name of ['replay/../x.jsonl', 'replay//etc/hostname', 'replay/'])
      await expect(
        findModel(name, { folder: '/work/here', environment: {}, isConfined: true }),
      ).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
  });
});
