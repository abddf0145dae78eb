// Blocks as Markdown. What would read as a mark is escaped, so that reading it again gives the same words; where two looks touch,
// the words win over the second look.
import type { Block, Span } from './blocks.js';

export function writeMarkdown(blocks: readonly Block[]): string {
  const parts = blocks.map(partOf);
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

function partOf(block: Block): string {
  if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${spansOf(block.spans)}`;
  // An empty part makes the room between two paragraphs wider than usual.
  if (block.kind === 'break') return block.mark;
  const words = lineStart(spansOf(block.spans));
  return block.quoted === true ? `> ${words}` : words;
}

function spansOf(spans: readonly Span[]): string {
  let text = '';
  let isAfterMark = false;
  for (const span of spans) {
    const signs = (span.emphasis === true ? 1 : 0) + (span.strong === true ? 2 : 0);
    const [, before = '', words = '', behind = ''] = /^(\s*)([\s\S]*?)(\s*)$/u.exec(span.text) ?? [];
    const isMarked: boolean = signs > 0 && words !== '' && (!isAfterMark || before !== '');
    text += isMarked
      ? `${before}${'*'.repeat(signs)}${escaped(words)}${'*'.repeat(signs)}${behind}`
      : escaped(span.text);
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
