// What makes one agent's dialect: markers, the line of a context message, and where the system text goes. Data only.
import type { Dialect } from '../../core/model/dialect.js';
import type { Channel } from '../../core/model/recipe.js';
import type { TurnBody, TurnSection } from '../turn-body.js';

export interface AgentDialect extends Dialect<TurnBody> {
  readonly systemChannel: Channel;
}

export interface AgentDialectChoices {
  readonly id: string;
  readonly systemChannel: Channel;
  /** Marker lines; a section without one has none. */
  readonly markers: Partial<Record<TurnSection, string>>;
  line(message: Extract<TurnBody, { kind: 'message' }>): string;
}

export function agentDialect(choices: AgentDialectChoices): AgentDialect {
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
