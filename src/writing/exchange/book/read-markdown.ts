// A chapter in Markdown as blocks. Headings, emphasis, quotations and scene breaks are read; everything else is text. Notes that
// no reader is to see, front matter and comments, are left out and counted.
import { withoutFront } from '../../documents/front-matter.js';
import { type Block, isSceneMark, joinedSpans, type Span } from './blocks.js';
import { blocksOfLines } from './text-lines.js';

export interface ReadMarkdown {
  readonly blocks: readonly Block[];
  /** Comments and front matter, which stay in the file. */
  readonly notes: number;
}

const comment = /<!--[\s\S]*?-->/g;
const heading = /^(#{1,6})\s+(.+?)\s*#*$/u;
const quote = /^>\s?(.*)$/u;

export function readMarkdown(text: string): ReadMarkdown {
  const { text: body, notes } = withoutNotes(text);
  const blocks = blocksOfLines(body.split('\n'), {
    alone: blockOf,
    paragraph: paragraphOf,
  });
  return { blocks, notes };
}

/** A line that stands for itself. */
export function readLine(line: string): Block {
  return blockOf(line) ?? paragraphOf(line);
}

function paragraphOf(words: string): Block {
  return { kind: 'paragraph', spans: readSpans(words) };
}

export function withoutNotes(text: string): { readonly text: string; readonly notes: number } {
  let notes = 0;
  const left = () => {
    notes += 1;
    return '';
  };
  const body = withoutFront(text);
  if (body !== text) notes += 1;
  return { text: body.replace(comment, left), notes };
}

function blockOf(line: string): Block | undefined {
  if (isSceneMark(line)) return { kind: 'break', mark: line };
  const [, marks = '', title] = heading.exec(line) ?? [];
  if (title !== undefined) return { kind: 'heading', level: marks.length, spans: readSpans(title) };
  const quoted = quote.exec(line)?.[1]?.trim();
  return quoted === undefined || quoted === ''
    ? undefined
    : { kind: 'paragraph', quoted: true, spans: readSpans(quoted) };
}

/** Marks of one, two or three signs that touch what they hold and close as they open. */
const marked =
  /\\([!-/:-@[-`{-~])|(?<![*\\])(\*{1,3})(?![\s*])((?:[^*\\\n]|\\.)*?(?:[^*\\\s]|\\.))\2(?!\*)|(?<![\p{L}\p{N}_\\])(_{1,3})(?![\s_])((?:[^_\\\n]|\\.)*?(?:[^_\\\s]|\\.))\4(?![\p{L}\p{N}_])/gu;

export function readSpans(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(marked)) {
    spans.push({ text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    const mark = match[2] ?? match[4];
    if (mark === undefined) spans.push({ text: match[1] ?? '' });
    else spans.push({ text: unescaped(match[3] ?? match[5] ?? ''), ...lookOf(mark.length) });
  }
  spans.push({ text: text.slice(from) });
  return joinedSpans(spans);
}

function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function lookOf(signs: number): Pick<Span, 'emphasis' | 'strong'> {
  return { ...(signs === 2 ? {} : { emphasis: true }), ...(signs === 1 ? {} : { strong: true }) };
}
