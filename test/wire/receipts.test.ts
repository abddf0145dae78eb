// Receipts that are kept: small, still what was sealed when they are read again, and honest about it when they are not.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { assembleTurn } from '../../src/agents/assemble-turn.js';
import { verifyReceipt, withoutSpans } from '../../src/core/seal/seal.js';
import { hashText } from '../../src/meters/content-hash.js';
import { keptReceipt, readReceipt } from '../../src/store/kept-receipt.js';
import { idOf, type SealedReceipt } from './law.js';
import { openSources, type SourcesWorld } from './sources-world.js';

const contextMessages = Array.from({ length: 200 }, (_, index) => ({
  ...{ from: 'sarah', to: 'max', content: `message ${index} ${'x'.repeat(75)}` },
}));
const turn = { contextMessages, currentMessage: 'hello', teamTask: 'task' };

let world: SourcesWorld;
beforeAll(async () => {
  world = await openSources();
  vi.stubEnv('PATH', `${world.agents.folder}:${process.env.PATH}`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.close();
});

interface Shown {
  readonly seal: string;
  readonly operation: string;
  readonly value: SealedReceipt;
}

describe('a kept receipt', () => {
  it('of an agent is listed, and has the id of what was sent [A5]', async () => {
    world.say(['Done.']);
    const { receipt } = await world.call('agents:run', { agentType: 'claude', ...turn });
    const { receipts } = await world.call('receipts:list', { projectId: 'work', operation: 'agents:run' });
    expect(receipts).toMatchObject([
      { id: receipt.id, summary: { agentType: 'claude-code', model: 'cli/claude', unit: 'bytes' } },
    ]);
    const shown: Shown = await world.call('receipts:get', { projectId: 'work', id: receipt.id });
    expect(shown).toMatchObject({ seal: 'sealed', operation: 'agents:run', value: { id: receipt.id } });
    expect(idOf(shown.value)).toBe(receipt.id);
    await world.call('agents:run', { agentType: 'claude', ...turn, projectId: 'elsewhere' });
    await world.call('receipts:get', { projectId: 'elsewhere', id: receipt.id });
  });

  it('is small beside its prompt, and line for line the same when it is read again [wire.sealed]', () => {
    for (const maxBytes of [768 * 1024, 9_000]) {
      const { prompt, receipt } = assembleTurn('claude-code', { ...turn, maxBytes });
      const kept = JSON.stringify(keptReceipt(receipt));
      expect(kept.length).toBeLessThan(Math.max(6_500, prompt.length / 3));
      const read = readReceipt(JSON.parse(kept));
      expect(read).toEqual(JSON.parse(JSON.stringify(withoutSpans(receipt))));
      expect(verifyReceipt(read, hashText)).toBe('sealed');
    }
  });

  it('says when it was altered, and when it is of a version nobody can check [wire.sealed]', async () => {
    const { receipt } = assembleTurn('claude-code', turn);
    const { receipts } = await world.context.store();
    const put = (id: string, value: unknown) => receipts.put('old', { id, operation: 'agents:run', value });
    await put('whole', receipt);
    await put('short', withoutSpans(receipt));
    await put('used', { ...receipt, used: { ...receipt.used, n: 1 } });
    await put('ledger', { ...receipt, ledger: receipt.ledger.slice(1) });
    await put('first', { ...receipt, version: 1, digests: undefined });
    await put('nothing', {});
    const seals = await Promise.all(
      ['whole', 'short', 'used', 'ledger', 'first', 'nothing'].map(
        async (id): Promise<string> => (await world.call('receipts:get', { projectId: 'old', id })).seal,
      ),
    );
    expect(seals).toEqual(['sealed', 'sealed', 'altered', 'altered', 'unverified', 'unverified']);
    const diff = await world.call('receipts:diff', { projectId: 'old', from: 'whole', to: 'short' });
    expect(diff).toMatchObject({ same: true });
  });

  it('is compared with another, however it is kept', async () => {
    world.say(['Done.']);
    const first = await world.call('agents:run', { agentType: 'claude', ...turn });
    const second = await world.call('agents:run', { agentType: 'claude', ...turn, maxBytes: 9_000 });
    const request = { projectId: 'work', from: first.receipt.id, to: second.receipt.id };
    const { same, changed } = await world.call('receipts:diff', request);
    expect(same).toBe(false);
    expect(changed.length).toBeGreaterThan(100);
  });
});
