// Foreign code in our Markdown: shown as it is, with fences that nothing inside can close.
import { showHidden } from '../../cleaning/hidden-text.js';

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
