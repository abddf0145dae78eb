import { describe, expect, it } from 'vitest';
import type { Deadline } from '../model/ports.js';
import type { Need } from '../model/source.js';
import { plan } from './plan.js';

const scope = { project: 'p' };
const direct: Deadline = (_limit, signal, work) => work(signal);
const need = (source: string, query: Need['query'], askedBy = 'recipe'): Need => ({ source, query, askedBy });
const { signal } = new AbortController();

describe('plan', () => {
  it('asks once for what is wanted twice, whatever the order of the fields', async () => {
    const planner = {
      id: 'rules',
      plan: () => [need('search', { b: 2, a: 1 }, 'rules'), need('search', { a: 2 }, 'rules')],
    };
    const request = { scope, declared: [need('search', { a: 1, b: 2 })], planners: [planner], signal };
    const { needs, warnings } = await plan(request, direct);
    expect(needs.map(({ query, askedBy }) => [query, askedBy])).toEqual([
      [{ a: 1, b: 2 }, 'recipe'],
      [{ a: 2 }, 'rules'],
    ]);
    expect(warnings).toEqual([]);
  });

  it('goes on without a planner that fails', async () => {
    const broken = {
      id: 'model',
      plan: () => {
        throw new Error('SECRET');
      },
    };
    const planned = await plan({ scope, declared: [need('a', {})], planners: [broken], signal }, direct);
    expect(planned.needs).toHaveLength(1);
    expect(planned.warnings).toMatchObject([{ code: 'PLANNER_UNAVAILABLE', details: { planner: 'model' } }]);
    expect(JSON.stringify(planned.warnings)).not.toContain('SECRET');
  });
});
