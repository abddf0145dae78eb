// Code inside a file of another kind: the scripts of a component, the code cells of a notebook. It is read by its own grammar, each
// line at the number it has in the file; what stands around it is markup, documentation or data.
import { indexLines, kindsOfLines, type LineIndex, lineAt, lineEnd } from './line-index.js';
import { commentStyleOf, scanComments } from './plain-source.js';
import { lineKind, type Outline, type Spans } from './syntax/outline-model.js';

export interface EmbeddedCode {
  /** Of the code, not of the file. */
  readonly language: string;
  /** As many lines as the file; those that are no code are blank. */
  readonly code: string;
  /** Where the code's text at an offset stands in the file. */
  place(offset: number): number;
  /** Spans of the file that explain, outside the code. */
  readonly comments: Spans;
  /** What each line of the file is, where that does not follow from its comments. */
  kind?(line: number, code: number): number;
}

type Reader = (text: string) => EmbeddedCode | undefined;

const readers: Readonly<Record<string, Reader>> = {
  vue: componentScripts,
  svelte: componentScripts,
  notebook: notebookCells,
};

/** Undefined where the file holds no code that can be read. */
export function embeddedCode(language: string, text: string): EmbeddedCode | undefined {
  return Object.hasOwn(readers, language) ? readers[language]!(text) : undefined;
}

/** The outline of the code, told of the file around it. */
export function outlineAround(host: string, text: string, embedded: EmbeddedCode, inner: Outline): Outline {
  const lines = indexLines(text);
  const code = indexLines(embedded.code);
  const placed = (spans: Spans) => spans.map((offset) => Math.min(text.length, embedded.place(offset)));
  const comments = inOrder(
    [...wholeLines(inner, code, lines, text), ...embedded.comments],
    placed(inner.comments),
  );
  const kinds = kindsOfLines(text, lines, comments);
  if (embedded.kind !== undefined)
    for (let at = 0; at < kinds.length; at += 1) {
      if (kinds[at] === lineKind.code)
        kinds[at] = embedded.kind(at + 1, inner.lineKinds[at] ?? lineKind.blank);
    }
  return {
    ...inner,
    language: host,
    lineCount: lines.count,
    lineKinds: kinds,
    comments,
    strings: placed(inner.strings),
  };
}

/** A line of code that only explains takes what the file puts around it along. */
function wholeLines(inner: Outline, code: LineIndex, lines: LineIndex, text: string): number[] {
  const spans: number[] = [];
  for (let line = 1; line <= Math.min(code.count, lines.count); line += 1)
    if (inner.lineKinds[line - 1] === lineKind.comment)
      spans.push(lines.starts[line - 1]!, lineEnd(lines, text, line));
  return spans;
}

function inOrder(left: Spans, right: Spans): number[] {
  const pairs: [number, number][] = [];
  for (const spans of [left, right])
    for (let at = 0; at < spans.length; at += 2) pairs.push([spans[at]!, spans[at + 1]!]);
  pairs.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const kept: number[] = [];
  for (const [start, end] of pairs) if (start >= (kept.at(-1) ?? 0)) kept.push(start, end);
  return kept;
}

const script = /(<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>)([\s\S]*?)<\/script\s*>/gi;
const style = /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi;
const foreign = /\b(?:src|type)\s*=\s*["'](?!module|text\/(?:java|type)script)/i;
const dialects: Readonly<Record<string, string>> = { ts: 'typescript', typescript: 'typescript', tsx: 'tsx' };

/** All scripts of a component are one module, in one language. */
function componentScripts(text: string): EmbeddedCode | undefined {
  let language = 'javascript';
  let code = '';
  let markup = '';
  let from = 0;
  for (const found of text.matchAll(script)) {
    const [, open = '', attributes = '', body = ''] = found;
    if (foreign.test(attributes)) continue;
    const dialect = /\blang\s*=\s*["']?(\w+)/i.exec(attributes)?.[1]?.toLowerCase() ?? 'js';
    if (dialects[dialect] !== undefined) language = dialects[dialect];
    const start = found.index + open.length;
    const before = text.slice(from, start);
    code += blank(before) + body;
    markup += before + blank(body);
    from = start + body.length;
  }
  if (from === 0) return undefined;
  code += blank(text.slice(from));
  markup += text.slice(from);
  const { comments } = scanComments(markup, commentStyleOf('html'));
  const lines = indexLines(text);
  const styled = new Set<number>();
  for (const { index, 0: whole } of markup.matchAll(style))
    for (let line = lineAt(lines, index); line <= lineAt(lines, index + whole.length - 1); line += 1)
      styled.add(line);
  const kind = (line: number) => (styled.has(line) ? lineKind.data : lineKind.code);
  return { language, code, place: (offset) => offset, comments, kind };
}

/** Same length and lines, so that offsets stay true. */
function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

const cellType = /^\s*"cell_type":\s*"(\w+)"/;
const sourceStart = /^(\s*)"source":\s*\[\s*$/;
const shellLine = /^(\s*)(?:[%!?]|\w+\?\??$)/;

/** Cells as notebooks write them, one string to a line; in any other layout the file is data. */
function notebookCells(text: string): EmbeddedCode | undefined {
  const lines = indexLines(text);
  const said = new Map<number, string>();
  const prose: number[] = [];
  let type = '';
  let close: string | undefined;
  for (let line = 1; line <= lines.count; line += 1) {
    const content = text.slice(lines.starts[line - 1]!, lineEnd(lines, text, line)).trimEnd();
    if (close !== undefined) {
      if (content.startsWith(close)) close = undefined;
      else if (type === 'code') said.set(line, decoded(content));
      else prose.push(lines.starts[line - 1]!, lineEnd(lines, text, line));
      continue;
    }
    type = cellType.exec(content)?.[1] ?? type;
    const indent = sourceStart.exec(content)?.[1];
    if (indent !== undefined) close = `${indent}]`;
  }
  if (said.size === 0) return undefined;
  const code = Array.from({ length: lines.count }, (_, at) => said.get(at + 1) ?? '').join('\n');
  const index = indexLines(code);
  return {
    language: kernelOf(text),
    code,
    place: (offset) => {
      const line = lineAt(index, offset);
      const start = lines.starts[line - 1]!;
      return encodedOffset(text, start, lineEnd(lines, text, line), offset - index.starts[line - 1]!);
    },
    comments: prose,
    kind: (line, kind) => (said.has(line) ? kind : lineKind.data),
  };
}

/** Commands to the notebook itself are no statements of its language, but something happens there. */
function decoded(content: string): string {
  const literal = /^\s*("(?:[^"\\]|\\.)*")\s*,?$/.exec(content)?.[1];
  if (literal === undefined) return '';
  try {
    const source = String(JSON.parse(literal)).replace(/[\r\n]/g, '');
    return shellLine.test(source) ? source.replace(/^(\s*).*/, '$1pass') : source;
  } catch {
    return '';
  }
}

/** Escaped characters take more room in the file than they say. */
function encodedOffset(text: string, start: number, end: number, count: number): number {
  let at = text.indexOf('"', start) + 1;
  for (let left = count; left > 0 && at < end; left -= 1)
    at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
  return Math.min(at, end);
}

function kernelOf(text: string): string {
  const language = /"language_info":\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)?"name":\s*"(\w+)"/.exec(text)?.[1];
  return (language ?? /"language":\s*"(\w+)"/.exec(text)?.[1] ?? 'python').toLowerCase();
}
