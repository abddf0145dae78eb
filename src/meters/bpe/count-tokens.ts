// The exact number of tokens of any text, in linear time: encoders are quadratic in the longest pre-token (and the
// WebAssembly one gives up on very long runs), so those are found first and counted apart.
import { borderAfter } from './border.js';
import { isWhiteSpace } from './character-class.js';
import { countLongRun } from './count-long-run.js';
import type { Encoder, EncodingName } from './encoder.js';
import { preTokenEnd } from './pre-token.js';

const longRun = 256;

export function countTokens(text: string, encoding: EncodingName, encoder: Encoder): number {
  if (text.length <= longRun) return encoder.encode(text).length;
  let total = 0;
  let pending = 0;
  let start = 0;
  const flush = (until: number): void => {
    if (until > pending) total += encoder.encode(text.slice(pending, until)).length;
  };
  while (start < text.length) {
    const end = borderAfter(text, start);
    if (end - start > longRun) {
      flush(start);
      total += countStretch(text.slice(start, end), encoding, encoder);
      pending = end;
    }
    start = end;
  }
  flush(text.length);
  return total;
}

function countStretch(text: string, encoding: EncodingName, encoder: Encoder): number {
  let total = 0;
  let pending = 0;
  let last = 0;
  let start = 0;
  const count = (from: number, until: number): number =>
    until > from ? encoder.encode(text.slice(from, until)).length : 0;
  while (start < text.length) {
    const end = preTokenEnd(text, start, encoding);
    if (end - start > longRun) {
      // White space is split by what follows it, so before a cut it is counted on its own.
      const cut = start > 0 && isWhiteSpace(text, start - 1) ? last : start;
      total += count(pending, cut) + count(cut, start) + countLongRun(text.slice(start, end), encoder);
      pending = end;
    }
    last = pending === end ? end : start;
    start = end;
  }
  return total + count(pending, text.length);
}
