// What an agent may spend, and what becomes of it when it has.
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../models/contract/agent-event.js';
import { underCeiling } from './cost-ceiling.js';

const run = async (
  dollars: number,
  events: readonly AgentEvent[],
  { tells = true, model = 'claude-sonnet-4-5' } = {},
) => {
  const seen: AgentEvent[] = [];
  const cancel = new AbortController();
  const options = { dollars, model, catalog: undefined, signal: cancel.signal, tells };
  const ended = await underCeiling({ ...options, onEvent: (event) => seen.push(event) }, async (ceiled) => {
    for (const event of events) {
      ceiled.onEvent(event);
      if (ceiled.signal.aborted) throw new Error('ended');
    }
    return 'answered';
  }).catch((error: unknown) => error);
  const warned = seen.flatMap((event) => (event.kind === 'warning' ? [event.about] : []));
  return { ended, warned };
};
const usage = (inputTokens: number, cachedInputTokens = 0): AgentEvent => ({
  kind: 'usage',
  inputTokens,
  outputTokens: 0,
  cachedInputTokens,
});

describe('the ceiling of an agent', () => {
  it('ends it when what it used costs as much, and says how much', async () => {
    const { ended, warned } = await run(1, [usage(200_000), usage(400_000), usage(600_000)]);
    expect(ended).toMatchObject({ code: 'COST_CEILING_REACHED', details: { ceiling: 1 } });
    expect((ended as { details: { dollars: number } }).details.dollars).toBeCloseTo(1.2);
    expect(warned).toEqual(['cost-ceiling']);
  });

  it('counts what came from the cache for what it costs, and what the CLI says for certain', async () => {
    const cached = [usage(200_000, 200_000), usage(400_000, 400_000), usage(600_000, 600_000)];
    expect((await run(1, cached)).ended).toBe('answered');
    expect((await run(1, [{ kind: 'cost', dollars: 2 }])).ended).toMatchObject({
      code: 'COST_CEILING_REACHED',
    });
  });

  it('is said to be of no use where nobody tells, or nobody knows the price', async () => {
    expect(await run(1, [usage(9_000_000)], { tells: false })).toEqual({
      ended: 'answered',
      warned: ['cost-unknown'],
    });
    const unheard = await run(1, [usage(9_000_000), usage(9_500_000)], { model: 'nobody-knows-it' });
    expect(unheard).toEqual({ ended: 'answered', warned: ['cost-unknown'] });
  });
});
