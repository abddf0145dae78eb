// Outlines of texts with headings: Markdown by level, configuration files by [section].
import { digestOf } from './body-digest.js';
import { lineEnd } from './line-index.js';
import type { CodeSymbol } from './outline-model.js';
import type { PlainSource } from './plain-source.js';

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly name: string;
}

export function headingSymbols(source: PlainSource): CodeSymbol[] {
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

export function sectionSymbols(source: PlainSource): CodeSymbol[] {
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
      bodyDigest: digestOf(
        text.slice(lineEnd(lines, text, heading.line), lineEnd(lines, text, end)),
        heading.name,
      ),
    };
  });
}
