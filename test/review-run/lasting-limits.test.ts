// What stands on every page, where it is too much: one line that says how much and which files, and a figure that is enough.
import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../../src/core/model/error.js';
import { groundForTest, type ReviewGround } from './review-ground.js';

const ground = (rules: Readonly<Record<string, string>>) =>
  groundForTest(
    (repository) => repository.write('a.ts', 'export const a = 1;\n'),
    (repository) => {
      for (const [path, text] of Object.entries(rules)) repository.write(path, text);
    },
  );

async function refusal(own: ReviewGround, request: object): Promise<{ message: string; needed: number }> {
  try {
    await own.dryRun(request);
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    expect(error.code).toBe('CONTEXT_BUDGET_INFEASIBLE');
    return { message: error.message, needed: Number(error.details?.needed) };
  }
  throw new Error('nothing was refused');
}

describe('rules of a project', () => {
  it('that are very long are refused by name unless they are wanted, and never cut [R25]', async () => {
    const own = ground({ 'CLAUDE.md': `See @docs/all.md\n`, 'docs/all.md': 'Say it once. '.repeat(20_000) });
    const { message, needed } = await refusal(own, {});
    expect(message).toContain(
      `take ${needed} tokens of every page, and maxRuleTokens allows 30000: docs/all.md (`,
    );
    const whole = await own.dryRun({ maxRuleTokens: needed });
    expect(whole.pages[0]?.prompt.match(/Say it once\./g)).toHaveLength(20_000);
  });

  it.each([1, 500, 3000])(
    'larger than a page of %i are refused with a figure that is enough [R25]',
    async (budget) => {
      const own = ground({ 'CLAUDE.md': 'Say it once. '.repeat(1_000) });
      const { message, needed } = await refusal(own, { maxPromptTokens: budget });
      expect(message).toContain(`need a page of ${needed} tokens, and maxPromptTokens allows ${budget};`);
      const { pages } = await own.dryRun({ maxPromptTokens: needed });
      expect(pages.every(({ tokens }) => tokens <= needed)).toBe(true);
      await refusal(own, { maxPromptTokens: needed - 60 });
    },
  );
});
