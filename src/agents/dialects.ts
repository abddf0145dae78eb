// How a turn reads for each agent: markers, the line of a context message, and where the system text goes. Data only.
import type { Channel, Dialect } from '../core/model/recipe.js';

export interface AgentDialect extends Dialect<TurnBody> {
  readonly systemChannel: Channel;
}

interface AgentDialectChoices {
  readonly id: string;
  readonly systemChannel: Channel;
  /** Marker lines; a section without one has none. */
  readonly markers: Partial<Record<TurnSection, string>>;
  line(message: Extract<TurnBody, { kind: 'message' }>): string;
}

function agentDialect(choices: AgentDialectChoices): AgentDialect {
  const headingOf = (section: string) => {
    const marker = choices.markers[section as TurnSection];
    return marker === undefined ? '' : `${marker}\n`;
  };
  return {
    id: choices.id,
    version: 1,
    systemChannel: choices.systemChannel,
    apart: '\n\n',
    section: (id) => ({ heading: headingOf(id), between: id === 'system' ? '\n\n' : '\n' }),
    word: (body) => (body.kind === 'message' ? choices.line(body) : body.text),
  };
}

/** The same words with the system text in a channel of its own, where it needs no marker. */
export function withSystemApart(dialect: AgentDialect): AgentDialect {
  if (dialect.systemChannel === 'system') return dialect;
  return {
    ...dialect,
    id: `${dialect.id}-native`,
    systemChannel: 'system',
    section: (id, page) => (id === 'system' ? { heading: '', between: '\n\n' } : dialect.section(id, page)),
  };
}

export const claudeCode = agentDialect({
  id: 'claude-code',
  systemChannel: 'system',
  markers: { task: '[TEAM_TASK]', context: '[CONTEXT]', code: '[CODE]', message: '[MESSAGE]' },
  line: ({ from, to, content }) => `- ${from} -> ${to}: ${content}`,
});

export const openaiCodex = agentDialect({
  id: 'openai-codex',
  systemChannel: 'prompt',
  markers: {
    system: '[SYSTEM]',
    task: '[TEAM_TASK]',
    context: '[CONTEXT]',
    code: '[CODE]',
    message: '[MESSAGE]',
  },
  line: ({ from, to, content }) => `- ${from} -> ${to}: ${content}`,
});

export const googleGemini = agentDialect({
  id: 'google-gemini',
  systemChannel: 'prompt',
  markers: {
    system: 'Instructions:',
    task: 'Team Task:',
    context: 'Conversation so far:',
    code: 'Code found for the task:',
    message: 'Last message:',
  },
  line: ({ from, content }) => `- ${from}: ${content}`,
});

export const plain = agentDialect({
  id: 'plain',
  systemChannel: 'prompt',
  markers: {},
  line: ({ from, content }) => `${from}: ${content}`,
});

/** What a fragment of an agent's turn holds before it is put into words. */
export type TurnBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'message'; readonly from: string; readonly to: string; readonly content: string };

export type TurnSection = 'system' | 'task' | 'context' | 'code' | 'message';
