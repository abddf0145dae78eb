// From a change over a model to a report, on a real repository.
import { afterEach, describe, expect, it } from 'vitest';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, findingOn, type ReviewGround, reviewGround } from './review-ground.js';

const grounds: ReviewGround[] = [];
const ground = (...args: Parameters<typeof reviewGround>): ReviewGround => {
  const made = reviewGround(...args);
  grounds.push(made);
  return made;
};
afterEach(() => {
  for (const { repository } of grounds.splice(0)) repository.dispose();
});

describe('review:run', () => {
  it('sends the pages and writes the report', async () => {
    const { run } = ground(
      (repository) => repository.write('src/a.ts', 'export const a = 1;\n'),
      (repository) => repository.write('CLAUDE.md', 'Be kind.\n'),
    );
    const model = scriptedModel([
      {
        text: answerWith(findingOn('src/a.ts', { evidence: 'export const a = 1;' })),
        usage: { inputTokens: 900, outputTokens: 50 },
      },
    ]);
    const result = await run(model, { failLevel: 'high' });
    expect(result.findings.map(({ finding, place }) => [finding.path, place.kind])).toEqual([
      ['src/a.ts', 'anchored'],
    ]);
    expect(result).toMatchObject({ complete: true, fails: true, missing: [], model: 'test/scripted' });
    expect(result.report).toContain('Wrong value in src/a.ts');
    expect(result.coverage).toBe('Complete: 1 file (+1 -0) on 1 page; nothing left out.');
    const [request] = model.requests;
    expect(request?.prompt).toMatch(
      /^## Project Rules\nBe kind\.\n\n===== BEGIN UNTRUSTED CHANGE [0-9a-f]{32} =====\n/,
    );
    expect(request?.system).not.toContain('a.ts');
    expect(result.receipt.runs).toEqual([
      {
        model: 'test/scripted',
        page: 1,
        foreseen: { inputTokens: expect.any(Number), cachedInputTokens: 0 },
        reported: { inputTokens: 900, outputTokens: 50 },
        attempts: 1,
      },
    ]);
  });
});
