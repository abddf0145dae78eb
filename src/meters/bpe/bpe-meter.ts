// Weighs text in the tokens of one encoding. Texts are joined by concatenation, so a join costs more only inside the
// pre-tokens around it: the seam is computed there, exactly, and is zero at every provable border.
import type { Meter } from '../../core/model/meter.js';
import { createTokenCounter } from './count-tokens.js';
import type { Encoder, EncodingName } from './encoder.js';
import { loadEncoder } from './load-encoder.js';
import { borderAfter, borderBefore, isBorder } from './pre-token.js';

export function createBpeMeter(encoding: EncodingName, encoder: Encoder): Meter {
  const weigh = createTokenCounter(encoding, encoder);
  return {
    id: encoding,
    unit: 'tokens',
    exact: true,
    scale: 1,
    weigh,
    seam(left, right) {
      if (left === '' || right === '') return 0;
      if (isBorder(left.charCodeAt(left.length - 1), right.charCodeAt(0))) return 0;
      const tail = left.slice(borderBefore(left, left.length));
      const head = right.slice(0, borderAfter(right, 0));
      return Math.max(0, weigh(tail + head) - weigh(tail) - weigh(head));
    },
  };
}

/** A meter for places without files: of the text of `galley/vocabularies/<encoding>.json`, however it got there. */
export function meterOfVocabulary(encoding: EncodingName, vocabulary: string): Meter {
  return createBpeMeter(
    encoding,
    loadEncoder(encoding, () => vocabulary),
  );
}
