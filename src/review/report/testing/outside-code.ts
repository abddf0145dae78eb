// What a reader of Markdown takes for text and not for code.
import { expect } from 'vitest';

/** The text outside code, read as CommonMark reads it: fences first, then spans. */
export const outsideCode = (markdown: string): string => {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line.replace(/^(?:- | {2})/, ''))?.slice(1);
    if (fence === undefined && mark !== undefined) fence = mark[0];
    else if (fence !== undefined) {
      if (mark?.[0]?.startsWith(fence) && mark[1]?.trim() === '') fence = undefined;
    } else kept.push(withoutSpans(line));
  }
  expect(fence).toBeUndefined();
  return kept.join('\n');
};
const withoutSpans = (line: string): string => {
  let rest = line;
  let kept = '';
  for (;;) {
    const open = /`+/.exec(rest);
    if (open === null) return kept + rest;
    const after = rest.slice(open.index + open[0].length);
    const close = [...after.matchAll(/`+/g)].find(([run]) => run.length === open[0].length);
    expect(close).toBeDefined();
    kept += `${rest.slice(0, open.index)}§`;
    rest = after.slice(close!.index + open[0].length);
  }
};
