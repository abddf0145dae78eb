// The lines of a card, each with its own break, and what is done to them; lines that nothing is done to keep their bytes.
import type { CardExtras } from './card-file.js';
import { lineBreakOf, linesOf } from './list-file.js';

export type CardPage = ReturnType<typeof pageOf>;

export function pageOf(text: string) {
  const eol = lineBreakOf(text);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = linesOf(text).map(({ start, end, content }) => ({
    content,
    end: text.slice(start, end).replace(/^[^\r\n]*/u, ''),
    isGone: false,
    after: [] as string[],
  }));
  const above: string[] = [];
  const appended: string[] = [];
  return {
    isBlank: (line: number) => lines[line - 1]?.content.trim() === '',
    replace: (line: number, change: (content: string) => string) => {
      const found = lines[line - 1];
      if (found !== undefined) found.content = change(found.content);
    },
    remove: (line: number) => {
      const found = lines[line - 1];
      if (found !== undefined) found.isGone = true;
    },
    insert: (line: number, words: readonly string[]) => (lines[line - 1]?.after ?? above).push(...words),
    append: (words: readonly string[]) => appended.push(...words),
    text: (extras: CardExtras): string => {
      const isNoted = (content: string) => /^\s*<!-- galley: \{.*\} -->\s*$/u.test(content);
      const said = noteOf(extras);
      const parts: string[] = above.map((words) => words + eol);
      let isWritten = said === undefined;
      for (const { content, end, isGone, after } of lines) {
        const kept = isNoted(content) ? (isWritten ? undefined : said) : isGone ? undefined : content;
        isWritten ||= isNoted(content);
        if (kept !== undefined) parts.push(kept + end);
        parts.push(...after.map((words) => words + eol));
      }
      const tail = isWritten || said === undefined ? appended : [...appended, said];
      return mark + withTail(parts, tail, eol);
    },
  };
}

function noteOf(extras: CardExtras): string | undefined {
  if (Object.keys(extras).length === 0) return undefined;
  return `<!-- galley: ${JSON.stringify(extras).replaceAll('>', '\\u003e')} -->`;
}

/** Behind the last line that says something; a list goes on, anything else is parted by a blank line. */
function withTail(parts: readonly string[], tail: readonly string[], eol: string): string {
  const joined = parts.map((part, index) =>
    index < parts.length - 1 && !/[\r\n]$/u.test(part) ? part + eol : part,
  );
  if (tail.length === 0) return joined.join('');
  const last = joined.findLastIndex((part) => part.trim() !== '');
  const end = joined[last] ?? '';
  const head = joined.slice(0, last + 1).join('') + (end === '' || /[\r\n]$/u.test(end) ? '' : eol);
  const gap = /^\s*[-*+•]\s/u.test(end) ? '' : eol;
  return `${head}${head === '' ? '' : gap}${tail.map((words) => words + eol).join('')}${joined.slice(last + 1).join('')}`;
}
