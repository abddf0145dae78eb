// SQL by statements: semicolons outside quotes, comments and dollar quotes end one; its first words name it.
import { bodyDigest, lineAt } from './line-index.js';
import type { PlainSource } from './plain-source.js';
import type { CodeSymbol, SymbolKind } from './syntax/outline-model.js';

const object = '((?:[`"\\[]?[\\w$]+[`"\\]]?\\.)*[`"\\[]?[\\w$]+[`"\\]]?)';
const creation = new RegExp(
  `^CREATE\\s+(?:OR\\s+(?:REPLACE|ALTER)\\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|UNIQUE|MATERIALIZED|RECURSIVE|FOREIGN|EXTERNAL|CONSTRAINT|CLUSTERED|NONCLUSTERED|DEFINER\\s*=\\s*\\S+)\\s+)*(\\w+)\\s+(?:CONCURRENTLY\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?${object}`,
  'i',
);
const action = new RegExp(
  `^(ALTER\\s+\\w+|DROP\\s+\\w+|TRUNCATE(?:\\s+TABLE)?|INSERT\\s+INTO|UPDATE|DELETE\\s+FROM|MERGE\\s+INTO|GRANT|REVOKE|COMMENT\\s+ON\\s+\\w+)\\s+(?:IF\\s+(?:NOT\\s+)?EXISTS\\s+)?(?:ONLY\\s+)?${object}`,
  'i',
);
const kinds: Readonly<Record<string, SymbolKind>> = {
  table: 'type',
  view: 'type',
  type: 'type',
  domain: 'type',
  function: 'function',
  procedure: 'function',
  proc: 'function',
  trigger: 'function',
  aggregate: 'function',
  package: 'module',
  schema: 'module',
  database: 'module',
};

export function sqlSymbols(source: PlainSource): CodeSymbol[] {
  const { text, lines } = source;
  const symbols: CodeSymbol[] = [];
  for (const [start, end] of statements(text)) {
    const statement = text.slice(start, end);
    const found = nameOf(statement);
    if (found === undefined) continue;
    const startLine = lineAt(lines, start);
    const head = statement.split(/\n|\(|\bAS\b/i, 1)[0]!;
    symbols.push({
      ...found,
      startLine,
      endLine: lineAt(lines, end - 1),
      signatureEndLine: startLine,
      exported: found.kind !== 'block',
      signature: head.replace(/\s+/g, ' ').trim(),
      bodyDigest: bodyDigest(statement.slice(head.length), found.name),
    });
  }
  return separated(symbols);
}

/** Statements that share a line are told apart by their first one. */
function separated(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  let until = 0;
  return symbols.filter(({ startLine, endLine }) => {
    const apart = startLine > until;
    if (apart) until = endLine;
    return apart;
  });
}

function nameOf(statement: string): { name: string; kind: SymbolKind } | undefined {
  const head = statement.slice(0, 600).replace(/\s+/g, ' ');
  const created = creation.exec(head);
  if (created !== null)
    return { name: bare(created[2]!), kind: kinds[created[1]!.toLowerCase()] ?? 'variable' };
  const acted = action.exec(head);
  if (acted !== null) return { name: `${acted[1]!.toUpperCase()} ${bare(acted[2]!)}`, kind: 'block' };
  const word =
    /^(?:SELECT|WITH|BEGIN|DECLARE|DO|SET|CALL|EXEC(?:UTE)?|COPY|LOCK|VACUUM|ANALYZE|EXPLAIN)\b/i.exec(
      head,
    )?.[0];
  return word === undefined ? undefined : { name: word.toUpperCase(), kind: 'block' };
}

function bare(name: string): string {
  return name.replace(/[`"[\]]/g, '');
}

/** Offsets [start, end) of each statement, comments before it excluded. */
function statements(text: string): [number, number][] {
  const found: [number, number][] = [];
  const token =
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|(\$[A-Za-z_]*\$)|(\bBEGIN\b|\bCASE\b)|(\bEND\b)|(;)|(\bDELIMITER\s+(\S+))|(^\s*GO\s*$)|\S/gim;
  let start = -1;
  let last = 0;
  let depth = 0;
  let routine = false;
  const close = (end: number): void => {
    if (start !== -1 && end > start) found.push([start, end]);
    start = -1;
    depth = 0;
  };
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [word, dollar, begin, end, semicolon, delimiter, , batch] = match;
    if (word.startsWith('--') || word.startsWith('/*')) continue;
    if (batch !== undefined || delimiter !== undefined) {
      close(last);
      continue;
    }
    if (start === -1 && semicolon === undefined) {
      start = match.index;
      routine =
        /^CREATE\s+(?:OR\s+\w+\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:FUNCTION|PROC|PROCEDURE|TRIGGER|PACKAGE|EVENT)\b/i.test(
          text.slice(start, start + 200),
        );
    }
    if (dollar !== undefined) {
      const closing = text.indexOf(dollar, match.index + dollar.length);
      token.lastIndex = closing === -1 ? text.length : closing + dollar.length;
    } else if (begin !== undefined && routine) depth += 1;
    else if (
      end !== undefined &&
      routine &&
      !/^END\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b/i.test(text.slice(match.index, match.index + 20))
    ) {
      depth = Math.max(0, depth - 1);
    }
    last = Math.max(token.lastIndex, match.index + word.length);
    if (semicolon !== undefined && depth === 0) close(last);
  }
  close(last);
  return found;
}
