import { agentDialect } from './agent-dialect.js';

export const openaiCodex = agentDialect({
  id: 'openai-codex',
  systemChannel: 'prompt',
  markers: { system: '[SYSTEM]', task: '[TEAM_TASK]', context: '[CONTEXT]', message: '[MESSAGE]' },
  line: ({ from, to, content }) => `- ${from} -> ${to}: ${content}`,
});
