// Appends one table to a TOML configuration, or takes it out again. The rest is only looked at: a file whose lines are no TOML,
// or that names the server in another way, is left alone.
import { GalleyError } from '../../core/model/error.js';
import type { ServerEntry } from './mcp-install-json.js';
import { readStatements, type TomlStatement } from './mcp-install-statements.js';

const table = ['mcp_servers', 'galley'];

export function withTomlEntry(source: string, { command, args }: ServerEntry): string {
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const words = [
    `[${table.join('.')}]`,
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(', ')}]`,
  ];
  const section = `${words.join(eol)}${eol}`;
  const own = ownLines(source);
  if (own !== undefined) {
    if (own.text.trimEnd() === section.trimEnd()) return source;
    const gap = /\s*$/.exec(own.text)?.[0] ?? '';
    return source.slice(0, own.start) + section.trimEnd() + gap + source.slice(own.end);
  }
  const before = source === '' || source.endsWith('\n') ? source : `${source}${eol}`;
  return `${before}${before.trim() === '' ? '' : eol}${section}`;
}

export function withoutTomlEntry(source: string): string {
  const own = ownLines(source);
  if (own === undefined) return source;
  const head = source.slice(0, own.start);
  const rest = source.slice(own.end);
  return rest === '' ? head.replace(/(\r?\n)(?:\r?\n)+$/, '$1') : head + rest;
}

/** The text of our table up to the next one; tables below it are the user's. */
function ownLines(source: string): { start: number; end: number; text: string } | undefined {
  const statements = readStatements(source);
  if (statements === undefined) {
    throw new GalleyError(
      'CONFIG_INVALID',
      'The file does not read as TOML; mend it first, it stays as it is.',
    );
  }
  const headers = statements.filter(({ kind }) => kind !== 'value');
  const own = headers.filter(({ kind, key }) => kind === 'table' && isKey(key, table));
  const isOtherwise = statements.some((statement) => namesUsOtherwise(statement, statements));
  if (own.length > 1 || isOtherwise) {
    throw new GalleyError(
      'CONFIG_INVALID',
      `The file names ${table.join('.')} in another way than as one table; change it by hand.`,
    );
  }
  if (own[0] === undefined) return undefined;
  const { start } = own[0];
  const next = headers.find((header) => header.start > start);
  const comments = next === undefined ? source.length : startOfComments(source, next.start);
  return { start, end: comments, text: source.slice(start, comments) };
}

function namesUsOtherwise({ kind, key, start }: TomlStatement, all: readonly TomlStatement[]): boolean {
  if (kind === 'array') return isKey(key, table) || isKey(key, table.slice(0, 1));
  if (kind !== 'value') return false;
  const header = all.findLast((other) => other.kind !== 'value' && other.start < start);
  const full = [...(header?.key ?? []), ...key];
  const isInTable = header !== undefined && isKey(header.key.slice(0, 2), table);
  return !isInTable && (isKey(full, table.slice(0, 1)) || isKey(full.slice(0, 2), table));
}

function isKey(key: readonly string[], other: readonly string[]): boolean {
  return key.length === other.length && key.every((part, index) => part === other[index]);
}

/** Comments right above a header speak of it. */
function startOfComments(source: string, header: number): number {
  let start = header;
  for (;;) {
    const above = source.lastIndexOf('\n', start - 2) + 1;
    if (above >= start || !/^[ \t]*#/.test(source.slice(above, start))) return start;
    start = above;
  }
}

const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
