import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleTurn } from './assemble-turn.js';

const conversation = (lengths: readonly number[]) =>
  lengths.map((length, index) => ({ from: 'a', to: 'b', content: `${index}:${'x'.repeat(length)}` }));

interface Kept {
  readonly first: number;
  readonly count: number;
  readonly bytes: number;
}

function keptOf(trim: 'exact' | 'hops', lengths: readonly number[], change: object = {}): Kept {
  const input = { contextMessages: conversation(lengths), currentMessage: 'Go on.', maxBytes: 4000, trim };
  const { receipt, prompt } = assembleTurn('claude-code', { ...input, ...change });
  const kept = receipt.ledger
    .filter(({ layer, verdict }) => layer === 'context' && verdict === 'kept')
    .map(({ fragment }) => Number(fragment.split(':')[1]));
  return { first: Math.min(...kept, lengths.length), count: kept.length, bytes: Buffer.byteLength(prompt) };
}

const lengths = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 80, size: 'max' });

describe('trimming in hops', () => {
  it('keeps the newest messages without a gap and never more than fits', () => {
    fc.assert(
      fc.property(lengths, (sizes) => {
        const { first, count, bytes } = keptOf('hops', sizes);
        expect(first + count).toBe(sizes.length);
        expect(bytes).toBeLessThanOrEqual(4000);
      }),
    );
  });

  it('changes nothing while everything fits', () => {
    fc.assert(
      fc.property(lengths, (sizes) => {
        const exact = keptOf('exact', sizes);
        if (exact.first === 0) expect(keptOf('hops', sizes)).toEqual(exact);
      }),
    );
  });

  it('keeps at least a fifth of the room but for one message, however the messages fall', () => {
    let trimmed = 0;
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 900 }), (sizes, message) => {
        const hops = keptOf('hops', sizes, { currentMessage: 'm'.repeat(message) });
        if (hops.first === 0) return;
        trimmed += 1;
        expect(hops.bytes - message).toBeGreaterThan(4000 / 5 - 620);
      }),
    );
    expect(trimmed).toBeGreaterThan(20);
  });

  it('moves the first kept message at borders only, far less often than exact trimming', () => {
    const sizes = Array.from({ length: 120 }, (_, index) => 60 + ((index * 37) % 200));
    const moves = (trim: 'exact' | 'hops') => {
      let count = 0;
      let before = 0;
      for (let turn = 1; turn <= sizes.length; turn += 1) {
        const { first } = keptOf(trim, sizes.slice(0, turn));
        expect(first).toBeGreaterThanOrEqual(before);
        if (first !== before) count += 1;
        before = first;
      }
      return count;
    };
    const [exact, hops] = [moves('exact'), moves('hops')];
    expect(exact).toBeGreaterThan(80);
    expect(hops).toBeLessThan(exact / 6);
  });

  it('trims exactly beside a message that takes the room of whole blocks', () => {
    const sizes = Array.from({ length: 60 }, () => 100);
    const change = { currentMessage: 'm'.repeat(2500) };
    expect(keptOf('hops', sizes, change)).toEqual(keptOf('exact', sizes, change));
  });
});
