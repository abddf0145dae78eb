// Small readings of the text around a unit: where its name stands, where its ink ends, what separates it from a decorator.
import { isSpace } from './line-index.js';

/** The first place where the name stands as a word of its own. */
export function wordAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '')) return at;
  }
  return -1;
}

export function inkedEnd(text: string, from: number, until: number): number {
  let end = until;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Only whitespace and whole comment lines between a decorator and what it decorates. */
export function onlyGap(text: string, from: number, until: number): boolean {
  if (until < from) return false;
  return text
    .slice(from, until)
    .split('\n')
    .every((line) => /^\s*(?:$|\/\/|\/\*|\*|#)/.test(line));
}
