// Bash and its relatives.
import { fieldText, type NodeView, type SyntaxTable, unquote } from '../syntax/syntax-table.js';
import { usualComments, usualStrings } from './usual-nodes.js';

function sourced(view: NodeView): { module: string; names: string[] }[] {
  const name = fieldText(view, 'name');
  if (name !== 'source' && name !== '.') return [];
  const module = unquote(fieldText(view, 'argument') ?? '');
  return module === '' ? [] : [{ module, names: ['*'] }];
}

export const bash: SyntaxTable = {
  units: {
    function_definition: { kind: 'function' },
    variable_assignment: { kind: 'variable', body: 'value' },
  },
  wrappers: { declaration_command: '*' },
  leading: [],
  scopes: ['command_substitution', 'subshell', 'command'],
  comments: usualComments,
  strings: usualStrings,
  imports: { command: sourced },
  exported: ({ kind, wrappers, parent }) =>
    parent === undefined &&
    (kind === 'function' || (kind === 'variable' && wrappers.includes('declaration_command'))),
  identifiers: { plain: ['command_name', 'variable_name'], types: [] },
  calls: { command: 'name' },
  definitions: { variable_assignment: 'name' },
  roles: {
    matching: [
      { type: 'list', pattern: /\|\|\s*(?:exit|return|die|fail|true|:)/, role: 'error-handling' },
      { type: 'command', pattern: /^set\s+-[a-z]*e/, role: 'error-handling' },
    ],
    calls: [
      [/^(?:trap|exit|die|fail|return)$/, 'error-handling'],
      [/^(?:wait|flock|nohup|xargs|parallel|coproc)$/, 'concurrency'],
      [/^(?:psql|mysql|sqlite3|mongosh?|redis-cli|pg_dump)$/, 'data-access'],
    ],
  },
};
