import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  dayOf,
  didFail,
  type Entry,
  entriesOf,
  money,
  totalsOf,
} from '../../web/src/inspector/history.js';

const at = (startedAt: number, more: Partial<Entry> = {}): Entry => ({
  ...{ id: String(startedAt), operation: 'review:run', startedAt },
  ...more,
});

describe('what was sent', () => {
  const run = (id: string, startedAt: number, more: object = {}) => ({
    ...{ id, operation: 'review:run', status: 'succeeded' as const, startedAt, endedAt: startedAt + 10 },
    ...{ receipts: [], calls: 0, foreseen: { inputTokens: 0, cachedInputTokens: 0 }, failures: [], ...more },
  });
  const receipt = (id: string, createdAt: number, operation = 'review:run') => ({
    ...{ id, operation, createdAt, project: 'p', summary: { used: 5 } },
  });

  it('stands in one line, also where a run failed before it could tell its receipts', () => {
    const runs = [run('good', 100, { receipts: ['a'] }), run('failed', 200, { status: 'failed' })];
    const receipts = [
      ...[receipt('a', 101), receipt('b', 205), receipt('c', 205, 'context:assemble')],
      receipt('d', 300),
    ];
    const told = entriesOf(runs, { receipts, isThen: ({ id }) => id !== 'd' });
    expect(told.map(({ id, receipt: sent, tokens }) => [id, sent, tokens])).toEqual([
      ['c', 'c', 5],
      ['failed', 'b', 5],
      ['good', 'a', 5],
    ]);
  });
});

describe('what was sent on a day', () => {
  it('begins and ends at midnight, as the reader counts days', () => {
    const { since = 0, until = 0 } = boundsOf('2026-03-09') ?? {};
    expect([dayOf(since), dayOf(until - 1), dayOf(until)]).toEqual([
      '2026-03-09',
      '2026-03-09',
      '2026-03-10',
    ]);
    for (const wrong of ['', 'yesterday', '2026-3-9']) expect(boundsOf(wrong)).toBeUndefined();
  });

  it('counts what models reported, what was foreseen where they say nothing, and what failed', () => {
    const foreseen = { inputTokens: 100, cachedInputTokens: 40 };
    const told = { inputTokens: 110, outputTokens: 9, cachedInputTokens: 30 };
    const day = [
      at(1, { calls: 2, foreseen, reported: told, dollars: 0.02, status: 'succeeded' }),
      at(2, { calls: 1, foreseen, status: 'timeout', failures: ['TIMEOUT'] }),
      at(3, { tokens: 7 }),
    ];
    expect(totalsOf(day)).toEqual({
      ...{ runs: 3, calls: 3, input: 217, output: 9, foreseenCached: 80, reportedCached: 30 },
      ...{ dollars: 0.02, failed: 1 },
    });
    expect(day.map(didFail)).toEqual([false, true, false]);
    expect([0, 0.0000431, 0.0234, 12.3456].map(money)).toEqual(['$0', '$0.000043', '$0.023', '$12.35']);
  });
});
