// The block of fields at the head of a chapter: notes about it, never its prose, so it is neither sent as prose nor counted as words.
// Only lines that are fields make one; a chapter that opens with a line across the page has none.

const fence = /^---[^\S\n]*$/u;
/** `pov: Ada`, 视角：林远; what somebody says (他说：“走。”) is none. */
const field = /^[\p{L}\p{N}_](?:[^\n:：#“”"「」]{0,40}:(?:\s|$)|[^\s:：#“”"「」]{0,7}：(?!\s*[“"「『]))/u;
const goesOn = /^(?:\s+\S|-\s|#|\s*$)/u;
const mostLines = 200;

/** In code units, the line break behind it included; 0 where there is none. */
export function frontLength(text: string): number {
  if (!text.startsWith('---')) return 0;
  let at = 0;
  let fields = 0;
  for (let line = 0; line < mostLines; line += 1) {
    const end = text.indexOf('\n', at);
    const words = text.slice(at, end < 0 ? text.length : end).replace(/\r$/u, '');
    const next = end < 0 ? text.length : end + 1;
    if (line === 0 && !fence.test(words)) return 0;
    if (line > 0 && fence.test(words)) return fields > 0 ? next : 0;
    if (line > 0 && field.test(words)) fields += 1;
    else if (line > 0 && (!goesOn.test(words) || (line === 1 && words.trim() === ''))) return 0;
    if (end < 0) return 0;
    at = next;
  }
  return 0;
}

export function withoutFront(text: string): string {
  const length = frontLength(text);
  return length === 0 ? text : text.slice(length);
}

/** As long as it was, so that every place behind it stays where it is. */
export function blankFront(text: string): string {
  const length = frontLength(text);
  if (length === 0) return text;
  return text.slice(0, length).replace(/[^\n\u{10000}-\u{10ffff}]/gu, ' ') + text.slice(length);
}
