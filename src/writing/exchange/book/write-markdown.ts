// Blocks as Markdown. A line that reads back as what it is stands as it is; in any other what would read as a mark is escaped, so that
// reading it again gives the same words. Where two looks touch, the words win over the second look.
import { type Block, joinedSpans, type Span } from './blocks.js';
import { readLine } from './read-markdown.js';

export function writeMarkdown(blocks: readonly Block[]): string {
  const parts = blocks.map(partOf);
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

function partOf(block: Block): string {
  // An empty part makes the room between two paragraphs wider than usual.
  if (block.kind === 'break') return block.mark;
  const lead = block.kind === 'heading' ? `${'#'.repeat(block.level)} ` : block.quoted === true ? '> ' : '';
  const plain = lead + spansOf(block.spans, (text) => text);
  if (isRead(plain, block)) return plain;
  const words = spansOf(block.spans, escaped);
  return lead + (block.kind === 'heading' ? words : lineStart(words));
}

/** What opens a comment might end far below. */
function isRead(line: string, block: Block): boolean {
  return !line.includes('<!--') && said(readLine(line)) === said(block);
}

/** All but blanks, which stand inside or outside of a look. */
function said(block: Block): string {
  if (block.kind === 'break') return JSON.stringify(block);
  const bare = block.spans.map((span) => ({ ...span, text: span.text.replace(/\s+/gu, '') }));
  const spans = joinedSpans(bare).map(({ text, emphasis = false, strong = false }) => [
    text,
    emphasis,
    strong,
  ]);
  const { kind } = block;
  return JSON.stringify([kind, kind === 'heading' ? block.level : block.quoted === true, spans]);
}

function spansOf(spans: readonly Span[], write: (text: string) => string): string {
  let text = '';
  let isAfterMark = false;
  for (const span of spans) {
    const signs = (span.emphasis === true ? 1 : 0) + (span.strong === true ? 2 : 0);
    const [, before = '', words = '', behind = ''] = /^(\s*)([\s\S]*?)(\s*)$/u.exec(span.text) ?? [];
    const isMarked: boolean = signs > 0 && words !== '' && (!isAfterMark || before !== '');
    text += isMarked
      ? `${before}${'*'.repeat(signs)}${write(words)}${'*'.repeat(signs)}${behind}`
      : write(span.text);
    isAfterMark = isMarked && behind === '';
  }
  return text.trim();
}

function escaped(text: string): string {
  return text
    .replace(/[*`]|\\(?=[!-/:-@[-`{-~]|$)|<(?=[a-zA-Z/!?])|&(?=#?\w+;)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}

/** A line that begins like a heading, a list, a quotation or a break is none of them. */
function lineStart(text: string): string {
  const marks = /^(?:#{1,6}(?=\s|$)|[>+=~-]|\d{1,9}(?=[.)]))/u.exec(text)?.[0];
  if (marks === undefined) return text;
  const digits = /^\d/.test(marks);
  return digits ? `${marks}\\${text.slice(marks.length)}` : `\\${text}`;
}
