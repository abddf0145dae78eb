// What the owner fixed: order, shares, floors, policy of Rules, headings. A change here is a decision.
import { describe, expect, it } from 'vitest';
import { mostInputTokens } from '../../src/writing/context/context-room.js';
import { layeredDialect } from '../../src/writing/layers/layered-dialect.js';
import { defaultBudgetProfile, layeredRecipe } from '../../src/writing/layers/layered-recipe.js';

describe('pins of the layered recipe', () => {
  const recipe = layeredRecipe(defaultBudgetProfile, { total: 126_000, refill: true });

  it('keeps shares 15/10/25/50 and floors 500/200/0/2000 [budget.shares]', () => {
    expect(defaultBudgetProfile).toEqual({
      window: 128_000,
      outputReserve: 2_000,
      layers: {
        rules: { share: 0.15, floor: 500 },
        settings: { share: 0.1, floor: 200 },
        retrieved: { share: 0.25, floor: 0 },
        immediate: { share: 0.5, floor: 2_000 },
      },
    });
    expect(mostInputTokens).toBe(64_000);
  });

  it('lets Retrieved yield first, then Settings, then Immediate, and Rules only to their own line [layers.order]', () => {
    expect(recipe.layers).toEqual([
      { id: 'rules', keep: 'highest-rank', share: 0.15, selfCapped: true },
      { id: 'settings', keep: 'highest-rank', share: 0.1, floor: 200, yieldOrder: 2 },
      { id: 'retrieved', keep: 'rank-then-level', share: 0.25, floor: 0, yieldOrder: 1, most: 200 },
      { id: 'immediate', keep: 'nearest', share: 0.5, floor: 2_000, yieldOrder: 3 },
    ]);
  });

  it('keeps the own line of Rules at or above their floor [budget.shares]', () => {
    const small = layeredRecipe(defaultBudgetProfile, { total: 1_000, refill: true });
    expect(small.layers[0]?.share).toBe(0.5);
  });

  it('reads in one order, the cacheable sections first [layers.order]', () => {
    expect(recipe.sections.map(({ id, stable }) => `${id}${stable ? ' stable' : ''}`)).toEqual([
      'constraints stable',
      'cards-open stable',
      'entities stable',
      'cards-close stable',
      'preferences stable',
      'style-guide stable',
      'outline stable',
      'project-settings stable',
      'book-open',
      'story',
      'relevant-entities',
      'summaries',
      'promises',
      'cases',
      'retrieved',
      'previous',
      'working-memory',
      'text',
      'book-close',
      'instruction',
    ]);
  });

  it('has bracketed headings [layers.order]', () => {
    const page = { index: 1, total: 1 };
    const dialect = layeredDialect({ titles: { text: '第七章\n风暴' } });
    const headings = recipe.sections.map(({ id }) => dialect.section(id, page).heading);
    expect(headings.filter((heading) => heading !== '')).toEqual([
      '[创作约束 - 不可违反]\n',
      '[人物与世界设定]\n',
      '[写作偏好]\n',
      '[风格指南]\n',
      '[大纲]\n',
      '[项目设定]\n',
      '[故事至此]\n',
      '[当前相关设定]\n',
      '[近期摘要]\n',
      '[未收的伏笔 - 记在心里，不必在此收束]\n',
      '[历史案例]\n',
      '[前文参考]\n',
      '[上一章结尾]\n',
      '[工作记忆]\n',
      '[当前章节 - 第七章 风暴]\n',
      '[补充指令]\n',
    ]);
  });
});
