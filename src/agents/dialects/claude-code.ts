import { agentDialect } from './agent-dialect.js';

export const claudeCode = agentDialect({
  id: 'claude-code',
  systemChannel: 'system',
  markers: { task: '[TEAM_TASK]', context: '[CONTEXT]', message: '[MESSAGE]' },
  line: ({ from, to, content }) => `- ${from} -> ${to}: ${content}`,
});
