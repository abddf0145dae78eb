// One turn of a conversation in the words of each agent CLI, within a byte budget.
import assert from 'node:assert/strict';
import { assembleTurn } from 'galley';

const turn = {
  teamTask: 'Design the login',
  contextMessages: [
    { from: 'sarah', to: 'max', content: 'Tokens or sessions?' },
    { from: 'max', to: 'sarah', content: 'Use sessions, not tokens.' },
  ],
  currentMessage: 'What do you think?',
  maxBytes: 120,
};

for (const agent of ['claude-code', 'openai-codex', 'google-gemini', 'unknown']) {
  const { prompt, receipt } = assembleTurn(agent, turn);
  const left = receipt.ledger.filter(({ verdict }) => verdict === 'conceded').length;
  console.log(`${agent}: ${receipt.used.n} of ${receipt.budget.n} bytes, ${left} older messages left out`);
  assert.ok(Buffer.byteLength(prompt) <= turn.maxBytes);
  assert.match(prompt, /What do you think\?/);
}
