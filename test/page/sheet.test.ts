// What the inspector draws, without a browser: how much of all pages is whose.
import { describe, expect, it } from 'vitest';
import { amountsBySource, type Receipt, sheetOf } from '../../web/src/inspector/sheet.js';

describe('what each source holds', () => {
  const line = (fragment: string, source: string, more: object) => ({
    ...{ fragment, source, layer: 'l', verdict: 'kept', reason: 'it fits' },
    ...more,
  });
  const receipt = {
    ...{ used: { unit: 'tokens', n: 60 }, budget: { unit: 'tokens', n: 70 }, layers: [], warnings: [] },
    pages: [60, 45].map((amount) => ({ amount, parts: [] })),
    ledger: [
      line('system', 'reviewer', { amount: 30 }),
      line('a', 'diff/text', { amount: 25, page: 1 }),
      line('b', 'diff/text', { amount: 10, page: 2 }),
      line('c', 'related', { amount: 99, verdict: 'conceded' }),
    ],
  } as unknown as Receipt;

  it('counts what stands on every page on every page, and what stayed out nowhere', () => {
    expect(amountsBySource(sheetOf(receipt))).toEqual({
      perSource: [
        { source: 'reviewer', amount: 60 },
        { source: 'diff', amount: 35 },
        { source: 'related', amount: 0 },
      ],
      frames: 10,
    });
  });
});
