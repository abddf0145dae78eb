// Blocks by indentation: a line followed by deeper lines opens a block; a line at its depth that only closes belongs to it.
import { digestOf } from './body-digest.js';
import { lineEnd } from './line-index.js';
import { type CodeSymbol, lineKind, type SymbolKind } from './outline-model.js';
import type { PlainSource } from './plain-source.js';

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
const mostSymbols = 20_000;

interface OpenBlock {
  readonly symbol: number;
  readonly indent: number;
}

export function indentSymbols(source: PlainSource): CodeSymbol[] {
  const { text, lines, kinds } = source;
  const drafts: { name: string; kind: SymbolKind; start: number; end: number; parent: number | undefined }[] =
    [];
  const open: OpenBlock[] = [];
  let last: { line: number; indent: number } | undefined;
  for (let line = 1; line <= lines.count; line += 1) {
    if (kinds[line - 1] !== lineKind.code) continue;
    const content = text.slice(lines.starts[line - 1]!, lineEnd(lines, text, line));
    const indent = depthOf(content);
    if (last !== undefined && indent > last.indent && drafts.length < mostSymbols) {
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
      bodyDigest: digestOf(text.slice(lineEnd(lines, text, start), lineEnd(lines, text, end)), name),
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
