// A turn with the code its message needs, through the operation that every door calls.
import { afterAll, describe, expect, it } from 'vitest';
import { verifyReceipt } from '../core/seal/seal.js';
import { scratchRepository } from '../git/testing/scratch-repository.js';
import { hashText } from '../meters/content-hash.js';
import { createGalley } from '../surfaces/library/create-galley.js';

const repository = scratchRepository();
const galley = createGalley({ folder: repository.folder, store: ':memory:' });
afterAll(async () => {
  await galley.close();
  repository.dispose();
});
repository.write('src/session.ts', 'export function sessionExpired() {\n  return false;\n}\n');
repository.write('src/other.ts', 'export const rate = 5;\n');
repository.commit('one');
repository.write('src/keys.ts', "export const sessionKey = 'AKIAIOSFODNN7EXAMPLE';\n");

const turn = (message: string, more: object = {}) =>
  galley.call('agents:assemble', {
    agentType: 'codex',
    contextMessages: [],
    currentMessage: message,
    withCode: 2_000,
    ...more,
  });

describe('a turn with code', () => {
  it('holds what was found, fenced, without secrets, and known to the receipt [code.find]', async () => {
    const { prompt, receipt } = await turn('Sessions never expire');
    expect(prompt).toMatch(/\[CODE\]\n===== BEGIN UNTRUSTED CODE [0-9a-f]{32} =====\n/);
    expect(prompt).toContain('export function sessionExpired() {');
    expect(prompt).not.toContain('AKIAIOSFODNN7EXAMPLE');
    expect(receipt.ledger.find(({ fragment }) => fragment === 'code')).toMatchObject({ verdict: 'kept' });
  });

  it('is the turn without it where nothing was found', async () => {
    const found = await turn('zzyzx');
    expect(found).toEqual(await turn('zzyzx', { withCode: undefined }));
  });
});

describe('the receipt of a turn', () => {
  it('is short on request, and the same receipt', async () => {
    const contextMessages = Array.from({ length: 200 }, (_, at) => ({
      from: 'a',
      content: `${at} ${'x'.repeat(90)}`,
    }));
    const set = (more: object) => turn('Go on.', { contextMessages, withCode: undefined, ...more });
    const [{ receipt: full }, { receipt: short, prompt }] = [await set({}), await set({ ledger: false })];
    expect(short.id).toBe(full.id);
    expect(verifyReceipt(short, hashText)).toBe('sealed');
    expect(full.ledger).toHaveLength(201);
    expect(JSON.stringify(short).length).toBeLessThan(1500);
    expect(prompt.length).toBeGreaterThan(19_000);
  });
});
