// What the agents view draws, without a browser: requests as columns, and a turn as it is heard.
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/models/contract/agent-event.js';
import { timelineOf } from '../../web/src/agents/timeline.js';
import { begun, heard } from '../../web/src/agents/turn.js';

describe('the line of requests', () => {
  const request = (number: number, inputTokens: number, cachedInputTokens?: number) => ({
    ...{ number, at: number * 1000, model: 'm', inputTokens, outputTokens: 1 },
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
  });
  const told = (newest: ReturnType<typeof request>[]) => ({
    count: newest.at(-1)?.number ?? 0,
    ...{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, newest },
  });

  it('has every request at one scale, never more cached than was read', () => {
    const { columns, largest } = timelineOf({
      requests: told([request(1, 100), request(2, 400, 90), request(3, 50, 60)]),
      cacheBreaks: [{ request: 2, cause: 'model', cachedTokens: 90, keptTokens: 400 }],
      compactions: [],
    });
    expect(largest).toBe(400);
    expect(columns.map(({ cached, uncached }) => [cached, uncached])).toEqual([
      [0, 100],
      [90, 310],
      [50, 0],
    ]);
    expect(columns.map(({ broken }) => broken?.cause)).toEqual([undefined, 'model', undefined]);
  });

  it('has a compaction before the first request behind it; what happened before the line is not on it', () => {
    const requests = told([request(7, 10), request(8, 10), request(9, 10)]);
    const compactions = [
      { by: 'itself' as const },
      ...[500, 7500, 8000].map((at) => ({ at, by: 'itself' as const })),
    ];
    const { columns } = timelineOf({ requests, cacheBreaks: [], compactions });
    expect(columns.map((column) => column.compactions.map(({ at }) => at))).toEqual([[], [7500, 8000], []]);
    expect(timelineOf({ requests: told([]), cacheBreaks: [], compactions }).columns).toEqual([]);
  });
});

describe('a turn as it is heard', () => {
  const hear = (...events: AgentEvent[]) => events.reduce(heard, begun({ agent: 'max' }));
  const started = (id: string, target: string) =>
    ({ kind: 'tool-started', id, tool: 'Write', target }) as const;
  const ended = (id: string, target: string, outcome: 'done' | 'failed' | 'refused') =>
    ({ kind: 'tool-ended', id, tool: 'Write', target, outcome }) as const;

  it('tells each tool once, from its beginning to its end', () => {
    const { deeds } = hear(
      started('1', 'a'),
      started('2', 'b'),
      { kind: 'file-changed', path: 'b', change: 'created' },
      ended('2', 'b', 'done'),
    );
    expect(deeds).toEqual([
      { kind: 'tool', id: '1', tool: 'Write', target: 'a' },
      { kind: 'tool', id: '2', tool: 'Write', target: 'b', outcome: 'done' },
      { kind: 'file', path: 'b', change: 'created' },
    ]);
  });

  it('tells a refusal once, whether the tool told it or not, and that it was overcome', () => {
    const refused = { kind: 'refused', tool: 'Write', target: 'a' } as const;
    const outcomes = (...events: AgentEvent[]) =>
      hear(...events).deeds.map((deed) => (deed.kind === 'tool' ? deed.outcome : deed.kind));
    expect(outcomes(started('1', 'a'), ended('1', 'a', 'refused'), refused)).toEqual(['refused']);
    expect(outcomes(refused)).toEqual(['refused']);
    expect(
      outcomes(ended('1', 'a', 'refused'), ended('2', 'a', 'done'), { ...refused, overcome: true }),
    ).toEqual(['overcome', 'done']);
  });

  it('keeps what was used last, and lets pass what it does not know', () => {
    const turn = hear(
      { kind: 'usage', inputTokens: 1, outputTokens: 1 },
      { kind: 'usage', inputTokens: 20, outputTokens: 3 },
      { kind: 'cost', dollars: 0.5 },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: '.' },
      { kind: 'from-the-future' } as unknown as AgentEvent,
    );
    expect(turn).toMatchObject({ usage: { inputTokens: 20 }, dollars: 0.5, reasoning: 'Hm.', deeds: [] });
  });
});
