// Foreign words and code in our Markdown: they keep their code, paragraphs and lists, and can neither mention, link, load, hide nor
// command.
import { showHidden } from '../../cleaning/hidden-text.js';

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

/** `escaped` for Markdown; `spanned` reads the same where nobody renders it: what is left of its signs stands in code spans. */
export type Signs = 'escaped' | 'spanned';

const linking = /@|:\/\/|www\.|mailto:|xmpp:|javascript:|data:|GH-\d|[#!&~%$^]\d/i;

/** Code spans stay, everything that could link, mention or refer becomes one; `line` has no line ends and no hidden characters. */
function inlineMarkdown(line: string, signs: Signs = 'escaped'): string {
  const parts: string[] = [];
  const ticks = [...line.matchAll(/`+/g)];
  let from = 0;
  for (let at = 0; at < ticks.length; at += 1) {
    const open = ticks[at]!;
    const closeAt = ticks.findIndex((tick, index) => index > at && tick[0].length === open[0].length);
    if (closeAt === -1) continue;
    const close = ticks[closeAt]!;
    parts.push(...words(line.slice(from, open.index), signs));
    parts.push(codeSpan(line.slice(open.index + open[0].length, close.index).trim()));
    from = close.index + close[0].length;
    at = closeAt;
  }
  parts.push(...words(line.slice(from), signs));
  // Two spans side by side would read each other's fences.
  return parts.reduce((all, part) => all + (all.endsWith('`') && part.startsWith('`') ? ' ' : '') + part, '');
}

function words(text: string, signs: Signs): string[] {
  return text.split(/(\s+)/).flatMap((word) => {
    if (word === '') return [];
    if (word.trim() === '') return [' '];
    if (linking.test(word)) {
      const [, core = word, rest = ''] = /^(.*?[\w/)\]}>])([.,;:!?。，；：！？]*)$/u.exec(word) ?? [];
      return [codeSpan(core), rest];
    }
    if (signs === 'escaped') return [escaped(word)];
    return [
      /[[\]]/.test(word) ? codeSpan(word) : word.replace(/<(?=[a-z!/?])/gi, '&lt;').replaceAll('`', "'"),
    ];
  });
}

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '`': '&#96;' };

function escaped(word: string): string {
  return word.replace(/[\\*_[\]|~$<>&`]/g, (sign) => entities[sign] ?? `\\${sign}`);
}

/** One line of code that no text inside can close. */
export function codeSpan(text: string): string {
  const line = showHidden(text).replace(/[\t\n]+/g, ' ');
  if (line.trim() === '') return '` `';
  const runs = line.match(/`+/g)?.map((run) => run.length) ?? [];
  let ticks = 1;
  while (runs.includes(ticks)) ticks += 1;
  const fence = '`'.repeat(ticks);
  const pad = /^`|`$|^ .* $/s.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A block of code; the fence is longer than any inside. */
export function codeBlock(code: string, language = ''): string {
  const text = showHidden(code).replace(/\n$/, '');
  const longest = Math.max(2, ...(text.match(/`+/g)?.map((run) => run.length) ?? []));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
