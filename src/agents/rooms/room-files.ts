// Files that somebody names with @ in a room. Claude Code and Gemini CLI would attach them and change what was said; in a room, where
// what was said cannot be taken back, they go by reference, like files that are parts of a message.
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { agentClis } from '../../models/cli/find-agent-cli.js';
import { withReferences } from '../../models/cli/mentions.js';
import { type AgentType, type AssemblerInput, contentText, fileReference } from '../assembler-input.js';

const readers: Partial<Record<AgentType, AgentCliName>> = {
  'claude-code': 'claude',
  'google-gemini': 'gemini',
};

export interface ReferredTurn {
  readonly input: AssemblerInput;
  /** Whether a file is named where it would have been attached. */
  readonly isChanged: boolean;
}

export async function filesByReference(
  agentType: AgentType,
  input: AssemblerInput,
  folder: string,
): Promise<ReferredTurn> {
  const name = readers[agentType];
  if (name === undefined) return { input, isChanged: false };
  let isChanged = false;
  const place = { folder, environment: process.env, refer: fileReference };
  const refer = async (text: string) => {
    const referred = await withReferences(agentClis[name], text, place);
    isChanged ||= referred !== text;
    return referred;
  };
  const contextMessages: AssemblerInput['contextMessages'] = [];
  for (const message of input.contextMessages)
    contextMessages.push({ ...message, content: await refer(contentText(message.content)) });
  const { teamTask } = input;
  const currentMessage = await refer(contentText(input.currentMessage));
  const task = typeof teamTask === 'string' ? { teamTask: await refer(teamTask) } : {};
  return { input: { ...input, contextMessages, currentMessage, ...task }, isChanged };
}
