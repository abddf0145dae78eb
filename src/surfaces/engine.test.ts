import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Model } from '../models/contract/model.js';
import { openStore } from '../store/sqlite/open-store.js';
import { installFakeAgent } from '../testing/fake-agent/install-fake-agent.js';
import { scriptedModel } from '../testing/scripted-model.js';
import { createEngine } from './engine.js';

const root = mkdtempSync(join(tmpdir(), 'galley-engine-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => void vi.unstubAllEnvs());

const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hi' };
const rule = { projectId: 'p', id: 'c', text: 'No magic.', kind: 'world' };

function hangingAgent(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  installFakeAgent(folder, 'claude', 'begin-hang');
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  return folder;
}

describe('an engine', () => {
  it('opens the store of its folder when it is first needed, once', async () => {
    vi.stubEnv('GALLEY_STORE', undefined);
    const folder = join(root, 'own');
    const engine = createEngine({ folder });
    await engine.call('agents:assemble', turn);
    expect(existsSync(join(folder, '.galley'))).toBe(false);
    await Promise.all([
      engine.call('constraints:create', rule),
      engine.call('constraints:list', { projectId: 'p' }),
    ]);
    expect(existsSync(join(folder, '.galley', 'galley.db'))).toBe(true);
    await engine.close();
  });

  it('opens a store again that could not be opened', async () => {
    const store = join(root, 'late', 'galley.db');
    writeFileSync(join(root, 'late'), 'in the way');
    const engine = createEngine({ folder: root, store });
    await expect(engine.call('constraints:list', { projectId: 'p' })).rejects.toMatchObject({
      code: expect.stringMatching(/^STORE_/),
    });
    rmSync(join(root, 'late'));
    expect(await engine.call('constraints:list', { projectId: 'p' })).toEqual({ constraints: [] });
    await engine.close();
  });

  it.runIf(existsSync('/proc'))('refuses a place where no folder can be made, at once', async () => {
    const engine = createEngine({ folder: root, store: '/proc/nowhere/galley.db' });
    await expect(engine.call('constraints:list', { projectId: 'p' })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    await engine.close();
  });

  it('leaves a store open that it was given', async () => {
    const store = await openStore({ path: ':memory:', now: () => 0 });
    const engine = createEngine({ folder: root, store });
    await engine.call('constraints:create', rule);
    await engine.close();
    expect(await store.constraints.list('p')).toHaveLength(1);
    await store.close();
  });

  it('reckons cost with the prices of this machine', async () => {
    const prices = join(root, 'prices.json');
    const row = { model: 'test/scripted', input: 2, output: 1000 };
    writeFileSync(prices, JSON.stringify({ version: 'ours', models: [row] }));
    const usage = { inputTokens: 0, outputTokens: 3000, cachedInputTokens: 0, cacheWriteTokens: 0 };
    const model: Model = { ...scriptedModel([{ text: 'It was night.', usage }]), family: 'http' };
    const engine = createEngine({ folder: root, store: ':memory:', model: async () => model });
    const text = 'It was dusk.';
    await engine.call('documents:put', { projectId: 'p', documentId: 'c', title: 'C', order: 1, text });
    const request = { projectId: 'p', skillId: 'continue', documentId: 'c', cursorPosition: 12 };

    vi.stubEnv('GALLEY_PRICES', prices);
    expect(await engine.call('ai:skill:run', request)).toMatchObject({
      runs: [{ cost: { dollars: 3, prices: expect.stringMatching(/^ours over /) } }],
    });
    vi.stubEnv('GALLEY_PRICES', join(root, 'absent.json'));
    await expect(engine.call('ai:skill:run', request)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await engine.close();
  });

  it('refuses what is not granted', async () => {
    const engine = createEngine({ folder: root, store: ':memory:', grants: new Set(['read']) });
    await expect(engine.call('constraints:create', rule)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await engine.close();
    const runner = createEngine({ folder: root, store: ':memory:', grants: new Set(['read', 'run']) });
    for (const may of ['edit', 'run'])
      await expect(runner.call('agents:run', { ...turn, may })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await runner.close();
  });

  it('is cancelled, not broken, whatever reason the signal gives', async () => {
    const engine = createEngine({ folder: hangingAgent('reason') });
    const controller = new AbortController();
    const running = engine.call('agents:run', turn, {
      signal: controller.signal,
      onText: () => controller.abort(new RangeError('a stranger')),
    });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(engine.call('agents:assemble', turn, { signal: controller.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await engine.close();
  });

  it('cancels what runs when it closes, and takes nothing more', async () => {
    const engine = createEngine({ folder: hangingAgent('closing') });
    const running = engine.call('agents:run', turn, { onText: () => void engine.close() });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(engine.call('agents:assemble', turn)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
