// Users' text before it is drawn: what cannot be seen, or would turn the text around, is written out.
import { showHidden as written } from '../../../src/cleaning/hidden-text.js';

/** Most text has nothing to hide, and is long. */
const plain = /^[\t\x20-\x7e\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]*$/;

export function showHidden(text: string): string {
  if (plain.test(text)) return text;
  return written(text.endsWith('\r') ? text.slice(0, -1) : text);
}
