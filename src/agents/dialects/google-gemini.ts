import { agentDialect } from './agent-dialect.js';

export const googleGemini = agentDialect({
  id: 'google-gemini',
  systemChannel: 'prompt',
  markers: {
    system: 'Instructions:',
    task: 'Team Task:',
    context: 'Conversation so far:',
    message: 'Last message:',
  },
  line: ({ from, content }) => `- ${from}: ${content}`,
});
