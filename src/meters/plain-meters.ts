// Meters that need no tokenizer: UTF-8 bytes, code points, and the rule of thumb "four characters are a token".

import { utf8Length } from '../core/model/code-points.js';
import type { Meter } from '../core/model/meter.js';

export const bytesMeter: Meter = {
  id: 'bytes',
  unit: 'bytes',
  exact: true,
  scale: 1,
  // Node counts fastest; a browser has no buffers.
  weigh: typeof Buffer === 'undefined' ? utf8Length : (text) => Buffer.byteLength(text, 'utf8'),
};

/** Weighs the code points of a text. */
export const codepointsMeter: Meter = {
  id: 'codepoints',
  unit: 'codepoints',
  exact: true,
  scale: 1,
  weigh: countCodePoints,
};

/**
 * The rule of thumb "four characters are a token", literally: ceil(code points / 4), rounded once per prompt.
 * It is far too low for Chinese; it exists because limits were written in it.
 */
export const charsPerFourMeter: Meter = {
  id: 'chars/4',
  unit: 'tokens',
  exact: false,
  scale: 4,
  weigh: countCodePoints,
};

/** How many code points a text has; a surrogate without its partner counts as one. */
function countCodePoints(text: string): number {
  let points = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) continue;
    if ((text.charCodeAt(index - 1) & 0xfc00) === 0xd800) points -= 1;
  }
  return points;
}
