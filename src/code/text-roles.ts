// Roles that follow from where a span stands: comments, documentation, strings and imports.

import { type LineIndex, lineAt } from './line-index.js';
import type { CodeSymbol, EvidenceRole, RoleSpan, Spans } from './syntax/outline-model.js';

interface Spoken {
  readonly text: string;
  readonly lines: LineIndex;
  readonly symbols: readonly CodeSymbol[];
  readonly comments: Spans;
  readonly docstrings: Spans;
  readonly strings: Spans;
  readonly imports: Spans;
}

export function textRoles(spoken: Spoken): RoleSpan[] {
  const { text, lines, comments, docstrings, strings, imports } = spoken;
  const roles: RoleSpan[] = [];
  const add = (role: EvidenceRole, spans: Spans, alone: boolean): void => {
    for (let at = 0; at < spans.length; at += 2) {
      const start = spans[at]!;
      const length = text.slice(start, spans[at + 1]!).trimEnd().length;
      roles.push({
        role,
        startLine: lineAt(lines, start),
        endLine: lineAt(lines, start + Math.max(0, length - 1)),
        alone,
      });
    }
  };
  add('import', imports, true);
  add('string', strings, false);
  add('doc-comment', docstrings, true);
  add('comment', comments, true);
  add('doc-comment', documenting(spoken), true);
  return roles;
}

/** Marked as documentation, or directly above a symbol, comment lines in a row counting as one. */
function documenting({ text, lines, symbols, comments }: Spoken): number[] {
  const starts = new Set(symbols.map(({ startLine }) => startLine));
  const found: number[] = [];
  for (let at = comments.length - 2; at >= 0; at -= 2) {
    const start = comments[at]!;
    const end = comments[at + 1]!;
    const first = lineAt(lines, start);
    const below = lineAt(lines, start + Math.max(0, text.slice(start, end).trimEnd().length - 1)) + 1;
    const leads = starts.has(below) && text.slice(lines.starts[first - 1]!, start).trim() === '';
    if (leads) starts.add(first);
    if (leads || /^(?:\/\*\*(?!\/)|\/\/\/|\/\/!)/.test(text.slice(start, start + 4))) found.push(start, end);
  }
  return found;
}
