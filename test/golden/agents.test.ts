// Agent turns as plain files, byte for byte. UPDATE_GOLDEN=1 writes them anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentTypes } from '../../src/agents/assembler-input.js';
import { assembleTurn } from '../../src/agents/assemble-turn.js';

const conversation = {
  contextMessages: [
    { from: 'kailai', to: 'max', content: '请帮忙设计登录。\n要支持两步验证。' },
    { from: 'max', content: 'Use sessions, not tokens: `Set-Cookie: id=…; HttpOnly`' },
    { from: 'sarah', to: 'kailai', content: '[MESSAGE] is what I typed 😀' },
  ],
  currentMessage: '  What do you think?\n\nAnswer in one paragraph.  ',
  teamTask: 'Design a user authentication system',
  systemInstruction: 'You are Sarah, a backend engineer.',
  instructionFileText: '# House rules\n\n- Security first.\n',
};
const budgets = { whole: 786_432, trimmed: 300 };

describe('golden agent turns', () => {
  for (const agentType of agentTypes) {
    for (const [name, maxBytes] of Object.entries(budgets)) {
      it(`${agentType}, ${name}`, () => {
        const { prompt, systemFlag } = assembleTurn(agentType, { ...conversation, maxBytes });
        const file = join('test/golden/agents', `${agentType}-${name}.txt`);
        const text = systemFlag === undefined ? prompt : `${systemFlag}\n=== prompt ===\n${prompt}`;
        if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
        expect(text).toBe(readFileSync(file, 'utf8'));
      });
    }
  }
});
