// An outline without a syntax tree: by headings, statements or indentation, whichever the language calls for.

import { bodyDigest, indexLines, kindsOfLines, lineEnd } from './line-index.js';
import { commentStyleOf, type PlainSource, scanComments } from './plain-source.js';
import { ruledFacts } from './ruled-outline.js';
import { sqlSymbols } from './sql-outline.js';
import { type CodeSymbol, lineKind, type Outline, type SymbolKind } from './syntax/outline-model.js';
import { plainLanguages } from './tables/plain-languages.js';

const largestPlain = 4_000_000;

interface PlainOptions {
  readonly uses?: boolean;
  readonly roles?: boolean;
}

export function plainOutline(language: string, text: string, options: PlainOptions = {}): Outline {
  const lines = indexLines(text);
  const style = commentStyleOf(language);
  const { comments, strings } =
    text.length > largestPlain ? { comments: [], strings: [] } : scanComments(text, style);
  const inked = kindsOfLines(text, lines, comments);
  const kinds = language === 'notebook' ? inked.map((kind) => kind && lineKind.data) : inked;
  const source: PlainSource = { language, text, lines, kinds, comments, style };
  const rules = Object.hasOwn(plainLanguages, language) ? plainLanguages[language] : undefined;
  const ruled = rules && text.length <= largestPlain ? ruledFacts(source, rules, strings) : undefined;
  return {
    language,
    parsed: false,
    damaged: false,
    lineCount: lines.count,
    symbols: ruled?.symbols ?? (text.length > largestPlain ? [] : symbolsOf(source)),
    imports: ruled?.imports ?? [],
    lineKinds: kinds,
    uses: (options.uses && ruled?.uses()) || [],
    roles: (options.roles && ruled?.roles()) || [],
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

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly name: string;
}

/** Outlines of texts with headings: Markdown by level, configuration files by [section]. */
function headingSymbols(source: PlainSource): CodeSymbol[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let previous = '';
  eachLine(source, (content, line) => {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(content)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && /^\s*[`~]+\s*$/.test(content)) fence = undefined;
    } else if (marker !== undefined) {
      fence = marker;
    } else {
      const heading = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(content);
      if (heading !== null) headings.push({ line, level: heading[1]!.length, name: heading[2] ?? '' });
      const underline = /^ {0,3}(=+|-+)\s*$/.exec(content)?.[1];
      if (underline !== undefined && /^ {0,3}[^\s#>|\-=*+]/.test(previous) && !/^---/.test(previous)) {
        headings.push({ line: line - 1, level: underline[0] === '=' ? 1 : 2, name: previous.trim() });
      }
    }
    previous = fence === undefined ? content : '';
  });
  return nest(source, headings);
}

function sectionSymbols(source: PlainSource): CodeSymbol[] {
  const headings: Heading[] = [];
  eachLine(source, (content, line) => {
    const name = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:[#;].*)?$/.exec(content)?.[1];
    if (name !== undefined) headings.push({ line, level: 1, name });
  });
  return nest(source, headings);
}

function eachLine({ text, lines }: PlainSource, visit: (content: string, line: number) => void): void {
  for (let line = 1; line <= lines.count; line += 1) {
    visit(text.slice(lines.starts[line - 1]!, lineEnd(lines, text, line)).replace(/\r$/, ''), line);
  }
}

/** A section runs to the next heading of its level or above, without trailing blank lines. */
function nest({ text, lines, kinds }: PlainSource, headings: readonly Heading[]): CodeSymbol[] {
  const open: number[] = [];
  return headings.map((heading, at) => {
    while (open.length > 0 && headings[open.at(-1)!]!.level >= heading.level) open.pop();
    const parent = open.at(-1);
    open.push(at);
    let end = lines.count;
    for (let next = at + 1; next < headings.length; next += 1) {
      if (headings[next]!.level > heading.level) continue;
      end = headings[next]!.line - 1;
      break;
    }
    while (end > heading.line && kinds[end - 1] === 0) end -= 1;
    return {
      name: heading.name.slice(0, 200),
      kind: 'block',
      startLine: heading.line,
      endLine: end,
      signatureEndLine: heading.line,
      exported: false,
      ...(parent === undefined ? {} : { parent }),
      signature: heading.name,
      bodyDigest: bodyDigest(
        text.slice(lineEnd(lines, text, heading.line), lineEnd(lines, text, end)),
        heading.name,
      ),
    };
  });
}

const declarations: readonly (readonly [RegExp, SymbolKind])[] = [
  [/\b(?:class|struct|record|object|impl|extension|actor)\s+([\w$.:<>]+)/, 'class'],
  [/\b(?:interface|trait|protocol)\s+([\w$.]+)/, 'interface'],
  [/\benum\s+(?:class\s+)?([\w$.]+)/, 'enum'],
  [/\b(?:namespace|module|package|mod)\s+([\w$.:]+)/, 'module'],
  [/\b(?:def|func|function|fn|fun|sub|defp|defmodule|proc)\b\*?\s*(?:\([^)]*\)\s*)?([\w$.?!]+)/, 'function'],
  [
    /\b(?:const|let|var|val)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)/,
    'function',
  ],
  [/^\s*(?:[\w<>[\],:*&]+\s+)+([\w$:~]+)\s*\([^;]*$/, 'function'],
];
const controlWords =
  /^\W*(?:if|else|elif|for|while|do|switch|case|try|catch|except|finally|with|return|when|match|unless|until|begin|rescue|ensure)\b/;
const closers = /^\s*(?:[\])}]+[;,)]*|end\b.*|<\/[\w-]+>|fi|done|esac)\s*;?\s*$/;
const maxSymbols = 20_000;

interface OpenBlock {
  readonly symbol: number;
  readonly indent: number;
}

/**
 * Blocks by indentation: a line followed by deeper lines opens a block; a line at its depth that only closes belongs to it.
 */
function indentSymbols(source: PlainSource): CodeSymbol[] {
  const { text, lines, kinds } = source;
  const drafts: { name: string; kind: SymbolKind; start: number; end: number; parent: number | undefined }[] =
    [];
  const open: OpenBlock[] = [];
  let last: { line: number; indent: number } | undefined;
  for (let line = 1; line <= lines.count; line += 1) {
    if (kinds[line - 1] !== lineKind.code) continue;
    const content = text.slice(lines.starts[line - 1]!, lineEnd(lines, text, line));
    const indent = depthOf(content);
    if (last !== undefined && indent > last.indent && drafts.length < maxSymbols) {
      const opener = text.slice(lines.starts[last.line - 1]!, lineEnd(lines, text, last.line));
      const head = headOf(opener);
      if (head !== undefined) {
        drafts.push({ ...head, start: last.line, end: last.line, parent: open.at(-1)?.symbol });
        open.push({ symbol: drafts.length - 1, indent: last.indent });
      }
    }
    while (open.length > 0 && indent <= open.at(-1)!.indent) {
      const block = open.pop()!;
      if (indent === block.indent && closers.test(content)) drafts[block.symbol]!.end = line;
    }
    for (const { symbol } of open) drafts[symbol]!.end = line;
    last = { line, indent };
  }
  return drafts.map(({ name, kind, start, end, parent }) => {
    const owner = parent === undefined ? undefined : drafts[parent];
    const member = kind === 'function' && (owner?.kind === 'class' || owner?.kind === 'interface');
    const header = text.slice(lines.starts[start - 1]!, lineEnd(lines, text, start));
    return {
      name,
      kind: member ? 'method' : kind,
      startLine: start,
      endLine: end,
      signatureEndLine: start,
      exported: /\b(?:export|public|pub)\b/.test(header),
      ...(parent === undefined ? {} : { parent }),
      signature: header
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/\s*[{:]$/, ''),
      bodyDigest: bodyDigest(text.slice(lineEnd(lines, text, start), lineEnd(lines, text, end)), name),
    };
  });
}

function depthOf(line: string): number {
  let depth = 0;
  for (const character of line) {
    if (character === ' ') depth += 1;
    else if (character === '\t') depth += 8 - (depth % 8);
    else break;
  }
  return depth;
}

function headOf(opener: string): { name: string; kind: SymbolKind } | undefined {
  const short = opener.slice(0, 400);
  if (!controlWords.test(short)) {
    for (const [pattern, kind] of declarations) {
      const name = pattern.exec(short)?.[1];
      if (name !== undefined) return { name, kind };
    }
  }
  const words = /[\p{L}\p{N}_$./@-]+/u.exec(short.replace(/^[\s\-"'<]+/, ''))?.[0];
  return words === undefined ? undefined : { name: words.slice(0, 80), kind: 'block' };
}
