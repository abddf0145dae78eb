// Foreign words in our Markdown: they keep their code, paragraphs and lists, and can neither mention, link, load, hide nor command.
import { showHidden } from '../../cleaning/hidden-text.js';
import { inlineMarkdown, type Signs } from './inline-markdown.js';
import { codeBlock, codeSpan } from './markdown-code.js';

/** On one line, for titles. */
export function markdownLine(text: string, signs: Signs = 'escaped'): string {
  return lineStart(inlineMarkdown(showHidden(text).replace(/\s+/g, ' ').trim(), signs), signs);
}

/** Paragraphs, lists, inline code and fenced code survive; everything else is text. */
export function markdownText(text: string, signs: Signs = 'escaped'): string {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: { mark: string; code: string[] } | undefined;
  const flush = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'));
    lines = [];
  };
  for (const line of showHidden(text).split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence.mark) && line.trim() === mark) {
        blocks.push(codeBlock(fence.code.join('\n')));
        fence = undefined;
      } else fence.code.push(line);
    } else if (mark !== undefined) {
      flush();
      fence = { mark, code: [] };
    } else if (line.trim() === '') flush();
    else lines.push(proseLine(line, signs));
  }
  flush();
  if (fence !== undefined) blocks.push(codeBlock(fence.code.join('\n')));
  return blocks.join('\n\n');
}

function proseLine(line: string, signs: Signs): string {
  const item = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(?=\S)/.exec(line);
  const marker = item === null ? '' : item[1] === undefined ? '- ' : `${item[1]}. `;
  return marker + lineStart(inlineMarkdown(line.slice(item?.[0].length ?? 0).trim(), signs), signs);
}

/** Signs that mean something only where a line begins: headings, lists, rules, commands. */
function lineStart(text: string, signs: Signs): string {
  if (signs === 'spanned') return text.replace(/^[-+=#/>:~]\S*/, codeSpan);
  return text.replace(/^(?=[-+=#/>:~])/, '\\').replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}
