// Any call of the AI SDK within a budget: old exchanges go whole, and the receipt says which. The model here is a stand-in.
import assert from 'node:assert/strict';
import { generateText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { budgetMiddleware } from 'galley/ai-sdk';

let sent = [];
const model = new MockLanguageModelV3({
  modelId: 'gpt-4o',
  doGenerate: async ({ prompt }) => {
    sent = prompt;
    return {
      content: [{ type: 'text', text: 'Sessions.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  },
});
const middleware = budgetMiddleware({
  tokens: 200,
  onReceipt: ({ used, budget, concessions }) =>
    console.log(`${used.n} of ${budget.n} tokens, ${concessions.made} exchanges left out`),
});
const messages = Array.from({ length: 9 }, (_, n) => ({
  role: n % 2 === 0 ? 'user' : 'assistant',
  content: `${n}: ${'some words that were said before '.repeat(6)}`,
}));
const { text } = await generateText({
  model: wrapLanguageModel({ model, middleware }),
  system: 'Be brief.',
  messages,
});
assert.equal(text, 'Sessions.');
assert.ok(sent.length < messages.length);
assert.match(JSON.stringify(sent.at(-1)), /8: some words/);
