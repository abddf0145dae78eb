// A declaration up to its body on one line, without comments: equal text means an equal signature.
import type { Spans } from './outline-model.js';

export function signatureText(part: { text: string; start: number; end: number; comments: Spans }): string {
  const { text, start, end, comments } = part;
  let raw = '';
  let from = start;
  for (let at = firstAfter(comments, start); at < comments.length && comments[at]! < end; at += 2) {
    if (comments[at]! < from) continue;
    raw += `${text.slice(from, comments[at])} `;
    from = comments[at + 1]!;
  }
  raw += text.slice(from, Math.max(from, end));
  return raw
    .replace(/\s+/g, ' ')
    .replace(/([([{]|\w<) /g, '$1')
    .replace(/,? ([)\]}>,;:])/g, '$1')
    .replace(/,([)\]}])/g, '$1')
    .replace(/\s*(?:[;{:]|(?<![=!<>])=)\s*$/, '')
    .trim();
}

function firstAfter(spans: Spans, offset: number): number {
  let low = 0;
  let high = spans.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle * 2]! < offset) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}
