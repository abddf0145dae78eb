// The encoder of an encoding, made of its vocabulary: the JSON that tiktoken publishes.
import { GalleyError } from '../../core/model/error.js';
import { decodeRanks } from './decode-ranks.js';
import { createEncoder, type Encoder, type EncodingName } from './encoder.js';

export function loadEncoder(encoding: EncodingName, read: (encoding: EncodingName) => string): Encoder {
  let cause: unknown;
  try {
    const { bpe_ranks }: { readonly bpe_ranks: string } = JSON.parse(read(encoding));
    const encoder = createEncoder(decodeRanks(bpe_ranks));
    if (encoder.merge(' world').length === 1) return encoder;
  } catch (error) {
    cause = error;
  }
  throw new GalleyError(
    'INTERNAL',
    `The tokenizer ${encoding} could not be loaded; reinstall Galley, or use the meter cjk-estimate meanwhile.`,
    { details: { meter: encoding }, cause },
  );
}
