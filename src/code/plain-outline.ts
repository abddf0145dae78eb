// An outline without a syntax tree: by headings, statements or indentation, whichever the language calls for.
import { commentStyleOf, scanComments } from './comment-scan.js';
import { headingSymbols, sectionSymbols } from './heading-outline.js';
import { indentSymbols } from './indent-outline.js';
import { indexLines } from './line-index.js';
import { kindsOfLines } from './line-kinds.js';
import type { CodeSymbol, Outline } from './outline-model.js';
import type { PlainSource } from './plain-source.js';
import { sqlSymbols } from './sql-outline.js';

const largestPlain = 4_000_000;

export function plainOutline(language: string, text: string): Outline {
  const lines = indexLines(text);
  const style = commentStyleOf(language);
  const { comments, strings } =
    text.length > largestPlain ? { comments: [], strings: [] } : scanComments(text, style);
  const kinds = kindsOfLines(text, lines, comments);
  const source: PlainSource = { language, text, lines, kinds, comments, style };
  return {
    language,
    parsed: false,
    damaged: false,
    lineCount: lines.count,
    symbols: text.length > largestPlain ? [] : symbolsOf(source),
    imports: [],
    lineKinds: kinds,
    uses: [],
    roles: [],
    comments,
    strings,
    warnings: [],
  };
}

function symbolsOf(source: PlainSource): CodeSymbol[] {
  if (source.language === 'markdown') return headingSymbols(source);
  if (source.language === 'toml' || source.language === 'ini') return sectionSymbols(source);
  if (source.language === 'sql') return sqlSymbols(source);
  return indentSymbols(source);
}
