// Foreign words inside one line of Markdown: code spans stay, everything that could link, mention or refer becomes one.
import { codeSpan } from './markdown-code.js';

/** `escaped` for Markdown; `spanned` reads the same where nobody renders it: what is left of its signs stands in code spans. */
export type Signs = 'escaped' | 'spanned';

const linking = /@|:\/\/|www\.|mailto:|xmpp:|javascript:|data:|GH-\d|[#!&~%$^]\d/i;

/** `line` has no line ends and no hidden characters. */
export function inlineMarkdown(line: string, signs: Signs = 'escaped'): string {
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
    if (linking.test(word)) return [codeSpan(word)];
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
