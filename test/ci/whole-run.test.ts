// From galley init to remarks on a pull request, on what is shipped: the packed program, the proposed workflows, the action, a host and
// a model of this machine.
import { describe, expect, it } from 'vitest';
import { ciGround, modelKey } from './ci-ground.js';

const findingOn = (path: string, line = 1) => ({
  path,
  startLine: line,
  endLine: line,
  side: 'new',
  severity: 'high',
  category: 'bug',
  title: 'This loses the value',
  message: 'The value is dropped when it is zero.',
  confidence: 0.9,
});

describe('a pull request', () => {
  it('is reviewed after one commit and one secret', async () => {
    const { forge, model, runs } = await ciGround();
    await forge.commit({
      branch: 'topic',
      from: 'main',
      files: { 'src/sum.ts': 'export const sum = (a: number) => a || 1;\n' },
    });
    const number = await forge.openPull({ head: 'topic', title: 'Sums' });
    model.play({ json: { findings: [findingOn('src/sum.ts')] } });
    const [plan, review] = await runs(number);
    expect([plan?.conclusion, review?.conclusion]).toEqual(['success', 'success']);
    console.log(
      plan?.summary,
      review?.summary,
      review?.steps.map((s) => [s.name, s.log]),
    );
    expect(forge.checkRuns).toMatchObject([{ name: 'galley' }]);
    expect(modelKey).toBeDefined();
  });
});
