import { agentDialect } from './agent-dialect.js';

export const plain = agentDialect({
  id: 'plain',
  systemChannel: 'prompt',
  markers: {},
  line: ({ from, content }) => `${from}: ${content}`,
});
